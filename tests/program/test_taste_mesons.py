"""Mesons of staggered quarks with spins and tastes, from end to end: point-split operators and second solves by a slow formula; local ones
are those of channels; smeared sinks, masses, averages; what is of other quarks."""
import itertools

import numpy
import pytest

import reference
import staggered_reference as staggered
from lattice import ahead, along_axis, coordinates, dagger, flat
from program import same

EXTENTS = (4, 4, 4, 8)
MASS = 0.3
BOUNDARY, USUAL = (1, -1, 1, -1), (1, 1, 1, -1)
AT = (1, 2, 3, 4)
FIELD = "field.000002.nersc"
ACTION = (f"--set action.kappa= --set action.type=staggered --set action.mass={MASS} --set output.overwrite=true --set gauge.files={FIELD} "
          "--set solver.tolerance=1e-11 --set source.position=[1,2,3,4] ")

# Directions of the shift, and the exponents and the sign of the whole phase, of r = x - source.
BILINEARS = {
    "G5-G5X": ("x", "yzt", 1),
    "GY-G1": ("y", "yzt", 1),
    "G1-GXT": ("xt", "x", -1),
}


def tastes(*names):
    return "--set 'correlators.spin_tastes=[" + ", ".join(f'"{name}"' for name in names) + "]' "


def path(name, n=(0, 0, 0), sink="point"):
    return f"/correlators/{name}/p_{n[0]}_{n[1]}_{n[2]}/{sink}"


@pytest.fixture
def links(propagators):
    return staggered.read_links(propagators.box / FIELD)


