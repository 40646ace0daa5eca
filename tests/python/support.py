"""What the tests of the Python module share."""
import os
import subprocess
import sys
import tempfile
import unittest

import numpy

import plaq

try:
    from mpi4py import MPI
except ImportError:
    MPI = None

RANKS = MPI.COMM_WORLD.size if MPI else 1
RANK = MPI.COMM_WORLD.rank if MPI else 0
needs_mpi4py = unittest.skipIf(MPI is None, "no mpi4py")
alone = unittest.skipIf(RANKS > 1, "a test of one rank")


def lattice(extents, **keys):
    """On all ranks; on the host, where the tests' formulas are."""
    keys.setdefault("location", "host")
    return plaq.Lattice(extents, comm=MPI.COMM_WORLD if MPI else None, **keys)


def lattice_alone(extents, **keys):
    """The same on this rank alone."""
    return plaq.Lattice(extents, comm=MPI.COMM_SELF if MPI else None, location="host", **keys)


def everywhere(found):
    """What rank 0 has, on all ranks."""
    return MPI.COMM_WORLD.bcast(found, root=0) if MPI else found


def shared_directory(test):
    """A directory that all ranks see, removed when the test ends."""
    kept = tempfile.TemporaryDirectory() if RANK == 0 else None
    name = everywhere(kept.name if kept else None)

    def remove():
        if MPI:
            MPI.COMM_WORLD.Barrier()
        if kept:
            kept.cleanup()

    test.addCleanup(remove)
    return name


def whole(field):
    """[...][t][z][y][x][...] of the whole lattice, on every rank."""
    lattice = field.lattice
    mine = field.array("lexicographic")
    parts = [(lattice.offset, mine)]
    if MPI:
        parts = MPI.COMM_WORLD.allgather((list(lattice.offset), mine))
    local = lattice.local_extents
    found = numpy.zeros((mine.shape[0], *reversed(lattice.extents), *mine.shape[5:]), dtype=complex)
    for offset, part in parts:
        x, y, z, t = offset
        found[:, t:t + local[3], z:z + local[2], y:y + local[1], x:x + local[0]] = part
    return found


def same_bits(a, b):
    a, b = numpy.ascontiguousarray(a), numpy.ascontiguousarray(b)
    return a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes()


def run_without_mpi(program):
    """What a program prints in a Python of its own, whose folder is that of the tests."""
    # MPI, which has started here, tells all children that it is their launcher.
    launchers = ("OMPI_", "PMIX_", "PMI_", "MPI_", "HYDRA_", "HYDI_")
    environment = {name: value for name, value in os.environ.items() if not name.startswith(launchers)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, env=environment, check=False,
                          cwd=os.path.dirname(os.path.abspath(__file__)), timeout=120)
    assert done.returncode == 0, done.stderr
    return done.stdout


def random_complex(shape, seed):
    drawn = numpy.random.default_rng(seed)
    return drawn.standard_normal(shape) + 1j * drawn.standard_normal(shape)


def main():
    program = unittest.main(exit=False, verbosity=1 if RANK == 0 else 0, argv=sys.argv[:1])
    failed = not program.result.wasSuccessful()
    if MPI:
        failed = MPI.COMM_WORLD.allreduce(int(failed)) > 0
    sys.stdout.flush()
    sys.exit(1 if failed else 0)
