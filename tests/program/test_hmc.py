"""Hybrid Monte Carlo as a job: what it writes, the same bits after kills and on any ranks, and wrong settings."""
import json
import random
import signal

import h5py
import numpy
import pytest

from launched import Launched

HMC = """job = "hmc"
[lattice]
extents = [4, 4, 4, 8]
[gauge]
beta = 5.5
start = "cold"
[action]
type = "clover"
kappa = 0.12
c_sw = 1.2
[update]
seed = 3
thermalization = 2
separation = 2
configurations = 2
[hmc]
length = 0.4
twists = [0.5]
steps = [3, 2]
unconditional = 1
reversibility_every = 3
[output]
prefix = "field"
measure_every = 1
[run]
location = "host"
threads = 1
"""
# Two light flavours with a ladder and a third one by rational functions, on three time scales.
THREE_FLAVOURS = HMC.replace("4, 4, 4, 8", "4, 4, 4, 4").replace("kappa = 0.12", "kappas = [0.12, 0.11]").replace(
    "thermalization = 2", "thermalization = 1").replace("reversibility_every = 3", "reversibility_every = 2").replace(
    "length = 0.4", "length = 0.2").replace("steps = [3, 2]", """flavours = [2, 1]
time_scales = ["quarks_1_ratio_1 quarks_2_rational_1", "quarks", "gauge"]
steps = [1, 1, 2]
integrators = ["omelyan2", "leapfrog", "omelyan4"]""").replace("[output]", """[rational]
tolerance = 1e-5
factors = 2
[output]""")
# A pair and a third flavour of one mass.
FORMS = HMC.replace("4, 4, 4, 8", "4, 4, 4, 4").replace(
    "configurations = 2", "configurations = 1").replace("reversibility_every = 3", "reversibility_every = 2").replace(
    "steps = [3, 2]", "flavours = [3]\nsteps = [4, 2]").replace("[output]", """[rational]
tolerance = 1e-5
[output]""")
# Hops on smeared and the clover term on thin links.
SMEARED = HMC.replace("[update]", """[action_smearing]
type = "stout"
steps = 2
rho = 0.12
clover_links = "thin"
[update]""")
QUENCHED = """job = "hmc"
[lattice]
extents = [4, 4, 4, 4]
[gauge]
action = "{action}"
beta = {beta}
[update]
seed = 3
thermalization = 1
configurations = 2
separation = 1
[hmc]
length = 0.5
integrators = ["omelyan4"]
steps = [3]
[output]
prefix = "field"
measure_every = 1
[run]
location = "host"
threads = 1
"""

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


def history(box, name="field.history.h5"):
    with h5py.File(box / name) as file:
        found = {}
        file.visititems(lambda path, item: found.update({path: item[()]}) if isinstance(item, h5py.Dataset) else None)
        return found


def expect_same(a, b):
    assert a.keys() == b.keys()
    for path, values in a.items():
        numpy.testing.assert_array_equal(values, b[path], err_msg=path)


def expect_same_fields(box, folder):
    names = [name for name in box.names() if name.startswith("field.") and name.endswith(".nersc")]
    assert len(names) == 2
    for name in names:
        assert box.bytes(name) == box.bytes(f"{folder}/{name}")


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


def seconds(box, name="field.seconds"):
    head, names, *rows = (box / name).read_text().splitlines()
    assert head.startswith("# plaq ") and names.startswith("# trajectory all files observables "), (head, names)
    table = [dict(zip(names.split()[1:], map(float, row.split()), strict=True)) for row in rows]
    for row in table:
        assert min(row.values()) >= 0
        parts = sum(value for part, value in row.items() if part not in ("trajectory", "all"))
        assert row["all"] == pytest.approx(parts, rel=1e-4), row
    return table


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
        box.write("hmc.toml", job)
        box.plaq(f"run hmc.toml --set output.prefix={name}").succeeded()
        found = history(box, f"{name}.history.h5")
        assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
        assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8
        forces[name] = {term: found[f"steps/force_rms_{term}"][1] for term in ("quarks", "quarks_determinant")}
    assert len({force["quarks"] for force in forces.values()}) == 3
    # The clover term of smoother links has smaller forces.
    assert forces["both"]["quarks_determinant"] < 0.7 * forces["smeared"]["quarks_determinant"]