def shifted(field, links, directions, boundary):
    """The mean over orders of the means of hops forward and backward, over links with the signs of the boundary."""
    x, orders = coordinates(EXTENTS), list(itertools.permutations(directions))
    total = 0
    for order in orders:
        at = field
        for letter in order:
            mu = "xyzt".index(letter)
            u = links[..., mu, :, :] * float(boundary[mu])**((x[mu] + 1) // EXTENTS[mu])[..., None, None]
            at = (u @ ahead(at, *along_axis(mu, 1)) + ahead(dagger(u) @ at, *along_axis(mu, -1))) / 2
        total = total + at
    return total / len(orders)


def solved(b, links, boundary, mass=MASS):
    """M^-1 b by conjugate gradients on M^dagger M, M^dagger = 2 m - M."""
    def apply(f, adjoint=False):
        mf = staggered.operator(f, mass, links, boundary=boundary)
        return 2 * mass * f - mf if adjoint else mf

    x, r = numpy.zeros_like(b), apply(b, True)
    p, norm = r, numpy.vdot(r, r).real
    first = norm
    while norm > 1e-24 * first:
        mp = apply(p)
        step = norm / numpy.vdot(mp, mp).real
        x, r = x + step * p, r - step * apply(mp, True)
        before, norm = norm, numpy.vdot(r, r).real
        p = r + norm / before * p
    return x


def point():
    x, y, z, t = coordinates(EXTENTS)
    here = (x == AT[0]) & (y == AT[1]) & (z == AT[2]) & (t == AT[3])
    return here[..., None, None] * numpy.eye(3, dtype=complex)


def expected(name, links, boundary, n=(0, 0, 0), smeared=lambda field: field, antiquark=MASS):
    directions, exponents, sign = BILINEARS[name]
    s = smeared(solved(point(), links, boundary, antiquark))
    x = smeared(solved(shifted(point(), links, directions, boundary), links, boundary))
    x = shifted(x, links, directions, boundary)
    r = staggered.displacements(EXTENTS, AT)
    phase = sign * (-1.0)**sum(r[:, "xyzt".index(letter)] for letter in exponents)
    return reference.fourier(EXTENTS, phase * (flat(x) * flat(s).conj()).sum(axis=(1, 2)), n, AT)


def expect(found, values):
    c = found[0, 0]
    assert abs(c[:, 0] + 1j * c[:, 1] - values).max() < 1e-9 * abs(values).max()


def test_bilinears_are_those_of_all_paths(propagators, links):
    more = (ACTION + "--set action.boundary=[1,-1,1,-1] --set correlators.max_momentum_squared=1 " + tastes("pion_5", "rho_i", *BILINEARS)
            + "--set 'correlators.channels=[\"pion_ps\", \"rho_vt\"]' ")
    found = propagators.run("tastes", more, 2)
    assert same(propagators.run("again", more, 4), found)
    for name in BILINEARS:
        for n in ((0, 0, 0), (0, 1, 0)):
            expect(found[path(name, n)], expected(name, links, BOUNDARY, n))
    for local, name in (("pion_ps", "pion_5"), ("rho_vt", "rho_i")):
        assert numpy.array_equal(found[path(local)], found[path(name)])
    assert found["/spin_tastes/true_residual"].shape == (1, 1, 3, 3)  # shifts x, y and xt, of three columns
    assert found["/spin_tastes/true_residual"].max() < 1e-11


def test_smeared_sinks_and_masses(propagators, links):
    """Sinks of both quarks are smeared before the shift. With many masses quarks have names."""
    more = ACTION + tastes("G1-GXT") + ("--set quark_smearing.steps=2 --set quark_smearing.sigma=1.2 --set quark_smearing.source=false "
                                        "--set 'correlators.sinks=[\"point\", \"smeared\"]' ")
    found = propagators.run("smeared", more)
    smearing = {"point": lambda field: field, "smeared": lambda field: staggered.two_link_smeared(links, field, 1.2, 2)}
    both = propagators.run("masses", more + f"--set action.mass= --set action.masses=[{MASS},0.5] --set correlators.pairs=all "
                           + "--set correlators.channels=pion_ps " + tastes("G1-GXT", "G5-G5"))
    for sink, smeared in smearing.items():
        expect(found[path("G1-GXT", sink=sink)], expected("G1-GXT", links, USUAL, smeared=smeared))
        c, alone = both[path(f"G1-GXT.m{MASS}_m{MASS}", sink=sink)], found[path("G1-GXT", sink=sink)]
        assert abs(c - alone).max() < 1e-9 * abs(alone).max()
        expect(both[path(f"G1-GXT.m{MASS}_m0.5", sink=sink)], expected("G1-GXT", links, USUAL, smeared=smeared, antiquark=0.5))
        assert numpy.array_equal(both[path(f"G5-G5.m{MASS}_m0.5", sink=sink)], both[path(f"pion_ps.m{MASS}_m0.5", sink=sink)])
    assert both["/spin_tastes/true_residual"].shape == (1, 1, 2, 1, 3)


def test_averages_of_approximations_are_corrected(propagators):
    """Approximate solves of shifted sources, too: the mean over all sources is that of approximations, corrected."""
    more = ACTION + tastes("pion_i5") + "--set approximation.exact=1 --set approximation.iterations=4 --set source.count=2 " \
        "--set source.position= --set source.positions=random --set source.position_seed=5 "
    found, name = propagators.run("average", more), path("pion_i5")
    approximate, exact = found["/approximate" + name], found["/exact" + name]
    assert 1e-6 < abs(approximate[0, 0] - exact[0, 0]).max() / abs(exact).max() < 0.5
    mean = approximate.mean(axis=1) + exact[:, 0] - approximate[:, 0]
    assert abs(found[name][:, 0] - mean).max() < 1e-13 * abs(mean).max()


WRONG = {
    tastes("G5-G6"): ("'spin_tastes'", "G5-G6", "pion_i5"),
    tastes("G5-G5X", "G5-G5X"): ("'spin_tastes'", "twice"),
    "--set source.type=z2 --set source.seed=1 " + tastes("G5-G5X"): ("'spin_tastes'", "noise"),
    "--set action.type=wilson --set correlators.channels=pion " + tastes("G5-G5X"): ("'spin_tastes'", "staggered"),
}


@pytest.mark.parametrize("more", WRONG)
def test_each_rule_is_one_error(propagators, more):
    propagators.propagator(ACTION + more).failed(3, *WRONG[more])
