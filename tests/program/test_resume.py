"""Jobs that are killed at any moment and run again end with the very files of a run that nobody disturbed. PLAQ_KILLS=100 kills each
job a hundred times instead of a few; it says in which phases."""
import os
import random
import re
import signal
import time

import pytest

from launched import Launched
from program import MEASURE, Sandbox

# Six fields of 4x4x4x8, a checkpoint after every sweep.
CHAIN = """job = "generate"
[lattice]
extents = [4, 4, 4, 8]
[gauge]
beta = 5.7
[update]
seed = 11
overrelaxation = 1
thermalization = 10
separation = 6
configurations = 6
reunitarize_every = 3
[output]
prefix = "field"
measure_every = 2
checkpoint_minutes = 0
[run]
location = "host"
threads = 1
"""
MANY_FIELDS = ("--set update.thermalization=0 --set update.separation=1 --set update.configurations=40 "
               "--set output.measure_every=0 --set output.checkpoint_minutes=10 ")
# Two fields, two sources on each, their propagators too.
TWO_FIELDS = ("--set update.thermalization=1 --set update.separation=1 --set update.configurations=2 "
              "--set output.measure_every=0 --set output.checkpoint_minutes=10 ")
SOLVE = """job = "propagator"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.13
[source]
count = 2
shift = [1, 2, 3, 3]
[solver]
tolerance = 1e-11
[output]
file = "pion.h5"
propagators = "scidac"
[run]
location = "host"
threads = 1
"""
FLOW = "--set 'measure.observables=[\"plaquette\", \"clover\", \"flow\"]' --set flow.t_max=0.8 "
PATIENCE = 300  # seconds for a run that nobody disturbs


def kills(otherwise):
    return int(os.environ.get("PLAQ_KILLS") or otherwise)


def is_output(name):
    """What a job is for: no journal, checkpoint or hidden file."""
    return not name.startswith(".") and name.endswith((".nersc", ".h5", ".lime"))


def outputs(box):
    return {name: box.bytes(name) for name in os.listdir(box.path) if is_output(name)}


def expect_nothing_else(box):
    """Nothing but output, job files and what the test itself leaves."""
    for name in os.listdir(box.path):
        assert is_output(name) or name.endswith(".toml") or name == ".tmp" or name.startswith(".launched"), name


def expect_same(found, expected):
    assert found.keys() == expected.keys()
    for name, content in found.items():
        assert content == expected[name], f"{name} has other bytes"


def works(run):
    """Whether a run has begun to work; before, MPI starts."""
    return "process grid" in run.err()


def phase_of(box, run):
    """Where a run was when it was killed, by what it had said and what is in its directory."""
    for name in os.listdir(box.path):
        if name.endswith(".part"):
            return "writing a checkpoint" if "checkpoint" in name else "writing results" if ".h5." in name else "writing a field"
    return "computing" if works(run) else "starting"


