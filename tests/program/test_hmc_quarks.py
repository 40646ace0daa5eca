"""Hybrid Monte Carlo with each kind of sea quarks: terms of the action, forces, and the same bits on two ranks."""
import json

import numpy
import pytest

from hmc_jobs import (
    FORMS,
    HISQ,
    HMC,
    JOINT,
    SMEARED,
    STAGGERED,
    THREE_FLAVOURS,
    WALLS,
    expect_refusals,
    expect_same,
    expect_same_beginning,
    history,
    short,
)


def test_three_flavours(box):
    box.write("hmc.toml", THREE_FLAVOURS)
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    terms = ["quarks_1", "quarks_1_ratio_1", "quarks_1_determinant", "quarks_2_rational_1", "quarks_2_rational_2",
             "quarks_2_determinant", "gauge"]
    assert {name for name in found if "force_rms" in name} == {f"steps/force_rms_{term}" for term in terms}
    solved = [name for name in found if name.startswith("steps/iterations_")]
    assert set(solved) == {f"steps/iterations_{term}" for term in terms[:2] + terms[3:5]}
    assert list(sum(found[name] for name in solved)) == list(found["steps/iterations"])
    low, high = found["steps/eigenvalue_low_quarks_2"], found["steps/eigenvalue_high_quarks_2"]
    assert numpy.all((found["steps/range_low_quarks_2"] < low) & (low < high))
    assert numpy.all(high < found["steps/range_high_quarks_2"])
    # Chosen at the first trajectory, and again after the thermalisation.
    assert list(found["steps/range_low_quarks_2"][:2]) == list(0.5 * low[:2])
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 3)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
    assert b"ENSEMBLE_ID = nf2+1_wilson_b5.5_4x4x4x4" in box.bytes("field.000003.nersc")


def test_smeared_links(box):
    chains = {"thin": HMC, "smeared": SMEARED, "both": SMEARED.replace('clover_links = "thin"', "")}
    forces = {}
    for name, job in chains.items():
        box.write("hmc.toml", short(job))
        box.plaq(f"run hmc.toml --set output.prefix={name}").succeeded()
        found = history(box, f"{name}.history.h5")
        assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
        assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
        forces[name] = {term: found[f"steps/force_rms_{term}"][1] for term in ("quarks", "quarks_determinant")}
    assert len({force["quarks"] for force in forces.values()}) == 3
    # The clover term of smoother links has smaller forces.
    assert forces["both"]["quarks_determinant"] < 0.7 * forces["smeared"]["quarks_determinant"]


def test_exponential_clover(box):
    box.write("hmc.toml", short(HMC).replace('"clover"', '"exponential_clover"'))
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    assert {name for name in found if "force_rms" in name} == {
        f"steps/force_rms_{term}" for term in ("quarks", "quarks_ratio_1", "gauge")}
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8


@pytest.mark.parametrize("quarks", ["clover", "exponential_clover"])
def test_twisted_mass(box, quarks):
    box.write("hmc.toml", short(HMC).replace('"clover"', f'"{quarks}"').replace("c_sw = 1.2", "c_sw = 1.2\ntwisted_mass = 0.2"))
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    assert {name for name in found if "force_rms" in name} == {
        f"steps/force_rms_{term}" for term in ("quarks", "quarks_ratio_1", "quarks_determinant", "gauge")}
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 2)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
    box.plaq("run hmc.toml --set 'hmc.flavours=[3]'").failed(3, "2 flavours of each mass, found 3")


@pytest.mark.parametrize("ladder", ["twists = [0.5]", "heavier_kappas = [0.1, 0.11]", "heavier_masses = [0.6]"])
@pytest.mark.parametrize("form", ["asymmetric", "symmetric"])
def test_forms_and_ladders(box, form, ladder):
    """The terms of a ladder beside a third flavour, and the same bits on two ranks."""
    box.write("hmc.toml", FORMS.replace("twists = [0.5]", f'{ladder}\neven_odd = "{form}"'))
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    ratios = ladder.count(",") + 1
    assert {name for name in found if "force_rms" in name} == {f"steps/force_rms_{term}" for term in (
        "quarks", *(f"quarks_ratio_{k + 1}" for k in range(ratios)), "quarks_rational_1", "quarks_determinant", "gauge")}
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
    expect_same_beginning(box, found)


