"""Noise that belongs to the trajectory, grids, walls of staggered quarks, derivatives and momenta of sources, by formulas on whole lattices
and by what their propagators have in common."""
import numpy
import pytest

import lime
import reference
from program import PION, same
from test_source_positions import philox

SCIDAC = "--set output.propagators=scidac --set output.overwrite=true "
ROUGH = "--set solver.tolerance=1e-3 "
ONE = "--set gauge.files=field.000002.nersc "
STAGGERED = "--set action.kappa= --set action.type=staggered --set action.mass=0.3 "
NOISE = 4  # purpose noise_source
NOISE_SEED = 11  # purpose noise_seed in core/algebra/random.hpp


def seed_of(seed, trajectory, replica=0):
    low, high = philox(seed, (trajectory & 0xFFFFFFFF, trajectory >> 32 | NOISE_SEED << 16, 0, replica))[:2]
    return (high << 32 | low) >> 1


def test_noise_by_trajectory(propagators):
    """It is the noise of a seed that belongs to the field."""
    job = ROUGH + "--set source.type=z3 --set source.count=2 --set source.seed="
    assert seed_of(5, 2) == 584914441384393217, "never to change"
    found = propagators.run("found", job + "5 --set source.by_trajectory=true", 2)
    for place, trajectory in enumerate((2, 4)):
        alone = propagators.run("alone", job + f"{seed_of(5, trajectory)} --set gauge.files=field.00000{trajectory}.nersc "
                                "--set output.overwrite=true")
        assert numpy.array_equal(found[PION][place], alone[PION][0]), trajectory
    # A copy of trajectory 4 that its name calls trajectory 7 of replica 3, and propagators that know their seed.
    propagators.box.write("run3.7.nersc", propagators.box.bytes("field.000004.nersc"))
    propagators.run("named", SCIDAC + job + "5 --set source.by_trajectory=true --set gauge.files=run3.7.nersc "
                    "--set gauge.numbering=run{replica}.{trajectory}.nersc")
    text = propagators.box.bytes("run3.7.nersc.s1.prop.lime")
    assert f"seed = {seed_of(5, 7, 3)}\n".encode() in text
    propagators.box.write("nameless.nersc", propagators.box.bytes("field.000002.nersc").replace(b"SEQUENCE_NUMBER", b"SEQUENCE_NOTHIN"))
    propagators.propagator(job + "5 --set source.by_trajectory=true --set gauge.files=nameless.nersc --set output.file=no.h5", 2).failed(
        3, "nameless.nersc", "trajectory", "numbering")


@pytest.mark.parametrize("kind", ("z2", "z3", "z4", "u1", "normal"))
def test_noise_is_the_same_on_any_ranks(propagators, kind):
    job = ONE + ROUGH + f"--set source.type={kind} --set source.seed=7 --set source.position=[1,0,1,3] --set source.spacing=[2,4,1]"
    one, again = propagators.run("one", job), propagators.run("again", job, 4)
    assert same(one, again)
    assert not numpy.array_equal(one[PION], propagators.run("all", job.replace("spacing=[2,4,1]", "spacing=[1,1,1]"))[PION])


def spin_noise(links, extents, seed, t):
    """Columns of Z2 noise on a time slice in all colors, [site, spin, color][spin]: bit 31 of samples 0, 1 and 2."""
    b = numpy.zeros((len(links), 4, 3, 4), dtype=complex)
    for site, x in enumerate(reference.sites(extents)):
        for color in range(3):
            word = philox(seed, (site, NOISE << 16, color, 0))[0]
            b[site, range(4), color, range(4)] = (-1 if word >> 31 else 1) if x[3] == t else 0
    return b.reshape(-1, 4)


def test_noise_that_is_diluted_in_spin_alone(propagators):
    """Four solves by a dense matrix, whose colors are summed in mesons; other columns are 0."""
    box, extents = propagators.box, (2, 2, 4, 4)
    box.plaq("run generate.toml --set lattice.extents=[2,2,4,4] --set update.configurations=1 --set output.prefix=small").succeeded()
    _, links = reference.read_nersc(box / "small.000002.nersc")
    q = numpy.linalg.solve(reference.wilson_matrix(extents, links, 1 / 0.22 - 4), spin_noise(links, extents, 9, 1)).reshape(-1, 12, 4)
    s = numpy.zeros((len(links), 12, 12), dtype=complex)
    s[:, :, ::3] = q
    job = (SCIDAC + "--set gauge.files=small.000002.nersc --set solver.tolerance=1e-12 --set source.position=[0,0,0,1] "
           "--set source.type=z2 --set source.seed=9 --set source.dilution=spin --set 'correlators.channels=[\"pion\", \"rho_y\"]' ")
    found = propagators.run("one", job)
    content = box.bytes("small.000002.nersc.s0.prop.lime")
    assert b'dilution = "spin"\n' in content
    assert abs(reference.scidac_propagator(content) - s).max() < 1e-10 * abs(s).max()
    assert found["/solves/true_residual"].shape == (1, 1, 4)
    for channel, gamma in (("pion", reference.GAMMA5), ("rho_y", reference.GAMMA[1])):
        expected = reference.meson(extents, s, s, gamma, gamma, (0, 0, 0), (0, 0, 0, 1))
        values = found[f"/correlators/{channel}/p_0_0_0/point"][0, 0]
        assert abs(values[:, 0] + 1j * values[:, 1] - expected).max() < 1e-9 * abs(expected).max(), channel
    for ranks, more in ((4, ""), (2, "--set solver.columns=2")):
        assert same(propagators.run("other", job + more, ranks), found), ranks
        assert more or box.bytes("small.000002.nersc.s0.prop.lime") == content, ranks