class Pair:
    """A directory where nobody disturbs runs, and one where they are killed."""

    def __init__(self, path):
        self.calm, self.wild = Sandbox(path / "calm"), Sandbox(path / "wild")
        for box in (self.calm, self.wild):
            box.path.mkdir()
            box.write("generate.toml", CHAIN)
            box.write("measure.toml", MEASURE)
            box.write("propagator.toml", SOLVE)
        self.last = None  # run

    def run(self, box, arguments, ranks=1):
        """The seconds that it took."""
        with Launched(box, arguments, ranks) as self.last:
            assert self.last.ends_within(PATIENCE)
            assert self.last.code() == 0, self.last.err()
            return self.last.age()

    def make_fields(self, more):
        """The same ones in both directories."""
        self.run(self.calm, "run generate.toml " + more)
        for name, content in outputs(self.calm).items():
            if name.endswith(".nersc"):
                self.wild.write(name, content)
        (self.calm / "field.history.h5").unlink()

    def expect_whole(self, expected):
        """Every file under its final name is that of the undisturbed run, whenever it is there; a checkpoint is whole. No more than one
        temporary is there: each run sweeps those of earlier ones."""
        for name, content in outputs(self.wild).items():
            assert content == expected[name], name
        temporaries = [name.rsplit(".", 2)[0] for name in os.listdir(self.wild.path) if name.endswith(".part")]
        assert len(temporaries) == len(set(temporaries)), temporaries
        if self.wild.exists("field.checkpoint"):
            self.wild.plaq("info field.checkpoint").succeeded()

    def kill_and_finish(self, arguments, ranks, count, seconds, expected):
        """Kills `count` runs at moments spread over `seconds`; ranks as given, in turn."""
        chosen, killed, completed, phases, i = random.Random(20240607), 0, 0, {}, -1
        while killed < count:
            i += 1
            with Launched(self.wild, arguments, ranks[i % len(ranks)]) as run:
                begin = 0
                if i % 4:  # most of them while they work, and not while MPI starts
                    run.waits_for(lambda: works(run))
                    begin = run.age()
                if run.ends_within(begin + chosen.uniform(0.02, 0.95) * max(0.02, seconds - begin)):
                    assert run.code() == 0, run.err()
                    expect_same(outputs(self.wild), expected)
                    completed += 1  # and the next one begins again
                    seconds *= 0.9  # the machine was busier when they were taken
                    for name in expected:
                        if "generate.toml" in arguments or not name.endswith(".nersc"):
                            (self.wild / name).unlink()
                    continue
                run.kill()
                phase = phase_of(self.wild, run)
            phases[phase] = phases.get(phase, 0) + 1
            killed += 1
            seconds *= 1.03
            self.expect_whole(expected)
        print(f"{killed} runs killed, {completed} completed on the way; {phases}")
        self.run(self.wild, arguments, ranks[-1])
        expect_same(outputs(self.wild), expected)
        expect_nothing_else(self.wild)


@pytest.fixture
def pair(tmp_path):
    return Pair(tmp_path)


def test_generate_is_killed(pair):
    seconds = pair.run(pair.calm, "run generate.toml")
    expected = outputs(pair.calm)
    assert len(expected) == 7
    pair.kill_and_finish("run generate.toml", (1,), kills(6), seconds, expected)


def test_generate_on_two_ranks_is_killed(pair):
    pair.run(pair.calm, "run generate.toml")
    expected = outputs(pair.calm)
    seconds = pair.run(pair.wild, "run generate.toml", 2)
    expect_same(outputs(pair.wild), expected)
    for name in expected:
        (pair.wild / name).unlink()
    pair.kill_and_finish("run generate.toml", (2, 1, 2), kills(3), seconds, expected)


def test_measure_is_killed(pair):
    pair.make_fields(MANY_FIELDS)
    seconds = pair.run(pair.calm, "run measure.toml")
    lines = pair.last.out()
    pair.kill_and_finish("run measure.toml", (1,), kills(6), seconds, outputs(pair.calm))
    # Unless the last kill came after the output was there.
    assert "nothing to do" in pair.last.err() or pair.last.out() == lines
    longer = pair.run(pair.wild, "run measure.toml --set output.overwrite=true", 2)
    (pair.wild / "measured.h5").unlink()
    pair.kill_and_finish("run measure.toml", (2, 1, 2), kills(3), longer, outputs(pair.calm))


def test_measure_with_flow_is_killed(pair):
    pair.make_fields(TWO_FIELDS + "--set update.configurations=4")
    command = "run measure.toml " + FLOW
    seconds = pair.run(pair.calm, command)
    pair.kill_and_finish(command, (1, 2, 1), kills(4), seconds, outputs(pair.calm))


def test_propagator_is_killed(pair):
    pair.make_fields(TWO_FIELDS)
    seconds = pair.run(pair.calm, "run propagator.toml")
    expected = outputs(pair.calm)
    assert len(expected) == 2 + 1 + 4
    pair.kill_and_finish("run propagator.toml", (1, 2, 1), kills(6), seconds, expected)


def test_an_all_mode_average_is_killed(pair):
    pair.make_fields(TWO_FIELDS)
    for box in (pair.calm, pair.wild):
        box.write("average.toml", SOLVE.replace("shift = [1, 2, 3, 3]", 'positions = "random"\nposition_seed = 4').replace(
            'propagators = "scidac"\n', "").replace("count = 2", "count = 4") + "[approximation]\nexact = 2\niterations = 6\n")
    seconds = pair.run(pair.calm, "run average.toml")
    expected = outputs(pair.calm)
    assert len(expected) == 2 + 1
    pair.kill_and_finish("run average.toml", (1, 2, 1), kills(4), seconds, expected)


