"""Setups of multigrid on disk: jobs that find, keep, refresh and refuse them, and kills in the middle."""
import os
import shutil
import signal
import time

import numpy
import pytest

from launched import Launched
from program import GENERATE, MULTIGRID, MULTIGRID_SETUP, PION, PROPAGATOR, same

FIELD = "field.000002.nersc"
FIRST, SECOND = "setups/field.000002.nersc.mg.lime", "setups/field.000004.nersc.mg.lime"
SOLVER = "tolerance = 1e-9\n"


class Setups:
    def __init__(self, propagators):
        self.box, self.propagator, self.run = propagators.box, propagators.propagator, propagators.run
        (self.box / "setups").mkdir()
        self.box.write("propagator.toml", PROPAGATOR.replace("0.11", "0.16").replace(
            SOLVER, SOLVER + 'preconditioner = "multigrid"\n' + MULTIGRID))
        self.box.write("setup.toml", MULTIGRID_SETUP)

    def setup(self, more="", ranks=1):
        return self.box.plaq("run setup.toml " + more, ranks)

    def forget_setups(self):
        shutil.rmtree(self.box / "setups")
        (self.box / "setups").mkdir()


@pytest.fixture
def jobs(propagators):
    return Setups(propagators)


def expect_says(outcome, *parts):
    outcome.succeeded()
    for part in parts:
        assert part in outcome.err, (part, outcome)


def values(numbers, name):
    return numbers[name].flatten().tolist()


def test_setups_are_kept_only_where_the_job_says_so(jobs):
    box = jobs.box
    expect_says(jobs.propagator("--set multigrid.directory="), "multigrid: 4x4x4x8, 6 vectors to 2x2x2x4")
    assert not os.listdir(box / "setups")
    without, found = box.numbers("pion.h5"), jobs.run("with", "")
    assert box.exists(FIRST) and box.exists(SECOND)
    for name in (PION, *(f"/solves/multigrid_{name}" for name in ("lattices", "rounds", "reduction"))):
        assert numpy.array_equal(without[name], found[name]), name
    assert values(found, "/solves/multigrid_lattices") == [1, 1]
    assert all(0 < rho < 0.9 for rho in values(found, "/solves/multigrid_reduction"))
    # Found, used after one probe, and left as it is: the same bits.
    file = box.bytes(FIRST)
    os.utime(box / FIRST, (0, 0))
    expect_says(jobs.propagator("--set output.file=again.h5"), FIRST + ": 6 near-null vectors of", "it was made for this operator")
    assert same(box.numbers("again.h5"), found)
    assert (box / FIRST).stat().st_mtime == 0
    # Another mass: used as well.
    expect_says(jobs.propagator("--set output.file=other.h5 --set action.kappa=0.155"), "it was made for another mass: mass")
    assert box.bytes(FIRST) == file
    shown = box.plaq(f"info {FIRST}").succeeded()
    assert "multigrid setup, single precision" in shown.out, shown


def test_setup_jobs_make_what_propagators_make(jobs):
    box, made, results = jobs.box, jobs.run("made", ""), None
    first, second = box.bytes(FIRST), box.bytes(SECOND)
    for ranks in (1, 2):
        jobs.forget_setups()
        expect_says(jobs.setup("--set output.overwrite=true", ranks), "wrote setups.h5")
        assert box.bytes(FIRST) == first
        assert box.bytes(SECOND) == second
        results = results or box.bytes("setups.h5")
        assert box.bytes("setups.h5") == results
    expect_says(jobs.setup(), "setups.h5 is complete: nothing to do")
    of_setups = box.numbers("setups.h5")
    for name in ("reduction", "rounds"):
        assert values(of_setups, f"/setups/{name}") == values(made, f"/solves/multigrid_{name}")
    assert of_setups["/setups/check_value"].size == 10
    assert (of_setups["/setups/check_value"] <= of_setups["/setups/check_limit"]).all()
    assert same(jobs.run("used", ""), made)


def test_choices_of_cycles_are_kept(jobs):
    """What a setup has chosen is in its file: other jobs, and the next field, take it from there without a probe."""
    box, more = jobs.box, "--set multigrid.refresh=true --set multigrid.dense_rows=0 "
    written = None
    for ranks in (1, 2):
        jobs.forget_setups()
        outcome = jobs.setup(more + "--set solver.solves=240 --set output.overwrite=true", ranks)
        expect_says(outcome, " smoothing steps, coarse tolerance ", " probed; an iteration leaves")
        assert outcome.err.count(" probed; ") == 1, "on the second field, too"
        written = written or (box.bytes(FIRST), box.bytes(SECOND))
        assert (box.bytes(FIRST), box.bytes(SECOND)) == written
    of_setups, used = box.numbers("setups.h5"), jobs.run("used", more)
    for name in ("smoothing_steps", "coarse_tolerance", "reduction"):
        assert values(used, f"/solves/multigrid_{name}") == values(of_setups, f"/setups/{name}"), name
    assert box.bytes(FIRST) == written[0]
    # Numbers in a job file are not chosen, and not taken from others.
    named = jobs.run("named", more + "--set multigrid.smoothing_steps=3")
    assert values(named, "/solves/multigrid_smoothing_steps") == [3, 3]
    assert values(named, "/solves/multigrid_coarse_tolerance") == values(used, "/solves/multigrid_coarse_tolerance")


