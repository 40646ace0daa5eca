"""gluon jobs from end to end: propagators of fixed fields, on any ranks, and fields that are not fixed."""
import pytest

from program import GENERATE

FIX = """job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
theta = 1e-18
[output]
file = "fixed.h5"
[run]
location = "host"
threads = 1
"""
GLUON = """job = "gluon"
[gauge]
files = ["landau.field.*.nersc"]
[gluon]
gauge = "landau"
max_n = 2
[ghost]
momenta = "cylinder"
count = 1
tolerance = 1e-6
[output]
file = "gluon.h5"
[run]
location = "host"
threads = 1
"""


@pytest.fixture
def jobs(box):
    for name, text in (("generate", GENERATE), ("fix", FIX), ("gluon", GLUON)):
        box.write(f"{name}.toml", text)
    return box


def make_fields(box, generate="", fix=""):
    box.plaq("run generate.toml " + generate).succeeded()
    box.plaq("run fix.toml " + fix).succeeded()


def run(box, more="", ranks=1):
    box.plaq("run gluon.toml --set output.overwrite=true " + more, ranks).succeeded()
    return box.numbers("gluon.h5")


def test_same_files_on_any_ranks(jobs):
    make_fields(jobs)
    alone = None
    for ranks, comms in ((1, ""), (2, ""), (4, "--set comms.process_grid=[2,2,1,1]"),
                         (1, "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]'")):
        found = run(jobs, comms, ranks)
        alone = alone or jobs.bytes("gluon.h5")
        assert jobs.bytes("gluon.h5") == alone, (ranks, comms)
        assert found["/ghost/dressing"].shape == (2, 1)
        # n up to 2 of 4 in space, ten orbits; n_t up to 4 of 8.
        assert found["/momenta/n"].shape == (50, 4)
        assert found["/gluon/propagator"].shape == (2, 50)
        assert found["/momenta/count"].sum() == 4 * 4 * 4 * 8  # each once
        assert found["/gluon/divergence"].max() < 1e-8
        assert found["/ghost/true_residual"].max() < 1e-6
        assert found["/configurations/trajectory"].tolist() == [2, 4]
    # A second field that comes later is added, and the first one not done again.
    run(jobs, "--set 'gauge.files=[\"landau.field.000002.nersc\"]' ")
    jobs.plaq("run gluon.toml").succeeded()
    assert jobs.bytes("gluon.h5") == alone, "a result that has grown has other bytes"


def test_tree_level_at_weak_coupling(jobs):
    """The average over all momenta of the dressing function, which is 1 to one loop's 0.003 here: 4 fields of 511 momenta with 12
    independent components each."""
    make_fields(jobs, "--set gauge.beta=600 --set gauge.start=cold --set update.thermalization=50 --set update.separation=20 "
                "--set update.configurations=4 --set 'output.prefix=\"field.w\"'")
    found = run(jobs, "--set gluon.beta=600")
    z, d = (found[f"/gluon/{name}"][:, 1:] for name in ("dressing", "propagator"))
    assert len(z) == 4
    assert z == pytest.approx(d * found["/momenta/p_squared"][1:], rel=4e-16, abs=0)
    count = found["/momenta/count"][1:]
    assert abs((count * z).sum() / (4 * count.sum()) - 1) < 0.03
    assert abs(found["/ghost/dressing"] - 1.004).max() < 0.01


def test_coulomb_gauge(jobs):
    make_fields(jobs, "", "--set fixing.gauge=coulomb")
    files = "--set 'gauge.files=[\"coulomb.field.*.nersc\"]' --set gluon.gauge=coulomb "
    found = run(jobs, files + "--set ghost.momenta=none")
    assert found["/momenta/n"].shape == (10, 3)
    assert found["/gluon/spatial"].shape == (2, 10)
    assert found["/gluon/divergence"].max() < 1e-7
    assert (found["/gluon/temporal"] > 0).all()
    assert "/ghost/dressing" not in found
    content = jobs.bytes("gluon.h5")
    run(jobs, files + "--set ghost.momenta=none", 2)
    assert jobs.bytes("gluon.h5") == content
    jobs.plaq("run gluon.toml " + files).failed(3, "ghost", "momenta", "Landau")


def test_refuses_fields_that_are_not_fixed(jobs):
    make_fields(jobs)
    jobs.plaq("run gluon.toml --set 'gauge.files=[\"field.*.nersc\"]'").failed(
        4, "field.000002.nersc", "theta of Landau gauge", "max_theta", "not fixed")
    jobs.plaq("run gluon.toml --set gluon.gauge=coulomb --set ghost.momenta=none --set gluon.max_theta=1e-40").failed(
        4, "landau.field.000002.nersc", "theta of Coulomb gauge", "max_theta = 1e-40")