@pytest.mark.parametrize("flavours, pseudofermions", [("[2]", 2), ("[3]", 2), ("[1]", 3)])
def test_several_pseudofermions(box, flavours, pseudofermions):
    """One term for all of them, the same bits on two ranks, and a plan that knows their solves."""
    job = FORMS.replace("flavours = [3]", f"flavours = {flavours}\npseudofermions = [{pseudofermions}]")
    for old, new in (("twists = [0.5]\n", ""), ("steps = [4, 2]", "steps = [2, 2]"), ("thermalization = 2", "thermalization = 1"),
                     ("reversibility_every = 2", "reversibility_every = 1")):
        assert old in job
        job = job.replace(old, new)
    box.write("hmc.toml", job)
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    assert {name for name in found if "force_rms" in name} == {
        f"steps/force_rms_{term}" for term in ("quarks_rational_1", "quarks_determinant", "gauge")}
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-7
    assert numpy.all(found["steps/range_low_quarks"] > 0) and numpy.all(found["steps/iterations_quarks_rational_1"] > 0)
    box.plaq("run hmc.toml --set output.prefix=two", 2).succeeded()
    expect_same(found, history(box, "two.history.h5"))
    told = box.plaq("plan hmc.toml --cost --set output.prefix=plan").succeeded().out
    assert f"quarks_rational_1: iteration of all shifts, {pseudofermions} right-hand sides" in told, told


def test_staggered_quarks(box):
    """Two light and five heavier flavours on stout links, the same bits on two ranks, and a plan."""
    box.write("hmc.toml", STAGGERED)
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    assert {name for name in found if "force_rms" in name} == {
        f"steps/force_rms_{term}" for term in ("quarks_1_rational_1", "quarks_2_rational_1", "gauge")}
    for mass, quarks in ((0.2, "quarks_1"), (0.5, "quarks_2")):
        assert list(found[f"steps/eigenvalue_low_{quarks}"]) == [mass * mass] * 2  # the least on any links
        assert list(found[f"steps/range_low_{quarks}"]) == [mass * mass] * 2
        high = found[f"steps/eigenvalue_high_{quarks}"]
        assert numpy.all((2 < high) & (high < found[f"steps/range_high_{quarks}"]))
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
    assert b"ENSEMBLE_ID = nf2+5_wilson_b5.5_4x4x4x4" in box.bytes("field.000002.nersc")
    expect_same_beginning(box, found)
    told = box.plaq("plan hmc.toml --cost --set output.prefix=plan").succeeded().out
    assert "quarks_2_rational_1: iteration of all shifts, 2 right-hand sides" in told, told
    for more, part in (("hmc.pseudofermions=[1,1]", "5 staggered flavours of a mass need more than 1.25 pseudofermions"),
                       ("hmc.twists=[0.5]", "needs a pair of flavours"), ("hmc.even_odd=symmetric", "needs a pair of flavours"),
                       ("solver.preconditioner=multigrid", "multigrid is for Wilson and clover quarks"),
                       ("rational.range=[0.1,8.0]", "above the least eigenvalue of staggered quarks of mass 0.2"),
                       ("action.masses=[0.2,0.0]", "must be greater than 0 for staggered quarks"),
                       ("action.type=asqtad", "asqtad"), ("action.c_sw=1.0", "clover term"),
                       ("action_smearing.clover_links=thin", "clover")):
        box.plaq(f"run hmc.toml --set '{more}'").failed(3, part)


def test_domain_wall_quarks(box):
    """A pair down a ladder and a third flavour, the same bits on two ranks, and a plan."""
    box.write("hmc.toml", WALLS)
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    assert {name for name in found if "force_rms" in name} == {
        f"steps/force_rms_{term}" for term in ("quarks_1", "quarks_1_ratio_1", "quarks_2_rational_1", "gauge")}
    for quarks in ("quarks_2", "quarks_2_pauli_villars"):
        low, high = found[f"steps/eigenvalue_low_{quarks}"], found[f"steps/eigenvalue_high_{quarks}"]
        assert numpy.all((0 < found[f"steps/range_low_{quarks}"]) & (found[f"steps/range_low_{quarks}"] < low) & (low < high))
        assert numpy.all(high < found[f"steps/range_high_{quarks}"])
    assert numpy.all(found["steps/eigenvalue_low_quarks_2"] < 0.7 * found["steps/eigenvalue_low_quarks_2_pauli_villars"])
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
    assert b"ENSEMBLE_ID = nf2+1_wilson_b5.5_4x4x2x4" in box.bytes("field.000002.nersc")
    expect_same_beginning(box, found)
    box.plaq("run hmc.toml --set output.prefix=exact --set hmc.one_flavour=exact --set rational.tolerance= "
             "--set update.thermalization=1").succeeded()
    exact = history(box, "exact.history.h5")
    assert "steps/force_rms_quarks_2_exact" in exact and "steps/range_low_quarks_2" not in exact
    assert numpy.all(numpy.abs(exact["steps/delta_h"]) < 1)
    told = box.plaq("plan hmc.toml --cost --set output.prefix=plan").succeeded().out
    assert "quarks_1_ratio_1" in told and "quarks_2_rational_1: iteration of all shifts" in told, told