def test_a_propagator_job_is_stopped_after_each_source(pair):
    """Sources enough that a signal comes in time, however late a launcher passes it on."""
    pair.make_fields(TWO_FIELDS)
    job, kept = "run propagator.toml --set source.count=16", 0
    pair.run(pair.calm, job)
    expected = outputs(pair.calm)
    for ranks in (1, 2, 1):
        with Launched(pair.wild, job, ranks) as run:
            run.waits_for(lambda: "plaquette" in run.err())
            run.signal(signal.SIGUSR1)  # during a solve of this run
            assert run.ends_within(PATIENCE)
            if run.code() == 0:  # a busy machine: the signal came too late, and there is nothing left to stop
                assert kept > 0, "no signal came in time"
                expect_same(outputs(pair.wild), expected)
                return
            assert run.code() == 9, run.err()
            said = re.findall(r"(\d+) of 32 sources of all fields are done and kept", run.err())
            assert said, run.err()
            assert kept < int(said[-1]) < 32, run.err()
            kept = int(said[-1])
        assert not pair.wild.exists("pion.h5")
        pair.expect_whole(expected)
    # A propagator that is gone is computed again, the others are not.
    (pair.wild / "field.000001.nersc.s1.prop.lime").unlink()
    pair.run(pair.wild, job)
    assert f"going on: {kept - 1} of 32 sources" in pair.last.err(), pair.last.err()
    expect_same(outputs(pair.wild), expected)
    expect_nothing_else(pair.wild)


def test_signals_stop_and_the_next_run_goes_on(pair):
    """A chain of a few seconds, so that signals come in time."""
    job = ("run generate.toml --set update.separation=600 --set update.configurations=2 --set output.measure_every=100 "
           "--set output.checkpoint_minutes=10")
    pair.run(pair.calm, job)
    expected, chosen, stopped = outputs(pair.calm), random.Random(7), 0
    # SIGTERM goes to single ranks only: a launcher ends itself by it.
    for number, ranks in ((signal.SIGUSR1, 1), (signal.SIGTERM, 1), (signal.SIGUSR1, 2), (signal.SIGINT, 1), (signal.SIGUSR1, 1)):
        with Launched(pair.wild, job, ranks) as run:
            run.waits_for(lambda: works(run))  # before, a signal ends it as ever
            time.sleep(0.02 + 0.1 * chosen.uniform(0, 0.5))
            run.signal(number)
            assert run.ends_within(PATIENCE)
            err = run.err()
            if run.code() == 0:
                break
            assert run.code() == 9, err
        stopped += 1
        assert "stopped by SIG" in err, err
        assert "goes on from there" in err, err
        # The field that was saved last, of sweep 10 or 600, is as good as a checkpoint.
        assert pair.wild.exists("field.checkpoint") or "saved after 10 of" in err or "saved after 600 of" in err, err
        pair.expect_whole(expected)
    assert stopped >= 2
    pair.run(pair.wild, job, 2)
    expect_same(outputs(pair.wild), expected)
    expect_nothing_else(pair.wild)


def test_a_measurement_is_stopped(pair):
    pair.make_fields(MANY_FIELDS)
    pair.run(pair.calm, "run measure.toml")
    for _ in range(50):
        with Launched(pair.wild, "run measure.toml") as run:
            run.waits_for(run.out)
            run.signal(signal.SIGUSR1)
            assert run.ends_within(PATIENCE)
            if run.code() != 0:
                assert run.code() == 9, run.err()
                assert "of 40 fields are done and kept" in run.err(), run.err()
                break
            (pair.wild / "measured.h5").unlink()  # a busy machine: it ended before the signal came
    else:
        pytest.fail("no signal came in time")
    assert not pair.wild.exists("measured.h5")
    pair.run(pair.wild, "run measure.toml", 2)
    expect_same(outputs(pair.wild), outputs(pair.calm))
    expect_nothing_else(pair.wild)