def test_exponential_clover(box):
    box.write("hmc.toml", HMC.replace('"clover"', '"exponential_clover"'))
    box.plaq("run hmc.toml").succeeded()
    found = history(box)
    assert {name for name in found if "force_rms" in name} == {
        f"steps/force_rms_{term}" for term in ("quarks", "quarks_ratio_1", "gauge")}
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 1)
    assert numpy.nanmax(found["steps/reversibility_links"]) < 1e-8


@pytest.mark.parametrize("quarks", ["clover", "exponential_clover"])
def test_twisted_mass(box, quarks):
    box.write("hmc.toml", HMC.replace('"clover"', f'"{quarks}"').replace("c_sw = 1.2", "c_sw = 1.2\ntwisted_mass = 0.2"))
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
    box.plaq("run hmc.toml --set output.prefix=two", 2).succeeded()
    expect_same(found, history(box, "two.history.h5"))


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


STAGGERED = HMC.replace("4, 4, 4, 8", "4, 4, 4, 4").replace('"clover"', '"staggered"').replace("kappa = 0.12\nc_sw = 1.2", """\
masses = [0.2, 0.5]
[action_smearing]
type = "stout"
steps = 1
rho = 0.12""").replace("twists = [0.5]\n", "").replace("steps = [3, 2]", """flavours = [2, 5]
pseudofermions = [1, 2]
steps = [3, 2]""").replace("configurations = 2", "configurations = 1").replace(
    "reversibility_every = 3", "reversibility_every = 2").replace("[output]", """[rational]
tolerance = 1e-5
[output]""")


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
    box.plaq("run hmc.toml --set output.prefix=two", 2).succeeded()
    expect_same(found, history(box, "two.history.h5"))
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


WALLS = HMC.replace("4, 4, 4, 8", "4, 4, 2, 4").replace('"clover"', '"domain_wall"').replace("kappa = 0.12\nc_sw = 1.2", """\
variant = "moebius"
n_s = 4
b5 = 1.5
c5 = 0.5
masses = [0.1, 0.3]""").replace("twists = [0.5]\n", "heavier_masses = [0.5]\n").replace("steps = [3, 2]", """flavours = [2, 1]
steps = [3, 2]""").replace("configurations = 2", "configurations = 1").replace(
    "reversibility_every = 3", "reversibility_every = 2").replace("[output]", """[rational]
tolerance = 1e-4
[output]""")


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
    box.plaq("run hmc.toml --set output.prefix=two", 2).succeeded()
    expect_same(found, history(box, "two.history.h5"))
    box.plaq("run hmc.toml --set output.prefix=exact --set hmc.one_flavour=exact --set rational.tolerance=").succeeded()
    exact = history(box, "exact.history.h5")
    assert "steps/force_rms_quarks_2_exact" in exact and "steps/range_low_quarks_2" not in exact
    assert numpy.all(numpy.abs(exact["steps/delta_h"]) < 1)
    told = box.plaq("plan hmc.toml --cost --set output.prefix=plan").succeeded().out
    assert "quarks_1_ratio_1" in told and "quarks_2_rational_1: iteration of all shifts" in told, told