def test_joint_masses_and_ratios_of_staggered_quarks(box):
    """The terms of a ladder, the same bits on two ranks, and the same trajectories in every precision of solves."""
    box.write("hmc.toml", JOINT)
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    assert {name for name in found if "force_rms" in name} == {
        f"steps/force_rms_{term}" for term in ("quarks_ratio_1", "quarks_rational_1", "gauge")}
    assert list(found["steps/range_low_quarks"]) == [0.15 * 0.15] * 2  # the lightest mass
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
    assert numpy.all(found["steps/iterations_quarks_ratio_1"] > 0)
    assert b"ENSEMBLE_ID = nf2+1_wilson_b5.5_4x4x4x4" in box.bytes("field.000002.nersc")
    expect_same_beginning(box, found)
    for precision in ("double", "half"):
        box.plaq(f"run hmc.toml --set output.prefix={precision} --set solver.inner_precision={precision} "
                 "--set update.thermalization=1").succeeded()
        assert abs(history(box, f"{precision}.history.h5")["steps/delta_h"] - found["steps/delta_h"][:1]).max() < 1e-6
    told = box.plaq("plan hmc.toml --cost --set output.prefix=plan").succeeded().out
    assert "quarks_ratio_1: iteration of all shifts" in told, told
    box.plaq("run hmc.toml --set output.prefix=doubled --set action.mass_convention=doubled "
             "--set action.masses=[0.8,0.3] --set hmc.heavier_masses=[2.0]").succeeded()
    expect_same(found, history(box, "doubled.history.h5"))
    expect_refusals(box, (("hmc.heavier_masses=[0.3]", "0.3 is not larger than the masses of any quarks"),
                          ("hmc.heavier_masses=[0.8,1.0]", "mass 0.8 stands before mass 1: masses become smaller"),
                          ("rational.factors=2", "one function for each step of a ladder"),
                          ("hmc.pseudofermions=[1,2]", "joint masses have the same pseudofermions, found 2 and 1"),
                          ("hmc.flavours=[2,2]", "4 staggered flavours of joint masses need more than 1 pseudofermions"),
                          ("hmc.epsilons=[0.0,0.1]", "needs type = \"hisq\""), ("hmc.force_filter=0.1", "needs HISQ quarks"),
                          ("action.masses=[0.4] --set hmc.flavours=[1]".replace(" --set ", "' --set '"),
                           "needs two masses of staggered quarks with the same epsilon")))


def test_hisq(box):
    """2+1+1 flavours with an epsilon of the last one, the same bits on two ranks, and a plan."""
    box.write("hmc.toml", HISQ.replace("steps = [3, 2]", "steps = [2, 2]"))
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    assert {name for name in found if "force_rms" in name} == {
        f"steps/force_rms_{term}"
        for term in ("quarks_1_ratio_1", "quarks_1_rational_1", "quarks_2_ratio_1", "quarks_2_rational_1", "gauge")}
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
    for quarks in ("quarks_1", "quarks_2"):
        assert numpy.all(found[f"steps/filtered_links_{quarks}"] == 0)
    assert b"ENSEMBLE_ID = nf2+1+1_" in box.bytes("field.000002.nersc")
    expect_same_beginning(box, found)
    box.plaq("plan hmc.toml --cost --set output.prefix=plan").succeeded()
    box.plaq("run hmc.toml --set output.prefix=filter --set hmc.force_filter=0.9 --set update.thermalization=1").succeeded()
    assert numpy.any(history(box, "filter.history.h5")["steps/filtered_links_quarks_1"] > 0)
    expect_refusals(box, (("hmc.epsilons=[0.0]", "found 1 numbers for 3 masses"), ("action.epsilon=0.1", "epsilon is given too"),
                          ("action_smearing.type=stout", "smear their links themselves")))


