"""A worker of a campaign that is killed at each of its operations on files, one run for each."""
import os
import shutil

import pytest

from program import GENERATE, PROPAGATOR

# Its first rung misses the tolerance, and the second is another job.
CAMPAIGN = """[ensemble]
files = "field.{trajectory}.nersc"
[task.pion]
job = "propagator.toml"
ladder = ["solver.max_iterations=500"]
[workers]
heartbeat = 0.2
lease_timeout = 0.5
"""
STOPPER = os.environ.get("PLAQ_STOP_AT_OPERATION")  # the library of stop_at_operation.cpp
AT_THE_END, STEP = 24, 6


def forget(box):
    for made in ("rows", "log", "work", "leases", "results"):
        shutil.rmtree(box / made, ignore_errors=True)
    (box / "quarantine.toml").unlink(missing_ok=True)


def expect_ends_of_starts(box):
    """Each start of an item has one end: done, failed, or lost with its worker."""
    lines = [line for file in (box / "log").iterdir() for line in file.read_bytes().split(b"\n")[:-1]]

    def count(*events):
        return sum(line.startswith(tuple(f'{{"event":"{event}"'.encode() for event in events)) for line in lines)

    assert count("start") == count("done", "failed", "lost")
    assert count("start") >= 2  # one of each rung


def run_until(box, stop):
    directory = box.path.resolve()
    return box.plaq("campaign run .", environment={
        "LD_PRELOAD": STOPPER, "PLAQ_STOP_AT": str(stop), "PLAQ_STOP_BELOW": str(directory),
        "PLAQ_STOP_COUNT": str(directory / "count")}).code


@pytest.mark.skipif(not STOPPER, reason="PLAQ_STOP_AT_OPERATION is not set")
@pytest.mark.skipif(bool(os.environ.get("PLAQ_SANITIZE")), reason="a sanitizer must be loaded before all others")
def test_lose_nothing_at_any_operation_on_files(box):
    """One field, which the second rung of a ladder solves. Every operation with PLAQ_CAMPAIGN_STOPS in the environment; else each of
    those at the end, where the row is published, and every sixth before."""
    box.write("generate.toml", GENERATE)
    box.plaq("run generate.toml --set update.configurations=1").succeeded()
    box.write("campaign.toml", CAMPAIGN)
    box.write("propagator.toml", PROPAGATOR.replace("tolerance", "max_iterations = 1\ntolerance"))
    assert run_until(box, 0) == 0
    operations = int(box.text("count"))
    assert operations > AT_THE_END
    row, results = box.bytes("rows/pion/000002.h5"), box.bytes("results/pion.h5")
    assert "/configurations/rung" in box.plaq("info --all results/pion.h5").out
    stop = 1
    while stop <= operations:
        forget(box)
        assert run_until(box, stop) != 0, stop
        after = box.plaq("campaign run .")
        assert after.code == 0, (stop, operations, after)
        assert box.bytes("rows/pion/000002.h5") == row, (stop, operations)
        assert box.bytes("results/pion.h5") == results, (stop, operations)
        assert not os.listdir(box / "leases"), (stop, operations)
        expect_ends_of_starts(box)
        assert not [path for path in (box / "work").rglob("*") if not path.is_dir()], (stop, operations)
        stop += 1 if "PLAQ_CAMPAIGN_STOPS" in os.environ or stop > operations - AT_THE_END else STEP
