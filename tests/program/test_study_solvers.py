"""Studies of whole solves from end to end: rows, any number of ranks, kills and stops."""
import signal

import pytest

from launched import Launched
from study import Study

JOB = """job = "study"
[gauge]
files = ["field.*.nersc"]
[action]
masses = [0.6, 0.2, 0.35]
[study]
targets = []
memory_limit = false
solvers = [
  "bicgstab, double 18",
  "cg, double 18",
  "bicgstab, half 12 in double 18, reliable updates 0.1",
  "bicgstab, single 8 in double 18, defect correction 1e-3",
  "bicgstab, single 12",
]
right_hand_sides = [2]
tolerance = 1e-11
[output]
file = "study.h5"
json = "study.json"
overwrite = true
[run]
location = "host"
threads = 1
"""
FIELDS = ("field.000002.nersc", "field.000004.nersc")
MASSES = (0.6, 0.2, 0.35)
SOLVERS = 5
ONE_FIELD = f"--set gauge.files={FIELDS[0]} "


@pytest.fixture
def study(field_box):
    return Study(field_box, JOB)


def without_times(rows):
    """All but what a clock says, and where."""
    times = {"seconds", "seconds_least", "seconds_most", "flops_per_second", "setup_seconds", "speed_up", "process_grid", "ranks",
             "transport", "samples"}
    return [{key: value for key, value in row.items() if key not in times} for row in rows]


def test_rows_hold_what_was_found(study):
    outcome = study.run().succeeded()
    found = iter(study.rows())
    for field in FIELDS:
        iterations = []
        for mass in MASSES:
            solvers = [next(found) for _ in range(SOLVERS)]
            iterations.append([row["iterations"] for row in solvers])
            for row in solvers:
                assert (row["configuration"], row["mass"], row["right_hand_sides"], row["source"]) == (field, mass, 2, 0)
                for positive in ("seconds", "setup_seconds", "flops", "bytes", "inner_applications"):
                    assert row[positive] > 0, positive
                assert row["outer_applications"] >= 0
            for row in solvers[:-1]:
                assert row["outcome"] == "converged"
                assert 1e-15 < row["true_residual"] <= 1e-11 * 1.000001
                assert row["speed_up"] == pytest.approx(solvers[0]["seconds_least"] / row["seconds_least"], rel=0, abs=1e-9)
            # Single precision alone stands far above: a finding.
            assert solvers[4]["outcome"] != "converged"
            assert 1e-9 < solvers[4]["true_residual"] < 1e-5
            assert "speed_up" not in solvers[4]
            assert solvers[2]["updates"] >= 6  # eleven decades, at least one an update
            assert solvers[1]["iterations"] > solvers[0]["iterations"]  # BiCGstab has two applications each
        heavy, light, middle = iterations
        for solver in range(2):
            assert heavy[solver] < middle[solver] < light[solver], solver
        # An iteration more or less by rounding inside.
        assert heavy[2] <= middle[2] <= light[2]
        assert heavy[2] < light[2]
    assert not list(found)
    for column in ("iterations", "residual", "speed-up", "bicgstab, single 8 in double 18, defect correction 0.001"):
        assert column in outcome.out, (column, outcome)
    info = study.box.plaq("info --all study.h5").succeeded()
    for part in ("0.6 0.2 0.35", "bicgstab, single 8 in double 18, defect correction 0.001", "plaquette"):
        assert part in info.out, (part, info)


def test_stand_beside_operators(study):
    """Operators on the same field, beside solves; also solves on random links."""
    more = ("--set 'study.targets=[\"hop\"]' --set 'study.storages=[\"double 18\"]' --set study.samples=1 "
            "--set 'study.solvers=[\"cg, double 18\"]' --set action.masses=[0.6] ")
    study.run(more).succeeded()
    found = study.rows()
    assert [row["target"] for row in found] == ["wilson_hop", "cg, double 18"] * 2
    assert found[0]["configuration"] == FIELDS[0]
    assert found[0]["checksum"] != found[2]["checksum"]
    random = more + "--set gauge.files=[] --set 'study.lattices=[\"4x4x4x8\"]' "
    study.run(random).succeeded()
    found = study.rows()
    assert len(found) == 2
    assert found[1]["outcome"] == "converged"
    assert "configuration" not in found[1]
    study.run(random, 2).succeeded()
    assert study.rows()[1]["checksum"] == found[1]["checksum"]