def test_refreshes_from_the_field_before(jobs):
    box, refresh = jobs.box, "--set multigrid.refresh=true "
    expect_says(jobs.setup(refresh), FIRST + ": 6 near-null vectors", "are refreshed")
    second = box.bytes(SECOND)
    # The bits are equal if the first field was set up by an earlier run.
    (box / SECOND).unlink()
    expect_says(jobs.setup(refresh + "--set output.file=again.h5"), "are refreshed")
    assert box.bytes(SECOND) == second
    # A file that is there, of other links: refused, or refreshed and replaced.
    shutil.copy(box / FIRST, box / SECOND)
    jobs.setup("--set output.file=other.h5", 2).failed(4, SECOND, "another gauge field", "refresh = true")
    (box / "other.h5.journal").unlink(missing_ok=True)
    assert box.bytes(SECOND) == box.bytes(FIRST)
    expect_says(jobs.setup(refresh + "--set output.file=other.h5"), "it was made for another gauge field")
    assert box.bytes(SECOND) == second
    # One of another action is left alone.
    (box / SECOND).unlink()
    clover = refresh + ("--set output.file=clover.h5 --set action.type=clover --set action.c_sw=1.0 --set multigrid.directory=")
    (box / "of_clover").mkdir()
    jobs.setup(clover + "setups").failed(4, FIRST, "another action", "clover_spatial")
    shutil.copy(box / FIRST, box / "of_clover/field.000002.nersc.mg.lime")
    jobs.setup(clover + "of_clover").failed(4, "of_clover/field.000002", "another action")


OTHER = f"--set gauge.files={FIELD} --set output.file=other.h5 "
WALLS = ("--set action.type=domain_wall --set action.kappa= --set action.mass=0.1 --set action.m0=1.6 "
         "--set multigrid.filter_iterations=2 --set multigrid.vectors=[3] --set action.n_s=")


def test_setups_of_domain_walls(jobs):
    box, made = jobs.box, None
    for ranks in (1, 2):
        jobs.forget_setups()
        expect_says(jobs.setup(WALLS + "4 --set output.overwrite=true", ranks), "wrote setups.h5")
        made = made or (box.bytes(FIRST), box.bytes("setups.h5"))
        assert (box.bytes(FIRST), box.bytes("setups.h5")) == made
    shown = box.plaq(f"info {FIRST}").succeeded().out
    for part in ("3 near-null vectors on the even sites, of 4 slices", "operator    type = domain_wall", "rounds      0, finished"):
        assert part in shown, (part, shown)
    expect_says(jobs.propagator(OTHER + WALLS + "4"), FIRST + ": 3 near-null vectors of 0 rounds", "it was made for this operator")
    more = f"--set gauge.files={FIELD} --set output.file=more.h5 "
    jobs.setup(more + WALLS + "6", 2).failed(4, FIRST, "another action", "omega")
    jobs.setup(more + WALLS + "3 --set action.variant=borici").failed(3, "n_s", "Pauli-Villars quarks")
    assert box.bytes(FIRST) == made[0]



def test_of_another_operator_is_one_error(jobs):
    box = jobs.box
    jobs.setup().succeeded()
    good = box.bytes(FIRST)
    for more, parts in (
            ("--set action.type=clover --set action.c_sw=1.1", ("another action", "clover_spatial")),
            ("--set action.nu=0.9", ("another action", "nu 1 in the file, 0.9 here")),
            ("--set action.boundary=[1,1,1,1]", ("other boundary conditions", "boundary 1 1 1 -1 in the file")),
            ("--set multigrid.vectors=[4]", ("holds 6 near-null vectors, 4 are wanted",))):
        said = (*parts, FIRST, "not replaced", "name another directory")
        jobs.propagator(OTHER + more).failed(4, *said)
        jobs.setup(OTHER + more, 2).failed(4, *said)
        assert box.bytes(FIRST) == good
    # Setups of another lattice: the fields of one under the names of the other.
    box.write("generate.toml", GENERATE)
    box.plaq("run generate.toml --set lattice.extents=[4,4,8,8] --set output.prefix=wide").succeeded()
    (box / "wide.000002.nersc").rename(box / FIELD)
    jobs.propagator(OTHER).failed(4, FIRST, "another lattice", "4x4x4x8 in the file, 4x4x8x8 here")
    assert not box.exists("other.h5")


