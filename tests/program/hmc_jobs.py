"""Job files of hybrid Monte Carlo with each kind of sea quarks, on lattices of a second, and what chains of them leave."""
import h5py
import numpy
import pytest

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


def short(job):
    """Two trajectories on 4x4x4x4, of which the second one is taken back."""
    return job.replace("4, 4, 4, 8", "4, 4, 4, 4").replace("configurations = 2", "configurations = 1").replace(
        "reversibility_every = 3", "reversibility_every = 2")


# A pair and a third flavour of one mass.
FORMS = short(HMC).replace("steps = [3, 2]", "flavours = [3]\nsteps = [4, 2]").replace("[output]", """[rational]
tolerance = 1e-5
[output]""")
# Hops on smeared and the clover term on thin links.
SMEARED = HMC.replace("[update]", """[action_smearing]
type = "stout"
steps = 2
rho = 0.12
clover_links = "thin"
[update]""")
STAGGERED = short(HMC).replace('"clover"', '"staggered"').replace("kappa = 0.12\nc_sw = 1.2", """\
masses = [0.2, 0.5]
[action_smearing]
type = "stout"
steps = 1
rho = 0.12""").replace("twists = [0.5]\n", "").replace("steps = [3, 2]", """flavours = [2, 5]
pseudofermions = [1, 2]
steps = [3, 2]""").replace("[output]", """[rational]
tolerance = 1e-5
[output]""")
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
# 2+1 flavours in one pseudofermion, in a ratio to a heavy mass, on two time scales.
JOINT = short(HMC).replace('"clover"', '"staggered"').replace("kappa = 0.12\nc_sw = 1.2", """\
masses = [0.4, 0.15]""").replace("twists = [0.5]", """flavours = [1, 2]
joint_masses = true
heavier_masses = [1.0]""").replace("steps = [3, 2]", """time_scales = ["quarks_ratio_1", "quarks gauge"]
steps = [4, 2]""").replace("[output]", """[rational]
tolerance = 1e-5
[output]""")
HISQ = JOINT.replace("4, 4, 4, 4", "4, 4, 4, 8").replace('"staggered"', '"hisq"').replace(
    "masses = [0.4, 0.15]", "masses = [0.4, 0.15, 0.8]").replace(
    "flavours = [1, 2]", "flavours = [1, 2, 1]\nepsilons = [0.0, 0.0, -0.15]").replace('[gauge]\nbeta = 5.5', """[gauge]
action = "luscher_weisz"
u0 = 0.87
flavours = 4
beta = 6.5""").replace("steps = [4, 2]", "steps = [3, 2]").replace("quarks_ratio_1", "quarks_1_ratio_1")
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


def history(box, name="field.history.h5"):
    with h5py.File(box / name) as file:
        found = {}
        file.visititems(lambda path, item: found.update({path: item[()]}) if isinstance(item, h5py.Dataset) else None)
        return found


def expect_same(a, b):
    assert a.keys() == b.keys()
    for path, values in a.items():
        numpy.testing.assert_array_equal(values, b[path], err_msg=path)


def expect_same_beginning(box, found, more=""):
    """The first trajectory of hmc.toml has the same bits on two ranks: `found` is the history of more of them."""
    box.plaq(f"run hmc.toml {more} --set output.prefix=two --set update.thermalization=1 --set update.configurations=1", 2).succeeded()
    first = history(box, "two.history.h5")
    assert first.keys() == found.keys() and len(first["steps/delta_h"]) == 1
    for path, values in first.items():
        if not path.startswith("configurations/"):  # which thermalization numbers
            numpy.testing.assert_array_equal(values, found[path][:len(values)], err_msg=path)


def expect_same_fields(box, folder):
    names = [name for name in box.names() if name.startswith("field.") and name.endswith(".nersc")]
    assert len(names) == 2
    for name in names:
        assert box.bytes(name) == box.bytes(f"{folder}/{name}")


def seconds(box, name="field.seconds"):
    head, names, *rows = (box / name).read_text().splitlines()
    assert head.startswith("# plaq ") and names.startswith("# trajectory all files observables "), (head, names)
    table = [dict(zip(names.split()[1:], map(float, row.split()), strict=True)) for row in rows]
    for row in table:
        assert min(row.values()) >= 0
        parts = sum(value for part, value in row.items() if part not in ("trajectory", "all"))
        assert row["all"] == pytest.approx(parts, rel=1e-4), row
    return table


def expect_refusals(box, rows):
    for more, part in rows:
        box.plaq(f"run hmc.toml --set '{more}'").failed(3, part)
