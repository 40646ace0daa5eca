"""Studies of solvers with multigrid: setups that are kept, and one for all masses."""
import numpy
import pytest

from launched import Launched
from program import MULTIGRID_SETUP
from study import Study

FIRST, SECOND = "setups/field.000002.nersc.mg.lime", "setups/field.000004.nersc.mg.lime"
JOB = """job = "study"
[gauge]
files = ["field.*.nersc"]
[action]
kappas = [0.16, 0.14, 0.15]
[study]
targets = []
memory_limit = false
solvers = [
  "bicgstab, double 18",
  "gcr(16) with multigrid, single 12 in double 18, defect correction 1e-4",
]
right_hand_sides = [2]
tolerance = 1e-9
[multigrid]
blocks = ["2x2x2x2"]
vectors = [6]
[output]
file = "study.h5"
[run]
location = "host"
threads = 1
"""
FIELDS, MASSES, SOLVERS = 2, 3, 2
ONE_FIELD = "--set gauge.files=field.000002.nersc "
KEPT = "--set multigrid.directory=setups "
ONE_SETUP = "--set 'multigrid.setups=first mass' "


@pytest.fixture
def study(field_box):
    (field_box / "setups").mkdir()
    return Study(field_box, JOB)


def numbers(study, more="", ranks=1):
    study.forget()
    study.run(more, ranks).succeeded()
    return study.numbers()


def expect_same(found, expected):
    """All but what a clock says; NaN is what solvers without multigrid have."""
    for name in ("iterations", "outcome", "true_residual", "multigrid_reduction", "multigrid_rounds"):
        assert numpy.array_equal(found[f"/rows/{name}"], expected[f"/rows/{name}"], equal_nan=True), name


def expect_converged(found):
    assert (found["/rows/outcome"] == 0).all()  # the first name
    assert (found["/rows/true_residual"] <= 1e-9).all()


def test_are_kept_as_those_of_other_jobs(study):
    """The setups of the first mass, as a setup job makes them; later masses take what is there."""
    box = study.box
    without = numbers(study)
    assert not box.exists(FIRST)
    made = numbers(study, KEPT)
    expect_converged(made)
    first, second = box.bytes(FIRST), box.bytes(SECOND)
    assert first
    iterations = "/rows/iterations"
    assert numpy.array_equal(made[iterations][:SOLVERS], without[iterations][:SOLVERS])  # first field, first mass
    expect_same(numbers(study, KEPT, 2), made)
    assert box.bytes(FIRST) == first
    assert box.bytes(SECOND) == second
    box.write("setup.toml", MULTIGRID_SETUP)
    (box / "others").mkdir()
    box.plaq("run setup.toml --set solver.inner_links=12 --set multigrid.directory=others").succeeded()
    assert box.bytes("others/field.000002.nersc.mg.lime") == first
    # Refreshed from the field before.
    (box / SECOND).unlink()
    study.forget()
    refreshed = study.run(KEPT + "--set multigrid.refresh=true").succeeded()
    assert "are refreshed" in refreshed.err, refreshed
    assert box.exists(SECOND)


@pytest.mark.parametrize("more, parts", (
    ("--set multigrid.refresh=true", ("missing key 'directory' in [multigrid]", "refreshed")),
    ("--set 'multigrid.setups=some mass'", ("setups", "\"first mass\"")),
    (KEPT + "--set output.file=" + FIRST, (FIRST, "a name of its own"))))
def test_wrong_keys_are_named(study, more, parts):
    study.run(more).failed(3, *parts)


def test_setups_of_no_use_are_one_error(study):
    box, other = study.box, KEPT + "--set output.file=other.h5 "
    numbers(study, KEPT)
    study.run(other + "--set multigrid.vectors=[4]", 2).failed(4, FIRST, "holds 6 near-null vectors, 4 are wanted", "not replaced")
    bad = bytearray(box.bytes(FIRST))
    bad[len(bad) // 2] ^= 1
    box.write(FIRST, bytes(bad))
    study.run(other).failed(4, FIRST, "the near-null vectors are damaged")
    assert box.bytes(FIRST) == bad


def test_one_serves_all_masses(study):
    each, found = numbers(study), numbers(study, ONE_SETUP)
    expect_converged(found)

    def by_mass(results, name):
        """[field, mass, solver]"""
        return results[f"/rows/{name}"].reshape(FIELDS, MASSES, SOLVERS)

    own, shared = by_mass(each, "iterations"), by_mass(found, "iterations")
    assert numpy.array_equal(shared[:, 0], own[:, 0])
    assert (shared[:, 1:, 1] <= own[:, 1:, 1] + 4).all()
    assert (by_mass(found, "setup_seconds")[:, 1:, 1] > 0).all()
    rounds = by_mass(found, "multigrid_rounds")[:, :, 1]
    assert (rounds == rounds[:, :1]).all()
    for ranks in (2, 4):
        expect_same(numbers(study, ONE_SETUP, ranks), found)
    # With files: the first mass is looked up in them, no other one.
    expect_same(numbers(study, ONE_SETUP + KEPT), found)
    file = study.box.bytes(FIRST)
    expect_same(numbers(study, ONE_SETUP + KEPT), found)
    assert study.box.bytes(FIRST) == file


@pytest.mark.parametrize("ranks", (1, 2))
def test_kills_change_no_bit(study, ranks):
    """A run that goes on behind the first mass makes its setup again."""
    more = ONE_SETUP + ONE_FIELD + "--set study.samples=40 "
    calm = numbers(study, more)
    for _ in range(7):
        study.forget()
        with Launched(study.box, "run study.toml " + more, ranks) as run:
            run.waits_for(lambda: "mass -0.428571: bicgstab" in run.err())
        if not study.box.exists("study.h5"):
            break
    else:
        pytest.fail("it was always done before")
    on = study.run(more, ranks).succeeded()
    assert " of 3 tasks are done and kept" in on.err, on
    expect_same(study.numbers(), calm)


def test_batches_of_any_size(study):
    """More right-hand sides than a propagator has columns: each as in small batches."""
    more = ONE_FIELD + "--set action.kappas=[0.16] --set study.sources=48 --set study.right_hand_sides="
    alone = numbers(study, more + "[1]")
    expect_converged(alone)
    for batch, ranks in ((16, 1), (24, 1), (48, 1), (48, 2)):
        found = numbers(study, f"{more}[{batch}]", ranks)
        expect_converged(found)
        # A row for each batch of each solver, with the most of its right-hand sides.
        for name in ("/rows/iterations", "/rows/true_residual"):
            assert found[name].shape == (SOLVERS * 48 // batch,)
            assert numpy.array_equal(found[name], alone[name].reshape(-1, batch).max(axis=1)), (name, batch, ranks)


def test_setups_are_for_the_solves_of_the_job(study):
    """For all columns of all sources of a field; those of a study as if for one propagator."""
    two = study.box.plaq("run propagator.toml --set solver.preconditioner=multigrid --set multigrid.blocks=2x2x2x2 "
                         "--set multigrid.vectors=[4] --set source.count=2 --set source.shift=[0,0,0,1] " + ONE_FIELD).succeeded()
    assert "rounds for 24 solves" in two.err, two
    of_study = study.run(ONE_FIELD).succeeded()
    assert "rounds for 12 solves" in of_study.err, of_study
