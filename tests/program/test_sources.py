"""Kinds of sources and written propagators: what programs of others would read from our files, against the results."""
import itertools

import numpy
import pytest

import reference
from program import PION, foreign_fields, same

SCIDAC, HDF5 = "--set output.propagators=scidac ", "--set output.propagators=hdf5 "
EXTENTS = (4, 4, 4, 8)
P = (1, 0, -1)
GAMMA, G5, UNIT = reference.GAMMA, reference.GAMMA5, reference.UNIT
C = GAMMA[3] @ GAMMA[1]
PLUS, MINUS = 0.5 * (UNIT + GAMMA[3]), 0.5 * (UNIT - GAMMA[3])
CHI_1, CHI_2 = (C @ G5, UNIT, (0, 1, 0)), (C, G5, (0, 1, 0))
# The delta: projected on spin 3/2.
DELTA = [((UNIT if i == j else 0 * UNIT) - GAMMA[i] @ GAMMA[j] / 3, (C @ GAMMA[j], UNIT, (0, 0, 0)), (C @ GAMMA[i], UNIT, (0, 0, 0)))
         for i in range(3) for j in range(3)]


def complex_of(numbers):
    return numbers[..., 0] + 1j * numbers[..., 1]


def correlator(found, channel, p, file, source):
    return complex_of(found[f"/correlators/{channel}/p_{'_'.join(map(str, p))}/point"][file, source])


def expect_mesons_and_protons(found, file, source, s, at):
    for channel, p, expected in (
            ("pion", (0, 0, 0), reference.meson(EXTENTS, s, s, G5, G5, (0, 0, 0), at)),
            ("pion", P, reference.meson(EXTENTS, s, s, G5, G5, P, at)),
            ("rho_y", P, reference.meson(EXTENTS, s, s, GAMMA[1], GAMMA[1], P, at)),
            ("axial_pseudoscalar", (0, 0, 0), reference.meson(EXTENTS, s, s, GAMMA[3] @ G5, G5, (0, 0, 0), at)),
            ("proton", P, numpy.einsum("ab,tba->t", PLUS, reference.baryon(EXTENTS, s, [(UNIT, CHI_1, CHI_1)], P, at, -1)))):
        difference = abs(correlator(found, channel, p, file, source) - expected).max()
        assert difference < 1e-13 * abs(expected).max(), (channel, p, file, source)


def expect_baryons(found, file, source, s, at):
    """The delta, and a spin matrix of another baryon whose other parity was asked for."""
    mixed = reference.baryon(EXTENTS, s, [(UNIT, CHI_2, CHI_1)], P, at, -1)
    spin_3_2 = reference.baryon(EXTENTS, s, DELTA, P, at, -1)
    scale = abs(numpy.trace(spin_3_2, axis1=1, axis2=2)).max()
    for channel, expected in (("proton_21_matrix", mixed), ("proton_21_minus", numpy.einsum("ab,tba->t", MINUS, mixed)),
                              ("delta", numpy.einsum("ab,tba->t", PLUS, spin_3_2))):
        values = correlator(found, channel, P, file, source)
        assert values.size == expected.size, channel
        assert abs(values.reshape(expected.shape) - expected).max() < 1e-12 * scale, channel


def expect_traces(found, file, source):
    """The traces of matrices of spin by hand are the correlators of both parities."""
    for channel, matrix_of, projector in (("proton", "proton", PLUS), ("proton_21_minus", "proton_21", MINUS),
                                          ("delta", "delta", PLUS)):
        matrix = correlator(found, f"{matrix_of}_matrix", (0, 0, 0), file, source).reshape(-1, 4, 4)
        values = correlator(found, channel, (0, 0, 0), file, source)
        assert len(matrix) == len(values)
        scale = abs(matrix).sum(axis=(1, 2))
        assert (abs(values - numpy.einsum("ba,tab->t", projector, matrix)) < 1e-13 * scale).all(), channel


def test_written_propagators_give_the_correlators(propagators):
    box = propagators.box
    more = ("--set source.count=2 --set source.position=[0,1,2,5] --set source.shift=[1,1,1,4] "
            "--set 'correlators.channels=[\"pion\", \"rho_y\", \"axial_pseudoscalar\", \"proton\", \"proton_21_minus\", \"delta\"]' "
            "--set correlators.spin_matrix=true --set correlators.max_momentum_squared=2 --set output.overwrite=true ")
    found = propagators.run("pion", more + SCIDAC)
    propagators.run("pion", more + HDF5)
    alone = {name: box.bytes(name) for name in box.names("*.prop.*")}
    assert len(alone) == 8  # two fields, two sources, two formats
    assert same(propagators.run("pion", more + SCIDAC, 4), found)
    assert same(propagators.run("pion", more + HDF5, 2), found)
    for name, content in alone.items():
        assert box.bytes(name) == content, name
    for file, source in itertools.product(range(2), range(2)):
        name, at = f"field.00000{2 * file + 2}.nersc.s{source}.prop", ((0, 1, 2, 5), (1, 2, 3, 1))[source]
        s = reference.scidac_propagator(box.bytes(f"{name}.lime"))
        assert numpy.array_equal(s, reference.propagator(box / f"{name}.h5")), name
        expect_mesons_and_protons(found, file, source, s, at)
        expect_traces(found, file, source)
    expect_baryons(found, file, source, s, at)
    assert "/correlators/proton_21/p_0_0_0/point" not in found