def test_spin_dilution_averages_to_the_same_mesons(propagators):
    """The mean over samples is the sum over points of the slice, as of noise in twelve columns."""
    box = propagators.box
    box.plaq("run generate.toml --set lattice.extents=[2,2,2,4] --set update.configurations=1 --set output.prefix=small").succeeded()
    job = "--set gauge.files=small.000002.nersc --set solver.tolerance=1e-8 "
    exact = sum(propagators.run(f"point{i}", job + f"--set source.position=[{i & 1},{i >> 1 & 1},{i >> 2},0]")[PION][0, 0, :, 0]
                for i in range(8))
    noise = job + "--set source.type=z2 --set source.seed=3 --set source.count=256 "
    for more in ("", "--set source.dilution=spin"):
        samples = propagators.run("noise" + more[-4:], noise + more)[PION][0, :, :, 0]
        error = samples.std(axis=0) / 16
        assert (abs(samples.mean(axis=0) - exact) < 5 * error + 1e-6 * exact).all(), more
        assert (error < 0.2 * exact).all(), more


@pytest.mark.parametrize("more", (
    "", "--set solver.preconditioner=multigrid --set 'multigrid.blocks=[\"2x2x2x2\"]' --set 'multigrid.vectors=[6]'",
    "--set action.kappa= --set action.type=domain_wall --set action.mass=0.1 --set action.m0=1.6 --set action.n_s=4 "
    "--set solver.tolerance=1e-5",
    "--set action.kappa= --set 'action.kappas=[0.11, 0.10]'",
    "--set action.kappa= --set action.type=staggered --set action.mass=0.3"))
def test_spin_dilution_of_all_quarks(propagators, more):
    """Columns that are left out are 0."""
    job = ONE + SCIDAC + "--set source.type=z4 --set source.seed=3 --set source.dilution=spin " + more
    found = propagators.run("noise", job)
    assert found["/solves/true_residual"].shape[-1] == (1 if "staggered" in more else 4)
    names = propagators.box.names("*.prop.lime")
    assert len(names) == (2 if "kappas" in more else 1)
    for name in names:
        numbers = lime.numbers(propagators.box.bytes(name))
        if "staggered" in more:
            assert numpy.count_nonzero(numbers) == 3 * 512
            continue
        norms = (abs(reference.scidac_propagator(propagators.box.bytes(name)))**2).sum(axis=(0, 1)).reshape(4, 3)
        assert (norms[:, 1:] == 0).all() and (norms[:, 0] > 0).all(), name


def test_grids(propagators):
    """One site of a grid is a point, all sites are a wall."""
    position = ONE + "--set source.position=[1,2,3,5] "
    for spacing, other in (("[4,4,4]", "point"), ("[2,2,2]", "corner_wall")):
        job = position + (STAGGERED + "--set 'correlators.channels=[\"pion_ps\", \"rho_vt\"]' " if other == "corner_wall" else "")
        expected = propagators.run(other, job + f"--set source.type={other}")
        found = propagators.run("grid_" + other, job + f"--set source.type=grid --set source.spacing={spacing}", 2)
        for path in expected:
            if path.startswith("/correlators"):
                assert numpy.array_equal(found[path], expected[path]), path


def test_even_walls(propagators):
    """Even and odd sites together are the wall."""
    box = propagators.box

    def solved(kind, ranks=1):
        propagators.run(kind, ONE + SCIDAC + STAGGERED + "--set solver.tolerance=1e-12 "
                        f"--set source.position=[1,0,0,3] --set source.type={kind}", ranks)
        return lime.numbers(box.bytes("field.000002.nersc.s0.prop.lime"))

    wall, even, difference = solved("wall"), solved("even_wall", 2), solved("even_minus_odd_wall", 4)
    assert abs(wall + difference - 2 * even).max() < 1e-10 * abs(wall).max()
    assert abs(even).max() > 1e-3 and abs(difference - even).max() > 1e-3


