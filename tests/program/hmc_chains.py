"""Chains of hmc jobs that are stopped within trajectories, beside the same ones that were not."""
import random
import shutil
import signal

from hmc_jobs import HISQ, HMC, JOINT, SMEARED, THREE_FLAVOURS, WALLS, expect_same, history
from launched import Launched

# Few long trajectories.
LONG = [("thermalization = 2", "thermalization = 1"), ("thermalization = 1", "thermalization = 0"), ("separation = 2", "separation = 1"),
        ("measure_every = 1", "measure_every = 1\ncheckpoint_minutes = 60"), ("reversibility_every = 3", "reversibility_every = 2"),
        ("configurations = 2", "configurations = 3")]
MULTIGRID = """[solver]
preconditioner = "multigrid"
[multigrid]
blocks = ["2x2x2x2"]
vectors = [4]
rounds = 2
[output]"""
# Domain-wall quarks as LONG finds them.
MORE_WALLS = WALLS.replace("configurations = 1", "configurations = 2").replace("reversibility_every = 2", "reversibility_every = 3")


def long(job, steps):
    for old, new in LONG:
        job = job.replace(old, new)
    return job.replace("steps = [3, 2]", steps).replace("steps = [1, 1, 2]", steps)


def heavy(job):
    """Staggered quarks whose rational functions take no time to find, so that trajectories are long beside what goes before."""
    return job.replace("0.4, 0.15", "1.4, 1.0").replace("heavier_masses = [1.0]", "heavier_masses = [2.0]").replace(
        "tolerance = 1e-5", "tolerance = 1e-3").replace("configurations = 1", "configurations = 3")


JOBS = {
    "two": long(HMC, "steps = [8, 4]"),
    "three": long(THREE_FLAVOURS, "steps = [3, 2, 3]"),
    "smeared": long(SMEARED, "steps = [6, 3]"),
    "roots": long(HMC.replace("4, 4, 4, 8", "4, 4, 4, 4").replace("twists = [0.5]", "pseudofermions = [2]"), "steps = [4, 3]"),
    "walls": long(MORE_WALLS.replace("flavours = [2, 1]", "flavours = [2, 2]"), "steps = [4, 3]"),
    "exact": long(MORE_WALLS.replace("flavours = [2, 1]", 'flavours = [2, 1]\none_flavour = "exact"'), "steps = [4, 3]"),
    "staggered": heavy(long(JOINT.replace("steps = [4, 2]", "steps = [3, 2]"), "steps = [16, 4]")),
    "hisq": heavy(long(HISQ, "steps = [3, 2]").replace(", 0.8]", "]").replace("[1, 2, 1]", "[1, 2]").replace(
        "[0.0, 0.0, -0.15]", "[-0.1, -0.1]").replace("quarks_1_ratio_1", "quarks_ratio_1")),
    "multigrid": long(HMC.replace("4, 4, 4, 8", "4, 4, 4, 4").replace("kappa = 0.12", "kappa = 0.13").replace("[output]", MULTIGRID),
                      "steps = [5, 3]"),
}


FEW = ("two", "hisq", "multigrid")  # of these jobs: test_hmc_checkpoints.py has them, test_hmc_kills.py the others


def copied(origin, box):
    shutil.copytree(origin.path, box.path, ignore=shutil.ignore_patterns(".*"), dirs_exist_ok=True)
    return box


def expect_same_chain(box):
    expect_same(history(box), history(box, "other/field.history.h5"))
    names = [name for name in box.names() if name.startswith("field.") and name.endswith(".nersc")]
    assert len(names) == 3
    for name in names:
        assert box.bytes(name) == box.bytes(f"other/{name}")
    left = [name for name in box.names() if name.startswith("other/") and name.endswith((".trajectory", ".journal", ".checkpoint"))]
    assert not left


OTHER = "run hmc.toml --set output.prefix=other/field"


def remove_files(box, beginning):
    for name in box.names():
        if name.startswith(beginning):
            (box / name).unlink()


def numbers_of_runs(is_enough):
    """0 to 7, and more on a slow machine until it is enough."""
    for number in range(40):
        if number >= 8 and is_enough():
            return
        yield number


def wait_within(run, moments):
    """Until some moment of the chain, which by then takes signals; true if it has ended."""
    run.waits_for(lambda: "going on after" in run.err() or "wrote other/field" in run.err())
    return run.ends_within(run.age() + 0.6 * moments.random())


def expect_signals_change_no_bit(chain):
    """At any moment."""
    (chain / "other").mkdir()
    moments, within = random.Random(7), 0
    for number in numbers_of_runs(lambda: within):
        with Launched(chain, OTHER, 1 + number % 2) as run:
            wait_within(run, moments)
            if not run.ended():
                run.signal(signal.SIGUSR1 if number % 2 else signal.SIGTERM)  # mpirun ends its ranks after the other one
                run.waits_for(lambda: False)
            assert run.code() in (0, 9), run.err()
            assert (run.code() == 9) == (": the chain is saved after" in run.err()), run.err()
            within += "going on within trajectory" in run.err()
        if run.code() == 0:  # it was complete: from the beginning
            remove_files(chain, "other/")
    assert within, "no run went on within a trajectory"
    chain.plaq(OTHER).succeeded()
    expect_same_chain(chain)


def expect_kills_change_no_bit(chain):
    """At any moment."""
    (chain / "other").mkdir()
    moments, within = random.Random(8), 0
    arguments = OTHER + " --set hmc.checkpoint_minutes=1e-4"
    for number in numbers_of_runs(lambda: within):
        with Launched(chain, arguments, 1 + number % 2) as run:
            complete = wait_within(run, moments)
            within += "going on within trajectory" in run.err()
        if complete:
            remove_files(chain, "other/")
    assert within, "no run went on within a trajectory"
    chain.plaq(arguments).succeeded()
    expect_same_chain(chain)
