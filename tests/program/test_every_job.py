"""Every type of job on four ranks of two nodes, which share a folder through a slow network file system: the files of one process."""
import re

import pytest

import slow_mount
from nodes import Nodes
from program import GENERATE, LANDAU, MEASURE, MULTIGRID_SETUP, PROPAGATOR, Sandbox
from test_contract import CONTRACT
from test_distillation import ELEMENTALS, MODES, PERAMBULATORS
from test_eigenvectors import JOB as EIGENVECTORS
from test_gluon import GLUON
from test_hmc import HMC
from test_loops import LOOPS
from test_study import JOB as STUDY
from test_vertices import VERTICES

MISSING = Nodes.missing() or slow_mount.missing()
pytestmark = pytest.mark.skipif(MISSING is not None, reason=str(MISSING))

# In an order in which each finds what it reads, with what makes it small.
JOBS = {
    "generate": (GENERATE, "update.configurations=1"),
    "hmc": (HMC, "update.thermalization=0 update.separation=1 update.configurations=1 output.prefix=hmc"),
    "gaugefix": (LANDAU, ""),
    "measure": (MEASURE, ""),
    "gluon": (GLUON, "ghost.tolerance=1e-3"),
    "multigrid_setup": (MULTIGRID_SETUP, ""),
    "eigenvectors": (EIGENVECTORS, "eigenvectors.modes=2"),
    "laplacian_modes": (MODES, "laplacian_modes.modes=4"),
    "perambulators": (PERAMBULATORS, ""),
    "elementals": (ELEMENTALS, ""),
    "propagator": (PROPAGATOR, "output.propagators=hdf5 output.propagator_directory=light"),
    "contract": (CONTRACT.replace("strange/", "light/"), ""),
    "loops": (LOOPS, "noise.vectors=1"),
    "vertices": (VERTICES, "solver.tolerance=1e-9"),
    "study": (STUDY, 'study.ranks=[] study.local_lattices=[] study.targets=["accuracy"] study.storages=["half_12"]'),
}
TIMES = ("study.h5", "study.json", "study.txt")  # have seconds
FOLDERS = ("light", "made", "modes", "setups")


def run_all(folder, ranks=1, launcher=None):
    for job, (text, settings) in JOBS.items():
        folder.write(f"{job}.toml", text)
        words = " ".join(f"--set '{setting}'" for setting in settings.split()).replace("half_12", "half 12")
        folder.plaq(f"run {job}.toml {words}", ranks, launcher=launcher).succeeded()


def files(folder):
    return {str(path.relative_to(folder.path)): path.read_bytes() for path in folder.path.rglob("*") if path.is_file()}


def test_the_files_of_one_process(box):
    alone, shared = Sandbox(box / "alone"), Sandbox(box / "shared")
    for name in FOLDERS:
        (alone / name).mkdir(parents=True)
        (shared / name).mkdir(parents=True)
    assert set(re.findall(r"^  (\w+) ", box.plaq("schema").out.split("Keys of all")[0], re.MULTILINE)) == set(JOBS)
    run_all(alone)
    with Nodes(2) as nodes:
        nodes.mount(shared.path, 0.001)
        run_all(shared, 4, nodes.on())
    expected, found = files(alone), files(shared)
    assert found.keys() == expected.keys()
    assert [name for name in found if found[name] != expected[name] and name not in TIMES] == []
    for curve in ("/accuracy/epsilon", "/accuracy/proportion"):
        assert (shared.numbers("study.h5")[curve] == alone.numbers("study.h5")[curve]).all(), curve