def test_derivative_of_a_source_that_is_smeared_with_a_momentum(propagators):
    """M^-1 of D_y D_x of a smeared point, by dense matrices on 2x2x4x4."""
    box, extents, n, at = propagators.box, (2, 2, 4, 4), (0.5, -1.25, 0.75), (1, 0, 3, 2)
    box.plaq("run generate.toml --set lattice.extents=[2,2,4,4] --set update.configurations=1 --set output.prefix=small").succeeded()
    _, links = reference.read_nersc(box / "small.000002.nersc")
    volume = len(links)
    ahead = numpy.zeros((3, volume, 3, volume, 3), dtype=complex)  # hops U_i(x) psi(x + i)
    for x, mu, to, _ in reference.hops(extents, (1, 1, 1, -1)):
        if mu < 3:
            ahead[mu, x, :, to, :] += links[x, mu]
    ahead = ahead.reshape(3, 3 * volume, 3 * volume)
    phases = numpy.exp(-2j * numpy.pi * numpy.array(n) / extents[:3])
    sigma, steps = 0.9, 4
    turned = phases[:, None, None] * ahead
    laplacian = sum(hop + hop.conj().T for hop in turned) - 6 * numpy.eye(3 * volume)
    smearing = numpy.linalg.matrix_power(numpy.eye(3 * volume) + sigma**2 / (4 * steps) * laplacian, steps)
    derivative = [0.5 * (hop - hop.conj().T) for hop in ahead]
    color = (derivative[1] @ derivative[0] @ smearing).reshape(volume, 3, volume, 3)[:, :, reference.sites(extents).index(at), :]
    b = numpy.einsum("xij,ab->xaibj", color, numpy.eye(4)).reshape(12 * volume, 12)
    expected = numpy.linalg.solve(reference.wilson_matrix(extents, links, 1 / 0.22 - 4), b).reshape(volume, 12, 12)
    job = (SCIDAC + "--set gauge.files=small.000002.nersc --set solver.tolerance=1e-12 --set source.position=[1,0,3,2] "
           "--set source.derivative=yx --set quark_smearing.steps=4 --set quark_smearing.sigma=0.9 "
           "--set quark_smearing.momentum=[0.5,-1.25,0.75] --set correlators.channels=proton")
    alone = propagators.run("alone", job)
    content = box.bytes("small.000002.nersc.s0.prop.lime")
    assert b'derivative = "yx"\n' in content
    assert abs(reference.scidac_propagator(content) - expected).max() < 1e-10 * abs(expected).max()
    assert same(propagators.run("ranks", job, 4), alone)
    assert box.bytes("small.000002.nersc.s0.prop.lime") == content


MOMENTUM = "--set quark_smearing.steps=4 --set quark_smearing.sigma=1 --set quark_smearing.momentum=[1,0,0] "


@pytest.mark.parametrize("more, parts", (
    ("--set source.by_trajectory=true", ("by_trajectory", "belongs to noise")),
    ("--set source.type=grid", ("spacing", "grid")),
    ("--set source.dilution=spin", ("dilution", "belongs to noise")),
    ("--set source.type=z2 --set source.seed=1 --set source.dilution=spin --set three_point.insertions=pion --set three_point.sink_time=2",
     ("dilution", "three_point.insertions needs")),
    ("--set source.spacing=[2,2,2]", ("spacing", "leave the key out")),
    ("--set source.type=grid --set source.spacing=[3,1,1]", ("spacing", "does not divide")),
    ("--set source.type=z2 --set source.seed=1 --set source.spacing=[1,3,1]", ("spacing", "does not divide")),
    ("--set source.type=even_wall", ("even_wall is of staggered quarks", "wall")),
    ("--set source.type=even_minus_odd_wall", ("of staggered quarks",)),
    ("--set source.derivative=xt", ("derivative", "x, y, z")),
    ("--set source.derivative=xyzx", ("derivative", "1 to 3")),
    (STAGGERED + "--set source.derivative=x", ("derivative", "tastes")),
    ("--set source.derivative=x --set quark_propagator.max_n=1", ("max_n", "without a derivative")),
    (MOMENTUM, ("momentum", "pion needs quark and antiquark of opposite momenta")),
    (MOMENTUM + "--set correlators.channels=proton --set three_point.insertions=pion --set three_point.sink_time=2",
     ("opposite momenta",)),
    ("--set correlators.channels=proton --set quark_smearing.momentum=[1,0,0]", ("momentum", "steps"))))
def test_wrong_keys_are_one_error(propagators, more, parts):
    propagators.propagator(more).failed(3, *parts)
