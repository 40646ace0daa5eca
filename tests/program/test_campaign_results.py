"""results/TASK.h5 of a campaign: made of just the rows that count now, whoever died with its lease."""
import os
import shutil

import pytest

from program import GENERATE, MEASURE

OF_ANOTHER_NODE = '{"worker":"gone.1","node":"elsewhere","host":"elsewhere x y","process":1,"started":1}'
NAMES = ("000002", "000004", "000006", "000008")
RESULTS = "results/measure.h5"
HOUR = 3600 * 10**9  # nanoseconds


class Measurements:
    def __init__(self, box):
        self.box = box
        box.write("generate.toml", GENERATE)
        box.write("measure.toml", MEASURE)
        self.write_campaign()
        box.plaq("run generate.toml --set update.configurations=4").succeeded()

    def write_campaign(self, of_task="", of_workers=""):
        self.box.write("campaign.toml", '[ensemble]\nfiles = "field.{trajectory}.nersc"\n[task.measure]\njob = "measure.toml"\n'
                       + of_task + "[workers]\nheartbeat = 0.2\n" + of_workers)

    def run(self):
        self.box.plaq("campaign run .").succeeded()

    def written(self, file=RESULTS):
        return (self.box / file).stat().st_mtime_ns

    def set_time(self, file, nanoseconds):
        os.utime(self.box / file, ns=(nanoseconds, nanoseconds))

    def expect_results_of(self, names):
        """results/measure.h5 is what plaq run makes of these fields."""
        files = ",".join(f'"field.{name}.nersc"' for name in names)
        self.box.plaq(f"run measure.toml --set 'gauge.files=[{files}]' --set 'gauge.numbering=\"field.{{trajectory}}.nersc\"' "
                      "--set output.file=one.h5 --set output.overwrite=true").succeeded()
        assert self.box.bytes("one.h5") == self.box.bytes(RESULTS)


@pytest.fixture
def campaign(box):
    return Measurements(box)


def test_follow_what_is_left_out(campaign):
    box = campaign.box
    campaign.run()
    campaign.expect_results_of(NAMES)
    written = campaign.written()
    box.plaq("campaign quarantine . 000004").succeeded()
    # Clocks of nodes differ: what was written last may look old.
    campaign.set_time("quarantine.toml", written - HOUR)
    box.plaq("campaign run .")
    campaign.expect_results_of(("000002", "000006", "000008"))
    (box / "quarantine.toml").unlink()
    campaign.run()
    campaign.expect_results_of(NAMES)
    # Nobody changes a file that is right.
    campaign.set_time(RESULTS, written - 2 * HOUR)
    campaign.run()
    again = campaign.written()
    campaign.run()
    assert campaign.written() == again


def test_follow_the_fields_that_are_wanted(campaign):
    for of_task, names in (("every = 4\n", ("000004", "000008")), ("", NAMES), ("every = 4\n", ("000004", "000008"))):
        campaign.write_campaign(of_task)
        campaign.run()
        campaign.expect_results_of(names)


def test_follow_their_rows(campaign):
    """A row that was computed again, or came from elsewhere with its old time."""
    box, row = campaign.box, "rows/measure/000006.h5"
    campaign.run()
    right, before = box.bytes(row), campaign.written(row)
    shutil.copy(box / "rows/measure/000008.h5", box / row)
    campaign.set_time(row, before - HOUR)
    box.plaq("campaign run .").failed(4, row, "rows/measure/000008.h5")
    box.write(row, right)
    campaign.run()
    campaign.expect_results_of(NAMES)


def test_go_when_no_row_counts(campaign):
    campaign.run()
    campaign.box.plaq("campaign quarantine . measure").succeeded()
    outcome = campaign.box.plaq("campaign run .")
    assert "results/measure.h5 is removed" in outcome.err, outcome
    assert not campaign.box.exists(RESULTS)


@pytest.mark.parametrize("holder", (OF_ANOTHER_NODE, ""))
def test_wait_for_the_lease_of_the_dead(campaign, holder):
    """Nobody on this node knows that the holder is dead: its lease is watched until it is stale."""
    box = campaign.box
    campaign.write_campaign("", "lease_timeout = 1\n")
    campaign.run()
    (box / RESULTS).unlink()
    box.write("leases/results@measure.0", holder)
    campaign.run()
    campaign.expect_results_of(NAMES)
    assert not os.listdir(box / "leases")
    box.write("leases/results@measure.3", holder)
    box.plaq("campaign snapshot .").succeeded()
    assert not os.listdir(box / "leases")


def test_say_that_they_are_not_written(campaign):
    box = campaign.box
    campaign.write_campaign("", "lease_timeout = 1000\nreserve = 0\n")
    campaign.run()
    (box / RESULTS).unlink()
    box.write("leases/results@measure.0", OF_ANOTHER_NODE)
    box.plaq("campaign run . --time 2").failed(9, "results/measure.h5 is not written", "gone.1", "leases/results@measure")