@pytest.mark.parametrize("more, numbers", (
    ("", (2, 4)), ("--set action.type=clover --set action.c_sw=1.1 --set study.preconditioning=even-odd-asymmetric ", (2, 4)),
    ("--set study.preconditioning=none ", (2,))))
def test_any_number_of_ranks_and_any_batch_find_the_same(study, more, numbers):
    study.run(ONE_FIELD + more).succeeded()
    expected = without_times(study.rows())
    for ranks in numbers:
        study.run(ONE_FIELD + more, ranks).succeeded()
        assert without_times(study.rows()) == expected, ranks
    study.run(ONE_FIELD + more + "--set study.right_hand_sides=[1] --set study.sources=2 --set study.samples=2 ", 2).succeeded()
    alone = study.rows()
    assert len(alone) == 2 * len(expected)
    for first, second, both in zip(alone[::2], alone[1::2], expected):
        assert second["source"] == 1
        for name in ("iterations", "updates", "true_residual"):
            assert max(first[name], second[name]) == both[name], name


def test_solutions_of_several_grids_are_compared(study):
    study.run(ONE_FIELD + "--set study.ranks=[1,2]", 2).succeeded()
    assert len(study.rows()) == 2 * len(MASSES) * SOLVERS


def test_a_first_solver_that_fails_is_a_warning(study):
    outcome = study.run("--set study.max_iterations=3 " + ONE_FIELD, 2).succeeded()
    assert "the first solver did not get there" in outcome.err, outcome
    for row in study.rows():
        assert row["outcome"] == "maximum of iterations"
        assert row["iterations"] == 3
        assert "speed_up" not in row


class Interrupted:
    """A study of one field, ended at its second mass, when the first one is in the journal. Where the machine is so busy, or so fast,
    that the job is done before, it is run again, at last with more to do."""

    def __init__(self, study, ranks, end):
        self.study = study
        for samples in (2, 32, 128):
            self.more = f"{ONE_FIELD} --set study.right_hand_sides=[8] --set study.samples={samples} --set output.overwrite=false "
            for _ in range(7):
                study.forget()
                with Launched(study.box, "run study.toml " + self.more, ranks) as self.run:
                    self.run.waits_for(lambda: "mass 0.2: bicgstab" in self.run.err())
                    end(self.run)
                if not study.box.exists("study.h5"):
                    return
        pytest.fail("it was always done before:\n" + self.run.err())

    def expect_goes_on(self, ranks):
        """With the next mass, to the numbers of a run that was not interrupted."""
        study = self.study
        study.run(self.more + "--set output.file=calm.h5 --set output.json=calm.json").succeeded()
        outcome = study.run(self.more, ranks).succeeded()
        assert " of 3 tasks are done and kept" in outcome.err, outcome
        assert without_times(study.rows()) == without_times(study.rows("calm.json"))
        assert not study.has_journal()
        assert "study.h5 is complete: nothing to do" in study.run(self.more, ranks).err


@pytest.mark.parametrize("ranks", (1, 2))
def test_goes_on_with_the_next_mass_after_a_kill(study, ranks):
    killed = Interrupted(study, ranks, Launched.kill)
    plan = " ".join(study.box.plaq(f"plan study.toml --ranks {ranks} {killed.more}").out.splitlines())
    assert " of 3 tasks are done, says study.h5.journal" in plan, plan
    # Another job does not take it for its own.
    study.run(killed.more + "--set study.seed=2", ranks).failed(5, "study.h5.journal", "[study] seed")
    killed.expect_goes_on(ranks)


@pytest.mark.parametrize("ranks, number", ((1, signal.SIGTERM), (2, signal.SIGUSR1)))
def test_goes_on_with_the_next_mass_after_a_stop(study, ranks, number):
    def end(run):
        run.signal(number)
        assert run.ends_within(run.age() + 60)

    stopped = Interrupted(study, ranks, end)
    assert stopped.run.code() == 9, stopped.run.err()
    assert f"stopped by {number.name}" in stopped.run.err(), stopped.run.err()
    stopped.expect_goes_on(ranks)


@pytest.mark.parametrize("more, ranks, parts", (
    ("--set 'study.solvers=[\"cg, double 17\", \"gmres, double 18\"]'", 2, ("\"cg, double 17\"", "\"gmres, double 18\"")),
    ("--set action.kappas=[0.1]", 1, ("'masses' is given as well",)),
    ("--set study.solver=cg", 1, ("did you mean 'solvers'?",))))
def test_wrong_keys_are_named(study, more, ranks, parts):
    study.run(more, ranks).failed(3, *parts)
    assert not study.box.exists("study.h5")