def test_rules_of_domain_wall_quarks(box):
    box.write("hmc.toml", WALLS)
    for more, part in (("hmc.twists=[0.5]", "the ladder of domain-wall quarks is one of masses"),
                       ("hmc.heavier_masses=[1.0]", "1 is not below 1, the mass of Pauli-Villars quarks"),
                       ("hmc.heavier_masses=[0.05]", "is not larger than"),
                       ("hmc.heavier_masses= --set hmc.heavier_kappas=[0.11]", "take heavier_masses"),
                       ("hmc.even_odd=symmetric", "domain-wall quarks have one even-odd form"),
                       ("hmc.flavours=[4,1]", "domain-wall quarks have 1 to 3 flavours of a mass"),
                       ("action.masses=[1.0,0.3]", "masses from 0 to below 1"),
                       ("action.masses=[0.1,-0.3]", "masses from 0 to below 1"),
                       ("action.n_s=3 --set action.variant=borici --set action.b5= --set action.c5=",
                        "Pauli-Villars quarks: domain-wall operator"),
                       ("action.variant=optimal --set action.b5= --set action.c5=", "for example bounds = [0.05, 6.2]"),
                       ("solver.preconditioner=multigrid", "multigrid is for Wilson and clover quarks"),
                       ("hmc.one_flavour=exact --set hmc.flavours=[2,2]", "for an odd number of flavours of domain-wall quarks"),
                       ("hmc.one_flavour=exact --set action.masses=[0.1,0.0]", "the exact action needs a mass above 0"),
                       ("hmc.one_flavour=exact --set action.variant=optimal --set action.b5= --set action.c5= "
                        "--set action.bounds=[0.1,6.0]", "weights that are the same on all slices"),
                       ("rational.factors=2", "functions of domain-wall quarks are not divided"),
                       ("rational.range=[0.1,8.0]", "have spectra of their own"),
                       ("action.c_sw=1.0", "clover term"), ("action.kappa=0.1", "kappa")):
        box.plaq(f"run hmc.toml --set {more}").failed(3, part)


# 2+1 flavours in one pseudofermion, in a ratio to a heavy mass, on two time scales.
JOINT = HMC.replace("4, 4, 4, 8", "4, 4, 4, 4").replace('"clover"', '"staggered"').replace("kappa = 0.12\nc_sw = 1.2", """\
masses = [0.4, 0.15]""").replace("twists = [0.5]", """flavours = [1, 2]
joint_masses = true
heavier_masses = [1.0]""").replace("steps = [3, 2]", """time_scales = ["quarks_ratio_1", "quarks gauge"]
steps = [4, 2]""").replace("configurations = 2", "configurations = 1").replace(
    "reversibility_every = 3", "reversibility_every = 2").replace("[output]", """[rational]
tolerance = 1e-5
[output]""")
HISQ = JOINT.replace("4, 4, 4, 4", "4, 4, 4, 8").replace('"staggered"', '"hisq"').replace(
    "masses = [0.4, 0.15]", "masses = [0.4, 0.15, 0.8]").replace(
    "flavours = [1, 2]", "flavours = [1, 2, 1]\nepsilons = [0.0, 0.0, -0.15]").replace('[gauge]\nbeta = 5.5', """[gauge]
action = "luscher_weisz"
u0 = 0.87
flavours = 4
beta = 6.5""").replace("steps = [4, 2]", "steps = [3, 2]").replace("quarks_ratio_1", "quarks_1_ratio_1")


def expect_refusals(box, rows):
    for more, part in rows:
        box.plaq(f"run hmc.toml --set '{more}'").failed(3, part)


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
    box.plaq("run hmc.toml --set output.prefix=two", 2).succeeded()
    expect_same(found, history(box, "two.history.h5"))
    for precision in ("double", "half"):
        box.plaq(f"run hmc.toml --set output.prefix={precision} --set solver.inner_precision={precision}").succeeded()
        assert abs(history(box, f"{precision}.history.h5")["steps/delta_h"] - found["steps/delta_h"]).max() < 1e-6
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
    box.write("hmc.toml", HISQ)
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
    box.plaq("run hmc.toml --set output.prefix=two", 2).succeeded()
    expect_same(found, history(box, "two.history.h5"))
    box.plaq("plan hmc.toml --cost --set output.prefix=plan").succeeded()
    box.plaq("run hmc.toml --set output.prefix=filter --set hmc.force_filter=0.9").succeeded()
    assert numpy.any(history(box, "filter.history.h5")["steps/filtered_links_quarks_1"] > 0)
    expect_refusals(box, (("hmc.epsilons=[0.0]", "found 1 numbers for 3 masses"), ("action.epsilon=0.1", "epsilon is given too"),
                          ("action_smearing.type=stout", "smear their links themselves")))