def test_propagators_are_not_replaced_unasked(propagators):
    box, second = propagators.box, "field.000004.nersc.s0.prop.lime"
    box.write(second, "precious")
    propagators.propagator(SCIDAC, 2).failed(5, second, "exists")
    assert box.bytes(second) == b"precious"
    assert not box.exists("pion.h5")
    propagators.propagator(SCIDAC + "--set output.propagator_directory=nowhere").failed(5, "nowhere")
    # Two fields of one name, from two directories.
    (box / "other").mkdir()
    box.write("other/field.000002.nersc", box.bytes("field.000004.nersc"))
    propagators.propagator(SCIDAC + "--set 'gauge.files=[\"field.000002.nersc\", \"other/field.000002.nersc\"]'").failed(
        3, "field.000002.nersc.s0.prop.lime", "both")
    (box / second).unlink()
    propagators.propagator(SCIDAC).succeeded()
    (box / second).unlink()
    propagators.propagator(SCIDAC).failed(5, "pion.h5", f"{second} is missing")


def test_sources_on_a_slice_are_sums_of_points(propagators):
    """On a slice of 2x2x2 sites every source is a sum of points, and so is its propagator."""
    box, extents, t = propagators.box, (2, 2, 2, 4), 3
    box.plaq("run generate.toml --set lattice.extents=[2,2,2,4] --set update.configurations=1 --set output.prefix=small").succeeded()
    job = SCIDAC + ("--set gauge.files=small.000002.nersc --set solver.tolerance=1e-12 --set output.overwrite=true "
                    "--set source.position=")

    def written(source=0):
        return reference.scidac_propagator(box.bytes(f"small.000002.nersc.s{source}.prop.lime"))

    points = []  # x, y, z; x fastest
    for at in ("[0,0,0,3]", "[0,1,0,3]", "[0,0,1,3]", "[0,1,1,3]"):
        propagators.run("points", f"{job}{at} --set source.count=2 --set source.shift=[1,0,0,0]")
        points += [written(0), written(1)]

    def distance(s, weights):
        """From the sum of points with these weights: the largest of a column, relative."""
        expected = numpy.tensordot(weights, numpy.array(points), 1)
        return (((abs(s - expected)**2).sum(axis=(0, 1)) / (abs(expected)**2).sum(axis=(0, 1)))**0.5).max()

    def solved(name, more):
        found = propagators.run(name, f"{job}[0,0,0,{t}] {more}", 2)
        s = written()
        norms = numpy.bincount(numpy.array(reference.sites(extents))[:, 3], (abs(s)**2).sum(axis=(1, 2)))
        # t counts from the source.
        assert abs(found[PION][0, 0, :, 0] / numpy.roll(norms, -t) - 1).max() < 1e-13, name
        return s

    assert distance(solved("wall", "--set source.type=wall"), numpy.ones(8)) < 1e-10
    phases = [(-1.0)**((i & 1) + (i >> 2 & 1)) for i in range(8)]  # pi (x + z)
    assert distance(solved("momentum", "--set source.type=momentum --set source.momentum=[1,0,1]"), phases) < 1e-10
    noise = solved("noise", "--set source.type=z2 --set source.seed=5")
    assert sum(distance(noise, signs) < 1e-10 for signs in itertools.product((1.0, -1.0), repeat=8)) == 1


@pytest.mark.skipif(foreign_fields() is None, reason="PLAQ_DATA_DIR is not set")
def test_gaussian_of_another_program(propagators):
    """A plain Gaussian in Coulomb gauge; 1 + clover - kappa hop is 2 kappa times our matrix, and the correlator an average over the slice
    of 64 sites."""
    found = propagators.run("gaussian", f"--set gauge.files={foreign_fields()}/l4444_coulomb.nersc --set action.type=clover "
                            "--set action.kappa=0.1 --set action.c_sw=1.2 --set action.boundary=[1,1,1,1] "
                            "--set source.type=gaussian --set source.width=1.5")
    expected = numpy.array((4.408245, 0.2786407, 0.06210014, 0.2631308))
    assert abs(found[PION][0, 0, :4, 0] / (64 * 4 * 0.1 * 0.1) / expected - 1).max() < 2e-5


@pytest.mark.parametrize("kind", ("z2", "z4"))
def test_noise_belongs_to_its_seed(propagators, kind):
    job = f"--set source.count=2 --set source.type={kind} --set source.seed="
    one, again, other = propagators.run("one", job + "7"), propagators.run("again", job + "7", 4), propagators.run("other", job + "8")
    assert same(one, again)
    for source in range(2):
        assert not numpy.array_equal(one[PION][0, source], other[PION][0, source]), source
    assert not numpy.array_equal(one[PION][0, 0], one[PION][0, 1])  # samples
