"""All-mode averaging: blocks of approximate and exact sources, their corrected mean, resumption, growth and what is refused."""
import json

import h5py
import numpy
import pytest

from program import same

SOURCES = "--set source.positions=random --set source.position_seed=5 "
SOLVER = "--set solver.tolerance=1e-9 --set solver.precision=double "
FUNCTIONS = ("--set 'correlators.channels=[\"pion\",\"proton\"]' --set quark_smearing.steps=2 --set quark_smearing.sigma=1.0 "
             "--set 'correlators.sinks=[\"point\",\"smeared\"]' --set 'three_point.insertions=[\"pion\",\"proton_u\"]' "
             "--set three_point.sink_time=3 ")
PATHS = ("/correlators/pion/p_0_0_0/point", "/correlators/proton/p_0_0_0/smeared", "/three_point/pion/vector_t/p_0_0_0",
         "/three_point/proton_u/axial_z/p_0_0_0")


def average(exact, limit="iterations=6", count=3):
    return f"--set approximation.exact={exact} --set approximation.{limit} --set source.count={count} " + SOURCES + SOLVER


def test_blocks_and_their_mean(propagators):
    more = average(2) + FUNCTIONS
    found = propagators.run("average", more)
    plain = propagators.run("plain", SOURCES + SOLVER + FUNCTIONS + "--set source.count=2")
    fields, paths = 2, [path for path in plain if path.startswith(("/correlators/", "/three_point/"))]
    assert set(PATHS) <= set(paths)
    for path in paths:
        # Exact ones are those of a job without approximations, to the bit.
        assert numpy.array_equal(found["/exact" + path], plain[path]), path
        if path.endswith("true_residual"):
            continue
        a, e = found["/approximate" + path], found["/exact" + path]
        assert a.shape == (fields, 3, *e.shape[2:]) and e.shape[:2] == (fields, 2), path
        mean = a.mean(axis=1) + (e - a[:, :2]).mean(axis=1)
        assert found[path].shape == (fields, 1, *e.shape[2:])
        scale = abs(a).max()
        assert numpy.allclose(found[path][:, 0], mean, rtol=0, atol=1e-14 * scale), path
    for path in PATHS:
        a, e = found["/approximate" + path][:, :2], found["/exact" + path]
        assert 1e-9 < abs(a - e).max() / abs(e).max() < 0.3, "approximations of " + path
    assert (found["/approximate/solves/iterations"] == 6).all() and found["/approximate/solves/iterations"].shape == (fields, 3, 12)
    residual = found["/approximate/solves/residual"]
    assert (residual > 1e-7).all() and (residual < 0.1).all()
    sequential = found["/approximate/three_point/proton_u/residual"]
    assert (sequential > 1e-7).all() and (sequential < 0.1).all()
    assert found["/solves/true_residual"].shape == (fields, 2, 12) and found["/solves/true_residual"].max() < 1.01e-9
    assert found["/sources/position"].shape == (fields, 3, 4)
    assert numpy.array_equal(found["/sources/position"][:, :2], plain["/sources/position"])
    with h5py.File(propagators.box / "average.h5", "r") as file:
        attributes = dict(file["/approximation"].attrs)
    assert (attributes["exact"], attributes["iterations"]) == (2, 6)


def test_any_number_of_ranks(propagators):
    more = average(1, "iterations=4", 2) + ("--set solver.tolerance=1e-6 --set 'gauge.files=[\"field.000002.nersc\"]' "
                                            "--set 'correlators.channels=[\"pion\"]' --set 'three_point.insertions=[\"pion\"]' "
                                            "--set three_point.sink_time=3")
    alone = propagators.run("average", more)
    for ranks in (2, 4):
        assert same(propagators.run(f"average{ranks}", more, ranks), alone), ranks


def test_equal_tolerances_make_equal_blocks(propagators):
    found = propagators.run("equal", average(1, "tolerance=1e-9", 2))
    path = PATHS[0]
    a = found["/approximate" + path]
    assert numpy.array_equal(a[:, :1], found["/exact" + path])
    assert numpy.array_equal(found[path][:, 0], a.mean(axis=1))
    loose = propagators.run("loose", average(2, "tolerance=1e-2", 2))
    # If all sources are exact, what is approximate cancels.
    assert numpy.allclose(loose[path][:, 0], loose["/exact" + path].mean(axis=1), rtol=1e-12)
    assert loose["/approximate/solves/residual"].max() > 1e-4
    assert numpy.array_equal(loose["/exact" + path], a) and not numpy.array_equal(loose["/approximate" + path], a)