def test_rules_of_several_pseudofermions(box):
    box.write("hmc.toml", HMC)
    for more, part in (("hmc.pseudofermions=[2,1]", "found 2 numbers for 1 masses"), ("hmc.pseudofermions=[9]", "9"),
                       ("hmc.pseudofermions=[2]", "a ladder has two flavours of a mass, and one pseudofermion"),
                       ("hmc.pseudofermions=[2] --set hmc.twists= --set action.twisted_mass=0.1",
                        "several pseudofermions need a Hermitian Q"),
                       ("hmc.pseudofermions=[2] --set hmc.twists= --set hmc.even_odd=symmetric",
                        "the symmetric form needs a pair of flavours with one pseudofermion"),
                       ("action.kappa= --set hmc.twists= --set action.type=wilson --set action.c_sw= --set hmc.pseudofermions=[1]",
                        "pseudofermions")):
        box.plaq(f"run hmc.toml --set {more}").failed(3, part)


def test_has_the_same_bits_on_any_ranks_and_as_a_longer_chain(any_chain):
    chain = any_chain
    chain.plaq("run hmc.toml --set update.configurations=1").succeeded()
    chain.plaq("run hmc.toml").succeeded()  # goes on
    grown = history(chain)
    (chain / "alone").mkdir()
    chain.plaq("run hmc.toml --set output.prefix=alone/field", 2).succeeded()
    expect_same(grown, history(chain, "alone/field.history.h5"))
    expect_same_fields(chain, "alone")


def test_kills_at_any_moment_change_no_bit(any_chain):
    chain = any_chain
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


def test_multigrid_solves_the_light_quarks(chain):
    job = ("run hmc.toml --set lattice.extents=[4,4,4,4] --set action.kappa=0.13 --set hmc.steps=[2,1] "
           "--set update.thermalization=1 --set update.separation=1")
    more = ("--set solver.preconditioner=multigrid --set multigrid.blocks='[\"2x2x2x2\"]' --set multigrid.vectors=[4] "
            "--set multigrid.rounds=2")
    chain.plaq(f"{job} --set output.prefix=cg").succeeded()
    chain.plaq(f"{job} {more}").succeeded()
    with_cg, found = history(chain, "cg.history.h5"), history(chain)
    assert found["steps/multigrid_rounds_quarks"][-1] >= 1
    assert not any("multigrid" in name for name in with_cg)
    assert numpy.all(found["steps/iterations_quarks_ratio_1"] != with_cg["steps/iterations_quarks_ratio_1"])
    numpy.testing.assert_array_equal(found["steps/iterations_quarks"], with_cg["steps/iterations_quarks"])
    numpy.testing.assert_array_equal(found["steps/accepted"], with_cg["steps/accepted"])
    numpy.testing.assert_allclose(found["steps/delta_h"], with_cg["steps/delta_h"], atol=1e-4)
    chain.plaq(f"{job} {more} --set output.prefix=all --set solver.largest_twist=1").succeeded()
    all_by_multigrid = history(chain, "all.history.h5")
    assert numpy.all(all_by_multigrid["steps/iterations_quarks"] != with_cg["steps/iterations_quarks"])
    numpy.testing.assert_allclose(all_by_multigrid["steps/delta_h"], with_cg["steps/delta_h"], atol=1e-4)
    chain.plaq(f"{job} {more} --set output.prefix=two", 2).succeeded()
    expect_same(found, history(chain, "two.history.h5"))
    assert chain.bytes("two.000002.nersc") == chain.bytes("field.000002.nersc")


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
    box.plaq(f"run hmc.toml {more} --set output.prefix=two", 2).succeeded()
    expect_same(found, history(box, "two.history.h5"))
    plan = json.loads(box.plaq("plan hmc.toml --location gpu --gpu h200 --cost --json --ranks 1 --assume iterations=300 "
                               f"--assume iterations:poles=10 {more}").succeeded().out)
    parts = {part["name"]: part for part in plan["points"][0]["parts"]}
    poles = parts["quarks_2_rational_1: poles: iteration, 1 right-hand side"]
    assert poles["loops"] > 0 and poles["loops"] % 2 == 0  # two systems for each
    assert poles["passes"] == 10 * poles["loops"]


