"""Chains of hybrid Monte Carlo as a job: what it writes, the same bits after kills and on any ranks, steps, signals, plans."""
import json
import random
import signal

import numpy
import pytest

from hmc_jobs import HMC, QUENCHED, SMEARED, THREE_FLAVOURS, expect_same, expect_same_fields, history, seconds
from launched import Launched

QUENCHED_LINKS = """job = "generate"
[lattice]
extents = [4, 4, 4, 8]
[gauge]
beta = 5.9
[update]
seed = 3
heatbath = 1
overrelaxation = 4
reunitarize_every = 10
thermalization = 11
configurations = 1
[output]
prefix = "quenched"
[run]
location = "host"
"""


@pytest.fixture
def chain(box):
    box.write("hmc.toml", HMC)
    return box


@pytest.fixture(params=[HMC, THREE_FLAVOURS, SMEARED], ids=["two", "three", "smeared"])
def any_chain(box, request):
    box.write("hmc.toml", request.param)
    return box


def test_writes_fields_and_a_history(chain):
    chain.plaq("run hmc.toml").succeeded()
    found = history(chain)
    assert list(found["steps/trajectory"]) == [1, 2, 3, 4]
    assert list(found["history/trajectory"]) == [0, 1, 2, 3, 4]
    assert list(found["configurations/trajectory"]) == [2, 4]
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 2)
    assert found["steps/accepted"][0] == 1
    assert set(found["steps/accepted"]) <= {0, 1}
    assert numpy.all(found["steps/iterations"] > 50)
    for monomial in ("quarks", "quarks_ratio_1", "quarks_determinant", "gauge"):
        rms, largest = found[f"steps/force_rms_{monomial}"], found[f"steps/force_largest_{monomial}"]
        assert numpy.all((0 < rms) & (rms < largest)), monomial
    back = found["steps/reversibility_links"]
    assert list(numpy.isnan(back)) == [True, True, False, True]
    assert numpy.nanmax(back) < 1e-8
    assert numpy.nanmax(found["steps/reversibility_energy"]) < 1e-4
    for number in (2, 4):
        assert b"ENSEMBLE_ID = nf2_wilson_b5.5_4x4x4x8" in chain.bytes(f"field.{number:06}.nersc")
    assert not chain.exists("field.journal") and not chain.exists("field.checkpoint")
    shown = chain.plaq("analyse field.history.h5 --skip 0").succeeded().out
    for part in ("<exp(-dH)>", "acceptance", "chain                    4 trajectories: ", "reversibility            links ",
                 "forces on a link", "warning: 4 trajectories behind the thermalisation are too few"):
        assert part in shown, shown
    # A chain that starts from a file counts on; its own first trajectories are left out.
    chain.plaq("run hmc.toml --set gauge.start=file --set gauge.file=field.000004.nersc --set lattice.extents= "
               "--set update.seed=4 --set output.prefix=on").succeeded()
    assert list(history(chain, "on.history.h5")["steps/trajectory"]) == [5, 6, 7, 8]
    assert "3 rows, 2 left out as thermalisation" in chain.plaq("analyse on.history.h5").succeeded().out


def test_seconds_of_trajectories_stand_beside_the_history(chain):
    """Also after a kill, where rows go on, and of a longer chain. The history has none: its bits are those of any other run."""
    run = "run hmc.toml --set output.prefix=two/field"
    (chain / "two").mkdir()
    chain.plaq(run).succeeded()
    rows = seconds(chain, "two/field.seconds")
    assert [row["trajectory"] for row in rows] == [1, 2, 3, 4]
    for row in rows:
        for part in ("links", "metropolis", "force_gauge", "force_quarks", "solves_quarks", "solves_quarks_ratio_1", "observables"):
            assert row[part] > 0, part
        assert "solves_gauge" not in row and row["setups"] == 0
        assert (row["reversibility"] > 0) == (row["trajectory"] == 3)
    assert rows[2]["files"] > 0, "the field after trajectory 2"
    assert not any(path.startswith("seconds") for path in history(chain, "two/field.history.h5"))
    shown = chain.plaq("analyse two/field.history.h5 --skip 0").succeeded().out
    line = next(line for line in shown.splitlines() if line.startswith("  seconds of a trajectory"))
    assert " s: " in line and "solves " in line and "gauge force " in line and "way back" in line, line
    # A row that was cut off, and one of a trajectory that the chain makes again.
    run = run.replace("two/", "three/")
    (chain / "three").mkdir()
    chain.plaq(f"{run} --set update.configurations=1").succeeded()
    first = seconds(chain, "three/field.seconds")
    assert [row["trajectory"] for row in first] == [1, 2]
    with open(chain / "three/field.seconds", "a", encoding="utf-8") as table:
        table.write("3 1 1" + " 0" * (len(first[0]) - 3) + "\n4 0.1")
    chain.plaq(run).succeeded()
    rows = seconds(chain, "three/field.seconds")
    assert [row["trajectory"] for row in rows] == [1, 2, 3, 4] and rows[:2] == first and rows[2]["files"] != 1