def test_multigrid_solves_the_light_quarks(box):
    box.write("hmc.toml", HMC)
    job = ("run hmc.toml --set lattice.extents=[4,4,4,4] --set action.kappa=0.13 --set hmc.steps=[2,1] "
           "--set update.thermalization=1 --set update.separation=1")
    more = ("--set solver.preconditioner=multigrid --set multigrid.blocks='[\"2x2x2x2\"]' --set multigrid.vectors=[4] "
            "--set multigrid.rounds=2")
    box.plaq(f"{job} --set output.prefix=cg").succeeded()
    box.plaq(f"{job} {more}").succeeded()
    with_cg, found = history(box, "cg.history.h5"), history(box)
    assert found["steps/multigrid_rounds_quarks"][-1] >= 1
    assert not any("multigrid" in name for name in with_cg)
    assert numpy.all(found["steps/iterations_quarks_ratio_1"] != with_cg["steps/iterations_quarks_ratio_1"])
    numpy.testing.assert_array_equal(found["steps/iterations_quarks"], with_cg["steps/iterations_quarks"])
    numpy.testing.assert_array_equal(found["steps/accepted"], with_cg["steps/accepted"])
    numpy.testing.assert_allclose(found["steps/delta_h"], with_cg["steps/delta_h"], atol=1e-4)
    box.plaq(f"{job} {more} --set output.prefix=all --set solver.largest_twist=1").succeeded()
    all_by_multigrid = history(box, "all.history.h5")
    assert numpy.all(all_by_multigrid["steps/iterations_quarks"] != with_cg["steps/iterations_quarks"])
    numpy.testing.assert_allclose(all_by_multigrid["steps/delta_h"], with_cg["steps/delta_h"], atol=1e-4)
    expect_same_beginning(box, found, f"{job.removeprefix('run hmc.toml')} {more}")
    assert box.bytes("two.000001.nersc") == box.bytes("field.000001.nersc")


def test_multigrid_solves_light_doublets(box):
    box.write("hmc.toml", HMC)
    job = ("run hmc.toml --set lattice.extents=[4,4,4,4] --set action.kappa=0.13 --set action.twisted_mass=-0.01 "
           "--set hmc.steps=[2,1] "
           "--set update.thermalization=1 --set update.separation=1")
    more = ("--set solver.preconditioner=multigrid --set multigrid.blocks='[\"2x2x2x2\"]' --set multigrid.vectors=[4] "
            "--set multigrid.rounds=2 --set output.prefix=fast --set solver.force_tolerance=1e-10")
    box.plaq(f"{job} --set solver.force_tolerance=1e-10").succeeded()
    box.plaq(f"{job} {more}").succeeded()
    with_cg, found = history(box), history(box, "fast.history.h5")
    assert numpy.all(found["steps/iterations_quarks_ratio_1"] != with_cg["steps/iterations_quarks_ratio_1"])  # the first field is cold
    assert found["steps/iterations_quarks_ratio_1"][-1] < with_cg["steps/iterations_quarks_ratio_1"][-1]
    numpy.testing.assert_array_equal(found["steps/iterations_quarks"], with_cg["steps/iterations_quarks"])
    numpy.testing.assert_allclose(found["steps/delta_h"], with_cg["steps/delta_h"], atol=1e-4)
    assert "setup of multigrid" in box.plaq(f"plan --cost hmc.toml {more} --set action.twisted_mass=0.01").out


def test_multigrid_solves_poles(box):
    box.write("hmc.toml", THREE_FLAVOURS.replace("thermalization = 1", "thermalization = 2").replace(
        "configurations = 2", "configurations = 1"))
    more = ("--set solver.preconditioner=multigrid --set multigrid.blocks='[\"2x2x2x2\"]' --set multigrid.vectors=[4] "
            "--set multigrid.rounds=2 --set solver.largest_twist=0.5 --set hmc.reversibility_every=0")
    box.plaq("run hmc.toml --set hmc.reversibility_every=0 --set output.prefix=cg").succeeded()
    box.plaq(f"run hmc.toml {more}").succeeded()
    with_cg, found = history(box, "cg.history.h5"), history(box)
    smallest, largest = "steps/iterations_quarks_2_rational_1", "steps/iterations_quarks_2_rational_2"
    assert numpy.all(found[smallest] != with_cg[smallest])
    numpy.testing.assert_array_equal(found[largest], with_cg[largest])
    rounds = [found[f"steps/multigrid_rounds_quarks_{k}"][-1] for k in (1, 2)]
    assert max(rounds) >= 1 and min(rounds) == 0  # the second mass begins with the vectors of the first one
    numpy.testing.assert_allclose(found["steps/delta_h"], with_cg["steps/delta_h"], atol=1e-4)
    expect_same_beginning(box, found, more)
    plan = json.loads(box.plaq("plan hmc.toml --location gpu --gpu h200 --cost --json --ranks 1 --assume iterations=300 "
                               f"--assume iterations:poles=10 {more}").succeeded().out)
    parts = {part["name"]: part for part in plan["points"][0]["parts"]}
    poles = parts["quarks_2_rational_1: poles: iteration, 1 right-hand side"]
    assert poles["loops"] > 0 and poles["loops"] % 2 == 0  # two systems for each
    assert poles["passes"] == 10 * poles["loops"]