@pytest.mark.parametrize("action, beta", [("symanzik", 4.0), ("iwasaki", 2.2), ("dbw2", 1.0), ("luscher_weisz", 6.5)])
def test_gauge_actions_alone(box, action, beta):
    box.write("hmc.toml", QUENCHED.format(action=action, beta=beta))
    more = "--set gauge.u0=0.86" if action == "luscher_weisz" else ""
    box.plaq(f"run hmc.toml {more}").succeeded()
    found = history(box)
    assert len(found["steps/delta_h"]) == 2
    assert numpy.all(numpy.abs(found["steps/delta_h"]) < 20)
    assert not any("quarks" in name for name in found)


def test_multigrid_solves_light_doublets(chain):
    job = ("run hmc.toml --set lattice.extents=[4,4,4,4] --set action.kappa=0.13 --set action.twisted_mass=-0.01 "
           "--set hmc.steps=[2,1] "
           "--set update.thermalization=1 --set update.separation=1")
    more = ("--set solver.preconditioner=multigrid --set multigrid.blocks='[\"2x2x2x2\"]' --set multigrid.vectors=[4] "
            "--set multigrid.rounds=2 --set output.prefix=fast --set solver.force_tolerance=1e-10")
    chain.plaq(f"{job} --set solver.force_tolerance=1e-10").succeeded()
    chain.plaq(f"{job} {more}").succeeded()
    with_cg, found = history(chain), history(chain, "fast.history.h5")
    assert numpy.all(found["steps/iterations_quarks_ratio_1"] != with_cg["steps/iterations_quarks_ratio_1"])  # the first field is cold
    assert found["steps/iterations_quarks_ratio_1"][-1] < with_cg["steps/iterations_quarks_ratio_1"][-1]
    numpy.testing.assert_array_equal(found["steps/iterations_quarks"], with_cg["steps/iterations_quarks"])
    numpy.testing.assert_allclose(found["steps/delta_h"], with_cg["steps/delta_h"], atol=1e-4)
    assert "setup of multigrid" in chain.plaq(f"plan --cost hmc.toml {more} --set action.twisted_mass=0.01").out


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