def test_noise_on_one_slice_needs_no_random_site(propagators):
    noise = "--set source.type=z2 --set source.seed=3 --set source.count=3 " + SOLVER
    found = propagators.run("noise", noise + "--set approximation.exact=1 --set approximation.iterations=5 ")
    plain = propagators.run("plain", noise)
    assert numpy.array_equal(found["/exact" + PATHS[0]][:, 0], plain[PATHS[0]][:, 0])
    propagators.propagator(noise + "--set approximation.exact=1 --set approximation.iterations=5 --set source.shift=[0,0,0,2]").failed(
        3, "random sites")


@pytest.mark.parametrize("quarks, limit", (
    ("--set action.type=domain_wall --set action.kappa= --set action.mass=0.3 --set action.n_s=4", "iterations=12"),
    ("--set action.type=staggered --set action.kappa= --set action.mass=0.4 --set 'correlators.channels=[\"pion_ps\"]'", "iterations=6"),
    ("--set solver.preconditioner=multigrid --set 'multigrid.blocks=[\"2x2x2x2\"]' --set 'multigrid.vectors=[4]'", "iterations=2")))
def test_other_quarks_and_multigrid(propagators, quarks, limit):
    more = quarks + " --set 'gauge.files=[\"field.000002.nersc\"]' " + SOURCES + "--set solver.tolerance=1e-9 --set source.count=2 "
    found = propagators.run("average", more + f"--set approximation.exact=1 --set approximation.{limit}")
    plain = propagators.run("plain", more)
    channel = "pion_ps" if "staggered" in quarks else "pion"
    path = f"/correlators/{channel}/p_0_0_0/point"
    scale = abs(plain[path]).max()
    assert abs(found["/exact" + path][:, 0] - plain[path][:, 0]).max() < 1e-7 * scale
    # Approximations are near, and their correction is nearer to the exact mean.
    a, exact = found["/approximate" + path], plain[path].mean(axis=1)
    assert 1e-9 * scale < abs(a - plain[path]).max() < 0.1 * scale
    assert abs(found[path][:, 0] - exact).max() < 0.1 * scale
    assert (found["/approximate/solves/iterations"] == int(limit.split("=")[1])).all()


def test_plans_count_both_kinds_of_solves(propagators):
    cost = propagators.box.plaq("plan propagator.toml --cost --json " + average(2, "iterations=40", 5)).succeeded().out
    parts = [part for part in json.loads(cost)["points"][0]["parts"] if "iteration, 12" in part["name"]]
    assert sorted((part["loops"], part["passes"], "approximate" in part["name"]) for part in parts) == [
        (2, 2 * 1000, False), (5, 5 * 40, True)]


def test_analyse_takes_the_corrected_mean(propagators):
    found = propagators.run("average", average(1))
    propagators.box.plaq("analyse average.h5 --json numbers.json --channel pion").succeeded()
    block = json.loads(propagators.box.bytes("numbers.json"))["blocks"][0]
    shown = block["correlators"]["pion p=0,0,0 point"]["value"]
    assert numpy.allclose(shown, found[PATHS[0]][:, 0, :, 0].mean(axis=0), rtol=1e-12)
    assert "24, iterations" in block["facts"]["solves"]


@pytest.mark.parametrize("more, parts", (
    ("--set approximation.exact=1 " + SOURCES, ("iterations", "iterations = 50")),
    ("--set approximation.iterations=5 " + SOURCES, ("exact", "exact = 1")),
    (average(1) + "--set approximation.tolerance=0.1", ("tolerance", "another limit")),
    (average(1) + "--set approximation.modes=true", ("modes", "another limit")),
    (average(1, "modes=true"), ("deflation", "modes that approximate")),
    (average(1, "tolerance=1e-10"), ("tolerance", "below")),
    (average(4), ("exact", "3 sources")),
    (average(1, "iterations=0"), ("iterations", "1 to")),
    ("--set approximation.exact=1 --set approximation.iterations=5", ("exact", "random sites")),
    (average(1) + "--set solver.halo_precision=half", ("halo_precision", "process grid")),
    (average(1) + "--set solver.method=gcr --set solver.preconditioner=multigrid --set multigrid.local_smoother=true",
     ("local_smoother", "process grid")),
    (average(1) + "--set output.propagators=hdf5", ("propagators", "exact solutions")),
    (average(1) + "--set 'action.kappas=[0.1,0.11]' --set action.kappa=", ("exact", "one mass"))))
def test_wrong_keys_are_one_error(propagators, more, parts):
    propagators.propagator(more).failed(3, *parts)