def test_a_foreign_table_of_seconds_stays(chain):
    chain.write("field.seconds", "mine\n")
    told = chain.plaq("run hmc.toml --set update.configurations=1").succeeded().err
    assert "field.seconds: is no table of seconds" in told, told
    assert (chain / "field.seconds").read_text() == "mine\n"


def test_starts_from_quenched_links(chain):
    """They are those of job generate."""
    chain.write("generate.toml", QUENCHED_LINKS)
    chain.plaq("run generate.toml").succeeded()
    chain.plaq("run hmc.toml --set gauge.start=quenched --set gauge.quenched_beta=5.9 --set gauge.quenched_sweeps=11 "
               "--set update.thermalization=0 --set update.configurations=1", 2).succeeded()
    quenched, first = (chain.bytes(name).split(b"END_HEADER\n")[1] for name in ("quenched.000011.nersc", "field.000000.nersc"))
    assert first == quenched


def test_has_the_same_bits_on_any_ranks_and_as_a_longer_chain(any_chain):
    chain = any_chain
    chain.plaq("run hmc.toml --set update.configurations=1").succeeded()
    chain.plaq("run hmc.toml").succeeded()  # goes on
    grown = history(chain)
    (chain / "alone").mkdir()
    chain.plaq("run hmc.toml --set output.prefix=alone/field", 2).succeeded()
    expect_same(grown, history(chain, "alone/field.history.h5"))
    expect_same_fields(chain, "alone")


@pytest.mark.parametrize("job", [HMC, THREE_FLAVOURS], ids=["two", "three"])
def test_kills_at_any_moment_change_no_bit(box, job):
    chain = box
    chain.write("hmc.toml", job)
    chain.plaq("run hmc.toml").succeeded()
    whole = history(chain)
    (chain / "killed").mkdir()
    arguments = "run hmc.toml --set output.prefix=killed/field --set output.checkpoint_minutes=0"
    moments, kills = random.Random(5), 0
    while kills < 10:
        with Launched(chain, arguments, 1 + kills % 2) as run:
            if not run.ends_within(0.2 + 0.6 * moments.random()):
                run.kill()
                kills += 1
                continue
        for name in chain.names():  # it was complete: from the beginning
            if name.startswith("killed/"):
                (chain / name).unlink()
        kills += 1
    chain.plaq(arguments).succeeded()
    expect_same(whole, history(chain, "killed/field.history.h5"))
    expect_same_fields(chain, "killed")


def test_steps_find_the_acceptance_and_survive_kills(box):
    box.write("hmc.toml", QUENCHED.format(action="wilson", beta=5.5).replace("omelyan4", "leapfrog").replace(
        "thermalization = 1", "thermalization = 60").replace("steps = [3]", "acceptance = 0.8\nsteps = [1]").replace(
        "configurations = 2", "configurations = 40").replace("measure_every = 1", "measure_every = 50"))
    box.plaq("run hmc.toml --set hmc.length=1.0").succeeded()
    found = history(box)
    steps = found["steps/steps_1"]
    assert steps[0] == 1 and steps[1] == 2, steps  # dH of one step of length 1 is large
    assert numpy.all(steps[60:] == steps[60]) and steps[60] > 5, steps
    assert 0.5 < numpy.mean(found["steps/acceptance"][60:]) < 0.97
    (box / "killed").mkdir()
    arguments = "run hmc.toml --set hmc.length=1.0 --set output.prefix=killed/field --set output.checkpoint_minutes=0"
    moments = random.Random(6)
    for _ in range(4):
        with Launched(box, arguments) as run:
            run.ends_within(0.3 + 0.5 * moments.random())
            run.kill()
    box.plaq(arguments).succeeded()
    expect_same(found, history(box, "killed/field.history.h5"))


def test_steps_of_several_time_scales_follow_their_forces(box):
    box.write("hmc.toml", HMC.replace("4, 4, 4, 8", "4, 4, 4, 4").replace("kappa = 0.12", "kappa = 0.1").replace(
        "thermalization = 2", "thermalization = 30").replace("length = 0.4", "length = 1.0\nacceptance = 0.8").replace(
        "steps = [3, 2]", "steps = [8, 1]").replace("reversibility_every = 3\n", "").replace("twists = [0.5]\n", "").replace(
        'start = "cold"', 'start = "quenched"'))
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    slow, fast = found["steps/steps_1"], found["steps/steps_2"]
    assert len(slow) == 32 and set(slow[:10]) == {8} and set(fast[:10]) == {1}
    # Forces of the gauge field are larger and cheaper than those of quarks.
    assert slow[30] < 8 and fast[30] > 1, (slow, fast)
    delta_h, predicted = found["steps/delta_h"], found["steps/predicted_delta_h_1"] + found["steps/predicted_delta_h_2"]
    first = slice(1, 10)  # of small steps
    assert numpy.std(delta_h[first] - predicted[first]) < 0.1 * numpy.std(delta_h[first])
    box.plaq("run hmc.toml --set output.prefix=two --set update.thermalization=11 --set update.configurations=1", 2).succeeded()
    short = history(box, "two.history.h5")
    for name in ("delta_h", "steps_1", "steps_2", "predicted_delta_h_1", "predicted_delta_h_2"):
        numpy.testing.assert_array_equal(short[f"steps/{name}"], found[f"steps/{name}"][:11], err_msg=name)