def test_wrong_settings(chain):
    for more, part in (("hmc.twists=[0.1,0.5]", "twists become smaller"),
                       ("gauge.c1=-0.1", "is read only with action = \"rectangles\""),
                       ("gauge.action=rectangles", "the coefficient of rectangles"),
                       ("action.mass=0.1", "'mass' is given as well"),
                       ("hmc.flavours=[2,1]", "found 2 numbers for 1 masses"),
                       ("hmc.flavours=[1]", "a ladder has two flavours of a mass"),
                       ("hmc.flavours=[4]", "1 to 3"),
                       ("hmc.even_odd=both", "asymmetric"),
                       ("hmc.heavier_masses=[0.5]", "twists or masses, not both"),
                       ("hmc.heavier_kappas=[0.13]' --set 'hmc.twists=",
                        "mass -0.15384615 (kappa 0.13) is not larger than mass 0.16666667 (kappa 0.12)"),
                       ("hmc.heavier_kappas=[0.11,0.1]' --set 'hmc.twists=", "masses become smaller, and kappas larger"),
                       ("hmc.heavier_kappas=[0.11]' --set 'hmc.heavier_masses=[0.5]' --set 'hmc.twists=",
                        "heavier_masses is given too"),
                       ("hmc.even_odd=symmetric' --set 'solver.preconditioner=multigrid",
                        "multigrid is for the asymmetric form"),
                       ("hmc.even_odd=symmetric' --set 'hmc.flavours=[1]' --set 'hmc.twists=", "needs a pair of flavours"),
                       ("rational.factors=2", "needs an odd number of flavours"),
                       ("rational.range=[1.0,2.0]", "needs an odd number of flavours"),
                       ("rational.tolerance=1e-16", "must be 1e-14 to 0.1"),
                       ("solver.largest_twist=0.1", "needs preconditioner"),
                       ("hmc.steps=[3]", "found 1 numbers for 2 time scales"),
                       ("hmc.steps=", "missing key 'steps'"),
                       ('hmc.integrators=["omelyan4"]', "found 1 names for 2 time scales"),
                       ('hmc.time_scales=["quarks","gauge","strange"]', "strange stands for no term"),
                       ('hmc.time_scales=["quarks","quarks_ratio_1"]', "no time scale has the term gauge"),
                       ('hmc.time_scales=["quarks","quarks gauge"]', "quarks is listed twice"),
                       ("action.kappas=[0.12,0.12]", "'kappa' is given as well"),
                       ('hmc.integrators=["verlet","leapfrog"]', "omelyan2"),
                       ("gauge.u0=0.9", "luscher_weisz"),
                       ("gauge.quenched_beta=5.9", "is read only with start = \"quenched\""),
                       ("gauge.quenched_sweeps=10", "is read only with start = \"quenched\""),
                       ("action_smearing.type=ape", "forces of quarks on ape links are not known"),
                       ("action_smearing.clover_links=thin", "no links are smeared"),
                       (f"hmc.twists={[round(9 - 0.01 * k, 2) for k in range(256)]}".replace(" ", ""),
                        "at most 255 are possible"),
                       ("multigrid.vectors=[100]", "found 100, must be 1 to 64"),
                       ("hmc.acceptance=0.9", "and [update] has 2"),
                       ("hmc.acceptance=1.5", "greater than 0 and less than 1"),
                       ("action.c_sw=", "the coefficient of the clover term"),
                       ("action.boundary=[1,1,1,0]", "sea quarks have 1 or -1"),
                       ("action.xi=2.0", "is for xi = 1")):
        chain.plaq(f"run hmc.toml --set '{more}'").failed(3, part)


def test_quenched_links_need_colours(chain):
    chain.plaq("run hmc.toml --set gauge.start=quenched --set gauge.action=iwasaki --set lattice.extents=[2,4,4,8]").failed(
        3, "needs extents of at least 4")


def test_wrong_smearing(box):
    box.write("hmc.toml", SMEARED)
    for more, part in (("action_smearing.rho=0.15", "amplifies the highest momenta"),
                       ("action_smearing.rho=0.6", "forces need a rho of at most 0.5"),
                       ("action.type=wilson", "have no clover term")):
        box.plaq(f"run hmc.toml --set '{more}'").failed(3, part)
    box.write("hmc.toml", SMEARED.replace('type = "clover"\nkappa = 0.12\nc_sw = 1.2\n', ""))
    box.plaq("run hmc.toml").failed(3, "needs quarks")


def test_an_unstable_integrator_is_told_and_ends(chain):
    chain.plaq("run hmc.toml --set hmc.steps=[1,1] --set hmc.length=6 --set gauge.start=hot").failed(
        6, "trajectory 1: dH is", "take more steps in [hmc]", "the chain does not move")


def test_solves_that_fail_are_told_and_end(chain):
    chain.plaq("run hmc.toml --set solver.max_iterations=4").failed(
        6, "conjugate gradients for kappa = 0.12", "after 4 iterations", "the chain does not move")
