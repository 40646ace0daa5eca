"""Quark propagators in momentum space: on unit links the analytic ones at every momentum, with any boundary conditions; the same
numbers on any ranks; fields that are not fixed."""
import numpy
import pytest

import gauge_files
import reference
from program import GENERATE, LANDAU

EXTENTS = (4, 4, 4, 8)
QUARK = """job = "propagator"
[gauge]
files = ["unit.nersc"]
[action]
mass = 0.3
[source]
position = [1, 3, 2, 5]
[solver]
tolerance = 1e-13
[quark_propagator]
max_n = 2
max_n_t = 4
[output]
file = "quark.h5"
[run]
location = "host"
threads = 1
"""


@pytest.fixture
def jobs(box):
    box.write("quark.toml", QUARK)
    box.write("unit.nersc", gauge_files.unit_field(EXTENTS))
    return box


def run(box, more="", ranks=1):
    """{name: numbers of /quark_propagator}"""
    box.plaq("run quark.toml --set output.overwrite=true " + more, ranks).succeeded()
    head = "/quark_propagator/"
    return {path.removeprefix(head): numbers for path, numbers in box.numbers("quark.h5").items() if path.startswith(head)}


def complex_of(numbers):
    return numbers[..., 0] + 1j * numbers[..., 1]


def expect_free(found, boundary, **action):
    scalar, vector = (complex_of(found[name][0, 0]) for name in ("scalar", "vector"))
    assert found["count"].sum() == numpy.prod(EXTENTS)
    for row, n in enumerate(found["n"].astype(int)):
        p = reference.momentum(EXTENTS, n, boundary)
        assert abs(found["p"][row] - p).max() < 1e-14
        s = numpy.linalg.inv(reference.wilson_symbol(p, 0.3, **action))
        assert abs(scalar[row] - numpy.trace(s) / 4) < 1e-12, n
        for mu in range(4):
            # Where p_mu and -p_mu are the same momentum, the average over reflections has no vector.
            is_odd = boundary[mu] < 0 or 2 * n[mu] % EXTENTS[mu] != 0
            expected = numpy.trace(reference.GAMMA[mu] @ s) / 4 if is_odd else 0
            assert abs(vector[row, mu] - expected) < 1e-12, (n, mu)


def expect_tree_level(found, bound):
    """What the file says of the tree level, which analysis takes out."""
    v, s, k = found["tree_vector"], found["tree_scalar"], found["k"]
    assert (abs(found["scalar"][0, 0, :, 0] - s) <= bound * (1 + abs(s))).all()
    assert (abs(found["vector"][0, 0, :, :, 1] + k * v[:, None]) <= bound * (1 + abs(v[:, None]))).all()


def test_on_unit_links_is_the_inverse_of_the_symbol(jobs):
    found = run(jobs)
    expect_free(found, (1, 1, 1, -1))
    expect_tree_level(found, 1e-12)
    assert abs(found["tree_mass"].flat[0] - 0.3) < 1e-14
    assert found["scalar"].shape == (1, 1, 40, 2)
    found = run(jobs, "--set action.boundary=[-1,1,1,1] --set source.count=2 --set source.shift=[3,2,1,6]")
    expect_free(found, (-1, 1, 1, 1))
    assert found["scalar"].shape[1] == 2
    assert abs(found["vector"][0, 0] - found["vector"][0, 1]).max() < 1e-12
    found = run(jobs, "--set action.boundary=[-1,-1,-1,-1] --set action.xi=2.5 --set action.nu=1.2", 2)
    expect_free(found, (-1, -1, -1, -1), xi=2.5, nu=1.2)
    expect_tree_level(found, 1e-12)


@pytest.mark.parametrize("variant", (
    "--set action.variant=shamir --set action.xi=1.5 --set action.nu=1.2",
    "--set action.variant=moebius --set action.b5=1.5 --set action.c5=0.5",
    "--set action.variant=optimal --set action.bounds=[0.3,6.4]",
    "--set action.omega=[1.5,1.2,0.8,1.0,1.1,1.4] --set action.sigma=[0.5,0.1,0.3,0.0,0.2,0.4]"))
def test_domain_walls_on_unit_links_are_their_tree_level(jobs, variant):
    walls = "--set action.type=domain_wall --set action.n_s=6 --set action.m0=1.4 --set solver.tolerance=1e-12 "
    expect_tree_level(run(jobs, walls + variant), 2e-11)


def test_same_files_on_any_ranks_and_fixed_fields_alone(jobs):
    jobs.write("generate.toml", GENERATE)
    jobs.write("fix.toml", LANDAU)
    jobs.plaq("run generate.toml").succeeded()
    jobs.plaq("run fix.toml").succeeded()
    keys = ("--set 'gauge.files=[\"landau.field.*.nersc\"]' --set action.type=clover --set action.c_sw=1.0 --set action.mass=0.5 "
            "--set solver.tolerance=1e-9 ")
    alone = None
    for ranks, comms in ((1, ""), (2, ""), (4, "--set comms.process_grid=[2,2,1,1]")):
        found = run(jobs, keys + comms, ranks)
        alone = alone or jobs.bytes("quark.h5")
        assert jobs.bytes("quark.h5") == alone, f"{ranks}: other bytes"
        assert found["scalar"].shape == (2, 1, 40, 2)
    jobs.plaq("run quark.toml --set output.overwrite=true --set 'gauge.files=[\"field.000002.nersc\"]'").failed(
        4, "field.000002.nersc", "theta of Landau gauge", "max_theta", "[quark_propagator]")


@pytest.mark.parametrize("more, parts", (
    ("--set source.type=wall", ("max_n", "point")),
    ("--set quark_smearing.steps=2 --set quark_smearing.sigma=1.0", ("max_n", "source = false")),
    ("--set action.type=staggered", ("max_n", "staggered"))))
def test_wrong_jobs(jobs, more, parts):
    jobs.plaq("run quark.toml " + more).failed(3, *parts)
