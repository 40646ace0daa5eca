"""Dirichlet boundaries in time of Wilson and clover quarks: propagators and correlators of the inverse of a dense matrix without the hops
across the edge, sources far from the edge that do not see it, the same numbers on any ranks and by any solver, and jobs that want
momenta in time."""
import h5py
import numpy
import pytest

import reference
from program import GENERATE, PROPAGATOR, Sandbox, same
from test_sources import CHI_1, PLUS

EXTENTS = (2, 2, 2, 4)
DIRICHLET = "--set action.boundary=[1,1,1,0] "
CHANNELS = "--set 'correlators.channels=[\"pion\", \"proton\"]' --set correlators.max_momentum_squared=1 "
MASS = 0.4
AT = (1, 0, 1, 2)


@pytest.fixture(scope="module")
def one_field(tmp_path_factory):
    made = Sandbox(tmp_path_factory.mktemp("dirichlet"))
    made.write("generate.toml", GENERATE)
    made.plaq("run generate.toml --set lattice.extents=[2,2,2,4] --set update.configurations=1").succeeded()
    return made.bytes("field.000002.nersc")


@pytest.fixture
def small(box, one_field):
    box.write("field.000002.nersc", one_field)
    box.write("propagator.toml", PROPAGATOR.replace("kappa = 0.11", f"mass = {MASS}"))
    return box


def run(box, more="", ranks=1):
    box.plaq("run propagator.toml --set output.overwrite=true --set solver.tolerance=1e-12 " + DIRICHLET + more, ranks).succeeded()
    return box.numbers("pion.h5")


def complex_of(numbers):
    return numbers[..., 0] + 1j * numbers[..., 1]