@pytest.mark.parametrize("number, ranks", [(signal.SIGTERM, 1), (signal.SIGUSR1, 2)])
def test_a_signal_ends_a_trajectory_at_once(chain, number, ranks):
    """The first trajectory has so many steps that it does not end before the signal."""
    long = ("run hmc.toml --set update.thermalization=0 --set update.separation=1 --set output.checkpoint_minutes=60 "
            "--set hmc.reversibility_every=0 --set hmc.length=0.01 --set hmc.steps=[{},1] {}")
    with Launched(chain, long.format(100000, ""), ranks) as run:
        run.waits_for(lambda: "wrote field.000000.nersc" in run.err())
        run.signal(number)
        run.waits_for(lambda: False)
        assert run.code() == 9, run.err()
        assert "stopped by SIG" in run.err() and "the chain is saved after 0 of 1 trajectories" in run.err(), run.err()
    # Links before it are as they were, and it begins again.
    saved = chain.bytes("field.000000.nersc")
    chain.plaq(long.format(3, "--set output.prefix=other")).succeeded()
    assert chain.bytes("other.000000.nersc") == saved
    with Launched(chain, long.format(100000, ""), ranks) as run:
        run.waits_for(lambda: "going on after 0 trajectories, from field" in run.err())
        assert not run.ended(), run.err()


@pytest.mark.parametrize("action, beta", [("symanzik", 4.0), ("iwasaki", 2.2), ("dbw2", 1.0), ("luscher_weisz", 6.5)])
def test_gauge_actions_alone(box, action, beta):
    box.write("hmc.toml", QUENCHED.format(action=action, beta=beta))
    more = "--set gauge.u0=0.86" if action == "luscher_weisz" else ""
    box.plaq(f"run hmc.toml {more}").succeeded()
    found = history(box)
    assert len(found["steps/delta_h"]) == 2
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 20)
    assert not any("quarks" in name for name in found)


def test_a_plan_counts_the_solves_of_each_term(chain):
    """Three steps of omelyan2 have seven forces; H has two values of each term; a ratio is drawn by a solve."""
    shown = chain.plaq("plan hmc.toml --location gpu --gpu h200 --cost --json --ranks 1 --assume iterations=300 "
                       "--assume iterations:quarks=70 --set hmc.reversibility_every=0").succeeded().out
    plan = json.loads(shown)
    assert plan["assumed"] == {"iterations": 300, "sweeps": 0, "iterations_of": {"quarks": 70}}
    parts = {part["name"]: part for part in plan["points"][0]["parts"]}
    one, ratio = (parts[f"{term}: iteration, 1 right-hand side"] for term in ("quarks", "quarks_ratio_1"))
    # Two trajectories lie between two fields.
    assert (one["loops"], one["passes"]) == (2 * (7 + 2), 2 * 9 * 70)
    assert (ratio["loops"], ratio["passes"]) == (2 * (7 + 2 + 1), 2 * 10 * 300)
    assert parts["trajectory"]["passes"] == 2
    seconds = plan["points"][0]["seconds_of_a_configuration"]
    assert seconds == pytest.approx(sum(part["seconds"] for part in parts.values()))
    chain.plaq("plan hmc.toml --assume iterations:strange=70").failed(
        2, "iterations:strange: the job has no solves of that name; it has those of quarks, quarks_ratio_1")
    # A third flavour has shifts.
    chain.write("hmc.toml", THREE_FLAVOURS)
    plan = json.loads(chain.plaq("plan hmc.toml --location gpu --gpu h200 --cost --json --ranks 1").succeeded().out)
    parts = {part["name"]: part for part in plan["points"][0]["parts"]}
    assert parts["quarks_2_rational_1: iteration of all shifts, 1 right-hand side"]["repeats"] == "iterations"
    assert parts["quarks_2_rational_1: last iterations of shifts"]["repeats"] == "counted"


def test_an_unstable_integrator_is_told_and_ends(chain):
    chain.plaq("run hmc.toml --set hmc.steps=[1,1] --set hmc.length=6 --set gauge.start=hot").failed(
        6, "trajectory 1: dH is", "take more steps in [hmc]", "the chain does not move")


def test_solves_that_fail_are_told_and_end(chain):
    chain.plaq("run hmc.toml --set solver.max_iterations=4").failed(
        6, "conjugate gradients for kappa = 0.12", "after 4 iterations", "the chain does not move")