def test_a_damaged_one_is_one_error(jobs):
    """Nothing is lost."""
    box = jobs.box
    jobs.setup().succeeded()
    good = box.bytes(FIRST)

    def flipped(at):
        content = bytearray(good)
        content[at] ^= 1
        return bytes(content)

    for bad, what in ((flipped(len(good) // 2), "the near-null vectors are damaged"), (flipped(300), ""),
                      (good[:len(good) // 2], ""), (b"", "")):
        box.write(FIRST, bad)
        for ranks in (1, 2):
            jobs.propagator(OTHER, ranks).failed(4, FIRST, what)
        assert box.bytes(FIRST) == bad
    assert not box.exists("other.h5")


def test_what_cannot_be_written_is_said_at_once(jobs):
    box = jobs.box
    box.write("pion", "a file")
    for directory in ("nowhere", "pion"):
        there = f"--set multigrid.directory={directory}"
        jobs.propagator(there).failed(5, f"{directory}/field.000002.nersc.mg.lime")
        jobs.setup(there, 2).failed(5, f"{directory}/field.000002.nersc.mg.lime")
    jobs.setup("--set multigrid.directory=").failed(3, "missing key 'directory' in [multigrid]")
    jobs.propagator("--set multigrid.directory= --set multigrid.refresh=true").failed(3, "missing key 'directory' in [multigrid]")
    (box / "b").mkdir()
    shutil.copy(box / "field.000004.nersc", box / "b" / FIELD)
    jobs.setup(f"--set 'gauge.files=[\"{FIELD}\", \"b/{FIELD}\"]'").failed(3, "would both have", FIRST)
    jobs.setup(f"--set output.file={FIRST}").failed(3, FIRST, "a name of its own")


def test_gpus_that_are_not_there_are_said_at_once(jobs):
    """Said before anything is computed: no gauge field has been read."""
    if jobs.box.plaq("selftest --location gpu").code != 8:
        pytest.skip("there are some")
    coarse = "--set 'multigrid.coarse_locations=[\"gpu\"]'"
    for outcome in (jobs.propagator(coarse, 2), jobs.setup(coarse)):
        outcome.failed(8, "coarse_locations = \"gpu\" was asked for, but ")
        assert "plaquette" not in outcome.err, outcome
    jobs.propagator("--set run.location=gpu").failed(8, "location = \"gpu\" was asked for, but ")


def test_kills_change_no_bit(jobs):
    """kill -9 after rounds, a little later, and while a file is written; SIGTERM too. The same files as without."""
    box, more = jobs.box, "--set multigrid.filter_iterations=20 --set multigrid.refresh=true "
    jobs.propagator(more).succeeded()
    calm = {file: box.bytes(file) for file in ("pion.h5", FIRST, SECOND)}

    def being_written():
        return any(name.endswith(".part") for name in os.listdir(box / "setups"))

    points = (lambda run: "multigrid: 0 rounds" in run.err(), lambda run: "multigrid: 1 rounds" in run.err(),
              lambda run: "are refreshed" in run.err(), lambda run: being_written(),
              lambda run: "multigrid: 0 rounds" in run.err() and being_written())
    in_first = in_second = halves = 0
    for kill in range(10):
        (box / "pion.h5").unlink(missing_ok=True)
        jobs.forget_setups()
        point, ranks = kill % len(points), 2 if kill % 4 == 3 else 1
        with Launched(box, "run propagator.toml " + more, ranks) as run:
            run.waits_for(lambda: points[point](run), 0.0001)
            if point < 3:
                time.sleep(0.0007 * kill)
            if kill in (5, 8):  # obeyed within the round; mpirun ends its ranks at SIGTERM
                run.signal(signal.SIGTERM if kill == 5 else signal.SIGUSR1)
                assert run.ends_within(60)
                assert run.code() == 9 or box.exists("pion.h5"), run.err()
            else:
                if ranks == 1:
                    run.signal(signal.SIGKILL)  # at once
                run.kill()

        def cut_short(file):
            return box.exists(file) and box.bytes(file) != calm[file]

        in_first += cut_short(FIRST)
        in_second += not cut_short(FIRST) and (cut_short(SECOND) or not box.exists(SECOND))
        halves += being_written()
        jobs.propagator(more, kill % 2 + 1).succeeded()
        for file, content in calm.items():
            assert box.bytes(file) == content, (kill, file)
        assert not being_written()
    print(f"10 kills: {in_first} in the setup of the first field, {in_second} later, {halves} that left half a file")
    assert in_first > 3
    assert in_second > 0
