"""A rank that no longer answers, or is gone, ends the job: everyone says what it waits for, and nothing is left half-written."""
import os
import pathlib
import re
import signal
import time

import pytest

from launched import Launched
from mpi_library import LIBRARY
from program import GENERATE, PROPAGATOR

# Long enough for whatever happens to it.
JOB = "run generate.toml --set comms.watchdog=2 --set update.separation=200000 --set output.measure_every=200000"

# The first of the copies goes before the others: one rank works on it, for ever, and the other waits.
FIX = """job = "gaugefix"
[gauge]
files = ["field.000002.nersc"]
[fixing]
gauge = "landau"
copies = 2
groups = 2
theta = 1e-30
[overrelaxation]
max_sweeps = 1000000000
patience = 1000000000
[output]
file = "fixed.h5"
[comms]
watchdog = 2
[run]
location = "host"
threads = 1
"""

CAMPAIGN = """[ensemble]
files = "field.{trajectory}.nersc"
[task.fix]
job = "fix.toml"
[workers]
ranks_per_task = 1
watchdog = 2
"""


@pytest.fixture
def jobs(box):
    box.write("generate.toml", GENERATE)
    return box


def ranks_of(run, count):
    """The ranks of a run that updates by now, in the order of their ranks."""
    run.waits_for(lambda: "process grid" in run.err(), 0.005)
    time.sleep(0.3)
    return ranks(run, count)


def ranks(run, count):
    found = {}
    for pid in run.processes():
        try:
            variables = pathlib.Path(f"/proc/{pid}/environ").read_bytes()
        except OSError:  # it has ended
            continue
        rank = re.search(rf"\b{LIBRARY.rank}=(\d+)".encode(), variables)
        if rank:
            found[int(rank[1])] = pid
    assert len(found) == count, (found, run.err())
    return [found[rank] for rank in sorted(found)]


def expect_nothing_half_written(box):
    for name in os.listdir(box.path):
        assert not name.endswith(".nersc") or box.plaq("info " + name).code == 0, name


def test_a_rank_that_stands_still(jobs):
    """Most often its neighbours wait for faces: some attempts, until they did, with all ranks' words each time."""
    for _ in range(10):
        with Launched(jobs, JOB, 4) as run:
            ranks = ranks_of(run, 4)
            os.kill(ranks[1], signal.SIGSTOP)
            assert run.ends_within(run.age() + 60), run.err()
            err = run.err()
            assert run.code() != 0, err
        for rank in (0, 2, 3):
            assert f"[rank {rank}] has waited for" in err, err
        # Rank 1 may say something too: a launcher that ends the others wakes it first.
        expect_nothing_half_written(jobs)
        if "the face from" in err or "the face to" in err:
            assert "(rank 1)" in err, err
            assert "(in overrelaxation, extended_halo)" in err or "(in heatbath, extended_halo)" in err, err
            return
    pytest.fail("nobody ever waited for a face")


def test_work_is_no_hang(jobs):
    """A rank is left alone for longer than the watchdog's time, while it works; not when it stands still."""
    jobs.plaq("run generate.toml --set update.configurations=1").succeeded()
    jobs.write("fix.toml", FIX)
    with Launched(jobs, "run fix.toml", 2) as run:
        ranks = ranks_of(run, 2)
        assert not run.ends_within(run.age() + 5), run.err()
        assert "has waited" not in run.err(), run.err()
        os.kill(ranks[1], signal.SIGSTOP)
        assert run.ends_within(run.age() + 60), run.err()
        assert run.code() != 0, run.err()
        assert "[rank 0] has waited for" in run.err(), run.err()
        assert "a sign of life of rank 1" in run.err(), run.err()


def test_a_worker_that_ends_before_others(jobs):
    """Ranks of one program, of which the second finds nothing left to do while the first works on the only item."""
    jobs.plaq("run generate.toml --set update.configurations=1").succeeded()
    jobs.write("fix.toml", FIX.replace("copies = 2\ngroups = 2\n", ""))
    jobs.write("campaign.toml", CAMPAIGN)
    with Launched(jobs, "campaign run .", 2) as run:
        run.waits_for(lambda: "in the hands of other workers" in run.err(), 0.01)
        assert not run.ends_within(run.age() + 3.5), run.err()
        assert "has waited" not in run.err(), run.err()


def test_an_audit(jobs):
    """Of two ranks the second has nothing to do: it waits for as long as the first works, and not when that stands still."""
    jobs.plaq("run generate.toml --set update.configurations=1").succeeded()
    jobs.write("pion.toml", PROPAGATOR + "[source]\ncount = 100\n")
    jobs.write("campaign.toml", CAMPAIGN.replace("fix", "pion").replace("watchdog = 2", "watchdog = 1"))
    jobs.plaq("campaign run .").succeeded()
    with Launched(jobs, "campaign audit .", 2) as run:
        assert run.ends_within(run.age() + 60), run.err()
        assert run.code() == 0 and "1 of 1 come out the same" in run.out(), (run.out(), run.err())
        assert run.age() > 2, "too short to be taken for a hang"
    with Launched(jobs, "campaign audit .", 2) as run:
        run.waits_for(lambda: (jobs.path / "work/audit/pion").exists(), 0.005)
        time.sleep(0.5)
        os.kill(ranks(run, 2)[0], signal.SIGSTOP)
        assert run.ends_within(run.age() + 60), run.err()
        assert run.code() != 0, run.err()
        assert "a sign of life of rank 0" in run.err(), run.err()


def test_a_rank_that_is_gone(jobs):
    with Launched(jobs, JOB, 4) as run:
        os.kill(ranks_of(run, 4)[2], signal.SIGKILL)
        assert run.ends_within(run.age() + 60), run.err()
        assert run.code() != 0, run.err()
    expect_nothing_half_written(jobs)


def test_a_pause_is_nothing(jobs):
    """A second's pause is none of its business."""
    with Launched(jobs, JOB + " --set update.separation=400", 2) as run:
        ranks = ranks_of(run, 2)
        os.kill(ranks[1], signal.SIGSTOP)
        time.sleep(0.8)
        os.kill(ranks[1], signal.SIGCONT)
        assert run.ends_within(run.age() + 120), run.err()
        assert run.code() == 0, run.err()
        assert "has waited" not in run.err(), run.err()
