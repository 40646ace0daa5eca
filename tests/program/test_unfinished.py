"""What a run does with what it finds: complete outputs, journals of this job and of others, damaged journals."""
import os
import signal
import threading

import pytest

from launched import Launched
from program import GENERATE, MEASURE


class Jobs:
    def __init__(self, box):
        self.box = box
        box.write("generate.toml", GENERATE)
        box.write("measure.toml", MEASURE)

    def generate(self, more="", ranks=1, **how):
        return self.box.plaq("run generate.toml " + more, ranks, **how)

    def measure(self, more="", ranks=1):
        return self.box.plaq("run measure.toml " + more, ranks)

    def stop_generate(self, more, file="field.000002.nersc"):
        """A generate job that was stopped once `file` was there, with a checkpoint. Where the machine is so busy that the job ends
        before the signal comes, its files go and it is run again."""
        for _ in range(50):
            with Launched(self.box, "run generate.toml --set output.checkpoint_minutes=0 " + more) as run:
                run.waits_for(lambda: self.box.exists(file))
                if not run.ended():
                    run.signal(signal.SIGUSR1)
                assert run.ends_within(60)
                if run.code() != 0:
                    assert run.code() == 9, run.err()
                    assert self.box.exists("field.checkpoint")
                    return
            for name in self.box.names("field.*"):
                (self.box / name).unlink()
        pytest.fail("no signal came in time")

    def add_field(self, name):
        """One of another chain."""
        self.generate("--set update.seed=12 --set update.configurations=1 --set output.prefix=other").succeeded()
        (self.box / "other.000002.nersc").rename(self.box / name)

    def damage(self, file, at, bit):
        content = bytearray(self.box.bytes(file))
        content[at if at is not None else len(content) // 2] ^= bit
        self.box.write(file, bytes(content))

    def fail_measure(self):
        """A measure job that fails at the second of its fields: a journal with one."""
        good = self.box.bytes("field.000004.nersc")
        self.damage("field.000004.nersc", -1000, 1)
        self.measure("", 2).failed(4, "field.000004.nersc", "checksum", "1 of 2 fields are done", "goes on")
        assert self.box.exists("measured.h5.journal")
        self.box.write("field.000004.nersc", good)


@pytest.fixture
def jobs(box):
    return Jobs(box)


def test_complete_jobs_are_left_alone(jobs):
    box = jobs.box
    jobs.generate().succeeded()
    jobs.measure().succeeded()
    files = ("field.000002.nersc", "field.history.h5", "measured.h5")
    for file in files:
        os.utime(box / file, (0, 0))
    for ranks in (1, 2):
        again = jobs.generate("--set run.threads=2", ranks).succeeded()
        assert "field.history.h5 is complete: nothing to do" in again.err, again
        assert "measured.h5 is complete: nothing to do" in jobs.measure("", ranks).err
    for file in files:
        assert (box / file).stat().st_mtime == 0, file
    before = box.bytes("measured.h5")
    jobs.measure("--set output.overwrite=true").succeeded()
    assert (box / "measured.h5").stat().st_mtime != 0
    assert box.bytes("measured.h5") == before

    jobs.measure("--set 'measure.observables=[\"plaquette\"]'").failed(5, "measured.h5", "exists", "overwrite")
    jobs.add_field("field.000003.nersc")
    grown = jobs.measure().succeeded()  # the pattern means one more
    assert "2 of 3 fields are done" in grown.err, grown
    (box / "field.000002.nersc").unlink()
    jobs.generate().failed(5, "field.000002.nersc is missing", "overwrite = true")


def test_a_failed_measurement_goes_on(jobs):
    box = jobs.box
    jobs.generate().succeeded()
    jobs.measure().succeeded()
    calm = box.bytes("measured.h5")
    (box / "measured.h5").unlink()
    jobs.fail_measure()
    # Results of another job: the keys are named.
    jobs.measure("--set 'measure.observables=[\"plaquette\"]'").failed(
        5, "measured.h5.journal", "[measure] observables", "[\"plaquette\"] here", "[gauge] files", "Deleting")
    on = jobs.measure("--set 'comms.force_partition=[\"t\"]' --set output.overwrite=true", 2).succeeded()
    assert "1 of 2 fields are done and kept" in on.err, on
    assert "field.000002.nersc: plaquette" not in on.err, on  # not read again
    assert box.bytes("measured.h5") == calm
    assert not box.exists("measured.h5.journal")


def test_a_field_that_changed_is_measured_again(jobs):
    jobs.generate().succeeded()
    jobs.fail_measure()
    jobs.add_field("field.000002.nersc")
    on = jobs.measure().succeeded()
    assert "field.000002.nersc: plaquette" in on.err, on


def test_the_first_field_that_fails_leaves_no_journal(jobs):
    jobs.generate().succeeded()
    jobs.damage("field.000002.nersc", -1000, 1)
    jobs.measure().failed(4, "checksum")
    assert not jobs.box.exists("measured.h5.journal")


def test_a_run_that_ends_is_waited_for(jobs):
    """One that is going away is waited for."""
    jobs.stop_generate("--set update.separation=1000")
    with Launched(jobs.box, "run generate.toml --set update.separation=1000 --set update.configurations=1000") as running:
        running.waits_for(lambda: "going on after" in running.err())
        end = threading.Timer(1.5, running.kill)
        end.start()
        # Found when that one has ended: not in use, but of a job of more configurations.
        jobs.generate("--set update.separation=1000", environment={"PLAQ_LOCK_SECONDS": "30"}).failed(
            5, "configurations = 1000", "raised")
        end.join()


def test_two_runs_at_once(jobs):
    jobs.stop_generate("--set update.separation=1000")
    with Launched(jobs.box, "run generate.toml --set update.separation=100000") as first:  # another job: fails at once
        assert first.ends_within(60)
        assert first.code() == 5
    with Launched(jobs.box, "run generate.toml --set update.separation=1000 --set update.configurations=1000") as running:
        running.waits_for(lambda: "going on after" in running.err())
        jobs.generate("--set update.separation=1000", 2).failed(5, "field.journal", "another run of this job is using it")


def test_configurations_may_be_raised(jobs):
    box, more = jobs.box, "--set update.separation=30 --set update.configurations="
    jobs.generate(more + "3 --set output.prefix=calm").succeeded()
    jobs.stop_generate(more + "2", "field.checkpoint")
    jobs.generate(more + "1").failed(5, "field.journal", "configurations = 2", "raised")
    box.write("field.000062.nersc", "of somebody else")
    jobs.generate(more + "3").failed(5, "field.000062.nersc", "exists")
    (box / "field.000062.nersc").unlink()
    jobs.generate(more + "3", 2).succeeded()
    for number in ("000002", "000032", "000062"):
        assert box.bytes(f"field.{number}.nersc") == box.bytes(f"calm.{number}.nersc"), number


def test_damaged_state_is_computed_again(jobs):
    box, more = jobs.box, "--set update.separation=60 "
    jobs.generate(more + "--set output.prefix=calm").succeeded()

    def finish(ranks):
        jobs.generate(more, ranks).succeeded()
        for name in (".000002.nersc", ".000062.nersc"):
            assert box.bytes("field" + name) == box.bytes("calm" + name), name
        assert not box.exists("field.journal")
        assert not box.exists("field.checkpoint")
        for name in (".000002.nersc", ".000062.nersc", ".history.h5"):
            (box / ("field" + name)).unlink()

    for file in ("field.checkpoint", "field.journal", "field.000002.nersc"):
        jobs.stop_generate(more)
        jobs.damage(file, None, 4)
        if file.endswith(".nersc"):
            (box / "field.checkpoint").unlink()
        finish(1)
    jobs.stop_generate(more)
    (box / "field.000002.nersc").unlink()
    finish(2)
    box.write("field.journal", "not a journal")
    jobs.generate().failed(5, "field.journal", "is not a journal")