def dense_inverse(box):
    extents, links = reference.read_nersc(box / "field.000002.nersc")
    assert extents == EXTENTS
    size = 12 * len(links)
    unit = numpy.eye(size, dtype=complex).reshape(-1, 12, size)
    matrix = reference.wilson(EXTENTS, links, MASS, unit, (1, 1, 1, 0)).reshape(size, size)
    periodic = reference.wilson(EXTENTS, links, MASS, unit, (1, 1, 1, 1)).reshape(size, size)
    assert abs(matrix - periodic).max() > 0.1
    return numpy.linalg.inv(matrix).reshape(-1, 12, size // 12, 12)


def test_correlators_are_those_of_the_dense_inverse(small):
    s = dense_inverse(small)[:, :, reference.sites(EXTENTS).index(AT)]
    found = run(small, CHANNELS + f"--set 'source.position={list(AT)}'")
    unit, five = reference.UNIT, reference.GAMMA5
    for n in ((0, 0, 0), (0, 1, 0)):
        path = "/p_" + "_".join(map(str, n)) + "/point"
        pion = reference.meson(EXTENTS, s, s, five, five, n, AT)
        # Slices behind the edge have no sign.
        proton = numpy.einsum("ab,tba->t", PLUS, reference.baryon(EXTENTS, s, [(unit, CHI_1, CHI_1)], n, AT, 1))
        for channel, expected in (("pion", pion), ("proton", proton)):
            values = complex_of(found[f"/correlators/{channel}{path}"][0, 0])
            assert abs(values - expected).max() < 1e-9 * abs(expected).max(), (channel, n)
    with h5py.File(small / "pion.h5") as file:
        assert file["correlators/pion/p_0_0_0/point"].attrs["symmetry"] == "none"
        assert list(file["action"].attrs["boundary"]) == [1, 1, 1, 0]


def test_files_of_propagators_are_columns_of_the_inverse_and_contract_again(small):
    found = run(small, CHANNELS + f"--set 'source.position={list(AT)}' --set output.propagators=hdf5")
    name, = small.names("*.prop.h5")
    s = dense_inverse(small)[:, :, reference.sites(EXTENTS).index(AT)]
    assert abs(reference.propagator(small / name) - s).max() < 1e-10
    small.write("contract.toml", f"""job = "contract"
[gauge]
files = ["field.*.nersc"]
[quarks]
names = ["light"]
files = ["{name}"]
[correlators]
channels = ["pion", "proton"]
[output]
file = "contract.h5"
[run]
location = "host"
threads = 1
""")
    small.plaq("run contract.toml").failed(4, "sign 0 in time", "dirichlet")
    small.plaq("run contract.toml --set quarks.boundary=dirichlet").succeeded()
    again = small.numbers("contract.h5")
    for channel, quarks in (("pion", "light_light"), ("proton", "light_light")):
        one, other = again[f"/correlators/{channel}.{quarks}/p_0_0_0/point"], found[f"/correlators/{channel}/p_0_0_0/point"]
        assert abs(one - other).max() < 1e-12 * abs(other).max(), channel


def test_conserved_charge_between_source_and_sink(small):
    """No charge flows across the edge: it is C2 times a number that jumps by 1 at the source and at the sink."""
    found = run(small, "--set 'three_point.insertions=[\"pion\"]' --set three_point.sink_time=2 --set three_point.conserved=true "
                "--set source.position=[0,0,0,1]")
    two = complex_of(found["/correlators/pion/p_0_0_0/point"][0, 0])[2]
    charge = complex_of(found["/conserved/pion/vector_t/p_0_0_0"][0, 0]) / two  # on links from t = 1, 2, 3 and 0
    assert abs(charge - [1, 1, 0, 0]).max() < 1e-9, charge


@pytest.mark.parametrize("quarks", ("", "--set action.type=clover --set action.c_sw=1.2 "))
def test_same_numbers_on_any_ranks_and_by_multigrid(box, quarks):
    box.write("generate.toml", GENERATE)
    box.write("propagator.toml", PROPAGATOR)
    box.plaq("run generate.toml --set update.configurations=1").succeeded()
    keys = quarks + "--set source.position=[1,2,3,2] "
    alone, sign = run(box, keys), run(box, keys + "--set action.boundary=[1,1,1,-1]")
    for ranks, comms in ((2, ""), (4, "--set comms.process_grid=[1,1,2,2]"), (4, "--set comms.process_grid=[1,1,1,4]")):
        assert same(run(box, keys + comms, ranks), alone), comms
    pion = "/correlators/pion/p_0_0_0/point"
    coarse = run(box, keys + "--set solver.preconditioner=multigrid --set 'multigrid.blocks=[\"2x2x2x2\"]' --set 'multigrid.vectors=[6]'")
    assert abs(coarse[pion] - alone[pion]).max() < 1e-9 * abs(alone[pion]).max()
    # Near the source the edge is not seen but by paths around it.
    near, far = (abs(alone[pion][0, 0, t, 0] / sign[pion][0, 0, t, 0] - 1) for t in (0, 5))
    assert near < 1e-3 < far


def test_loops_are_traces_of_the_dense_inverse(small):
    small.write("loops.toml", """job = "loops"
[gauge]
files = ["field.*.nersc"]
[action]
mass = 0.4
boundary = [1, 1, 1, 0]
[noise]
seed = 3
vectors = 1
[dilution]
time = 4
space = [2, 2, 2]
spin = true
color = true
[loops]
currents = ["scalar"]
[solver]
tolerance = 1e-12
[output]
file = "loops.h5"
[run]
location = "host"
threads = 1
""")
    small.plaq("run loops.toml").succeeded()
    traces = numpy.einsum("xixi->x", dense_inverse(small)).reshape(4, -1).sum(axis=1)
    values = complex_of(small.numbers("loops.h5")["/loops/scalar/p_0_0_0"][0])
    assert abs(values - traces).max() < 1e-9 * abs(traces).max()
    assert abs(traces[0] - traces[1]) > 1e-3 * abs(traces[0])


@pytest.mark.parametrize("more, parts", (
    ("--set action.boundary=[1,0,1,1]", ("action.boundary", "0 in space")),
    (DIRICHLET + "--set action.type=staggered", ("action.boundary", "Wilson and clover")),
    (DIRICHLET + "--set action.type=domain_wall --set action.n_s=4", ("action.boundary", "Wilson and clover")),
    (DIRICHLET + "--set quark_propagator.max_n=1", ("quark_propagator.max_n", "Dirichlet"))))
def test_wrong_jobs(small, more, parts):
    small.plaq("run propagator.toml " + more).failed(3, *parts)


def test_sea_quarks_and_vertices_are_refused(box):
    box.write("hmc.toml", """job = "hmc"
[lattice]
extents = [4, 4, 4, 4]
[gauge]
beta = 5.5
[action]
mass = 0.4
boundary = [1, 1, 1, 0]
[hmc]
seed = 1
trajectories = 1
[output]
prefix = "chain"
""")
    box.plaq("run hmc.toml").failed(3, "'boundary' in [action]", "sea quarks")
    box.write("vertices.toml", """job = "vertices"
[gauge]
files = ["field.*.nersc"]
[action]
mass = 0.4
boundary = [1, 1, 1, 0]
[vertices]
momenta = ["0,0,0,1"]
[output]
file = "vertices.h5"
""")
    box.plaq("run vertices.toml").failed(3, "boundary", "Dirichlet")
