"""Runs the program itself, as a user would, in a directory of its own. PLAQ_PROGRAM and PLAQ_MPIRUN name it and the launcher."""
import dataclasses
import os
import pathlib
import shlex
import subprocess
import tempfile

import h5py
import numpy

SOURCES = pathlib.Path(__file__).resolve().parents[2]
PLAQ = os.path.abspath(os.environ.get("PLAQ_PROGRAM", SOURCES / "build/host/bin/plaq"))
MPIRUN = shlex.split(os.environ.get("PLAQ_MPIRUN", "mpirun --oversubscribe --bind-to none"))
SECONDS = 60  # that a run may take

# Two small fields, field.000002.nersc and field.000004.nersc, of 4x4x4x8.
GENERATE = """job = "generate"
[lattice]
extents = [4, 4, 4, 8]
[gauge]
beta = 5.7
[update]
seed = 11
overrelaxation = 1
thermalization = 2
separation = 2
configurations = 2
reunitarize_every = 3
[output]
prefix = "field"
measure_every = 1
[run]
location = "host"
threads = 1
"""

# These fields in Landau gauge, landau.field.000002.nersc and so on.
LANDAU = """job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
theta = 1e-14
[output]
file = "fixed.h5"
[run]
location = "host"
threads = 1
"""

MEASURE = """job = "measure"
[gauge]
files = ["field.*.nersc"]
[output]
file = "measured.h5"
[run]
location = "host"
threads = 1
"""

PROPAGATOR = """job = "propagator"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.11
[solver]
tolerance = 1e-9
[output]
file = "pion.h5"
[run]
location = "host"
threads = 1
"""

MULTIGRID = """
[multigrid]
blocks = ["2x2x2x2"]
vectors = [6]
directory = "setups"
checkpoint_minutes = 0
"""
MULTIGRID_SETUP = """job = "multigrid_setup"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.16
[solver]
tolerance = 1e-9
[output]
file = "setups.h5"
[run]
location = "host"
threads = 1
""" + MULTIGRID

# Quarks with a smeared source on a weak field of another program: xi of the field and nu of the quarks.
ANISOTROPIC = """job = "propagator"
[gauge]
files = ["{fields}/weak_field.lime"]
[action]
kappa = 0.135
xi = 2.464
nu = 0.95
[quark_smearing]
steps = 5
sigma = 2.0
allow_unstable = true
[output]
file = "pion.h5"
[run]
location = "host"
threads = 1
"""

PION = "/correlators/pion/p_0_0_0/point"

# Everything that a job can contract, with smeared links, sources and sinks.
EVERYTHING = ("--set link_smearing.type=ape --set link_smearing.steps=2 --set link_smearing.spatial=true "
              "--set quark_smearing.steps=3 --set quark_smearing.sigma=1.2 "
              "--set 'correlators.sinks=[\"point\", \"smeared\"]' --set correlators.max_momentum_squared=1 "
              "--set 'correlators.channels=[\"pion\", \"rho\", \"rho_x\", \"rho_y\", \"rho_z\", \"a0\", \"a1\", "
              "\"b1\", \"axial_pseudoscalar\", \"proton\", \"proton_minus\"]' ")


@dataclasses.dataclass
class Outcome:
    code: int
    out: str
    err: str

    def errors(self):
        """Messages of level E, one a line; the launcher's own lines are not ours."""
        return [line for line in self.err.splitlines() if line.startswith("E ")]

    def failed(self, code, *parts):
        """There is one message, with these parts, and this exit code."""
        assert self.code == code, self
        assert len(self.errors()) == 1, self
        for part in parts:
            assert part in self.err, (part, self)

    def succeeded(self):
        assert self.code == 0, self
        return self


def command(arguments, ranks, launcher=None):
    """One rank runs without a launcher, unless a function of the number of ranks gives one. `arguments` are as a shell takes them."""
    if launcher is None:
        def launcher(number):
            return [*MPIRUN, "-np", str(number)] if number > 1 else []
    return [*launcher(ranks), PLAQ, *shlex.split(arguments)]


def variables(folder, more=None):
    """The environment of a run. Open MPI keeps files in a folder of the user, which the last of several runs removes while another
    begins: each run has a `folder` of its own."""
    return {**os.environ, "OMPI_MCA_orte_tmpdir_base": folder, "ASAN_OPTIONS": "detect_leaks=0", **(more or {})}


class Sandbox:
    """A directory, with the program in it."""

    def __init__(self, path):
        self.path = pathlib.Path(path)

    def __truediv__(self, name):
        return self.path / name

    def write(self, name, text):
        (self / name).write_bytes(text if isinstance(text, bytes) else text.encode())

    def bytes(self, name):
        return (self / name).read_bytes()

    def text(self, name):
        return self.bytes(name).decode(errors="replace")

    def exists(self, name):
        return (self / name).exists()

    def names(self, pattern="*"):
        """Files of the directory, without those that a leading dot hides."""
        return sorted(path.name for path in self.path.glob(pattern) if not path.name.startswith("."))

    def plaq(self, arguments, ranks=1, environment=None, seconds=SECONDS, launcher=None, **how):
        """`how`: as subprocess.run takes it."""
        with tempfile.TemporaryDirectory(prefix="plaq-mpi-", ignore_cleanup_errors=True) as folder:
            done = subprocess.run(command(arguments, ranks, launcher), cwd=self.path, env=variables(folder, environment),
                                  stdin=subprocess.DEVNULL, capture_output=True, timeout=seconds, **how)
        return Outcome(done.returncode, *(stream.decode(errors="replace") for stream in (done.stdout, done.stderr)))

    def numbers(self, name):
        """Every dataset of a result file by its path, read with HDF5 alone."""
        found = {}
        with h5py.File(self / name, "r") as file:
            file.visititems(lambda path, item: found.update({"/" + path: numpy.array(item)})
                            if isinstance(item, h5py.Dataset) else None)
        return found


class Propagators:
    """A directory with both fields and propagator.toml."""

    def __init__(self, box):
        self.box = box

    def propagator(self, more="", ranks=1):
        return self.box.plaq("run propagator.toml " + more, ranks)

    def run(self, name, more, ranks=1):
        """To NAME.h5, all of its numbers."""
        self.propagator(f"--set output.file={name}.h5 {more}", ranks).succeeded()
        return self.box.numbers(name + ".h5")


def same(one, other):
    """Whether two results of Sandbox.numbers() have the same numbers."""
    return one.keys() == other.keys() and all(
        one[path].shape == other[path].shape and numpy.array_equal(one[path], other[path]) for path in one)


def foreign_fields():
    """PLAQ_DATA_DIR/gauge/, where gauge fields of other programs are; None where it is not set."""
    data = os.environ.get("PLAQ_DATA_DIR")
    return pathlib.Path(data) / "gauge" if data else None
