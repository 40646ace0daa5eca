"""Propagator jobs of staggered quarks from end to end: written propagators are M^-1 of the source and give the correlators; sources;
what is of other quarks."""
import h5py
import numpy
import pytest

import staggered_reference as staggered
from lattice import coordinates
from program import same

EXTENTS = (4, 4, 4, 8)
MASS = 0.3
FIELDS = ("field.000002.nersc", "field.000004.nersc")
WRITTEN = FIELDS[0] + ".s0.prop.lime"
ACTION = f"--set action.kappa= --set action.type=staggered --set action.mass={MASS} --set output.overwrite=true "
WRITE = "--set output.propagators=scidac "
ONE_FIELD = f"--set gauge.files={FIELDS[0]} "
PION = "/correlators/pion_ps/p_0_0_0/point"

# phi(r) is the sum of (-1)^(signs r).
SIGNS = {
    "pion_ps": ((0, 0, 0),),
    "pion_sc": ((1, 1, 1),),
    "rho_vt": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "rho_vt_y": ((0, 1, 0),),
    "rho_pv": ((1, 1, 0), (1, 0, 1), (0, 1, 1)),
    "rho_pv_z": ((1, 1, 0),),
}


def channels(*names):
    return "--set 'correlators.channels=[" + ", ".join(f'"{name}"' for name in names) + "]' "


ALL_CHANNELS = channels(*SIGNS, "nucleon")


@pytest.fixture
def links(propagators):
    """Thin links of the first field."""
    return staggered.read_links(propagators.box / FIELDS[0])


@pytest.fixture
def written(propagators):
    """Reads a propagator that was written in SciDAC format."""
    return lambda name=WRITTEN: staggered.scidac_propagator(propagators.box.bytes(name), EXTENTS)


def source_of(value):
    """The field of value(x, y, z, t)."""
    x, y, z, t = coordinates(EXTENTS)
    return numpy.where(value(x, y, z, t), 1.0, 0.0)


def point(at):
    return source_of(lambda x, y, z, t: (x == at[0]) & (y == at[1]) & (z == at[2]) & (t == at[3]))


def expect_correlators(found, file, source, s, at, n):
    scale = abs(staggered.meson(s, [(0, 0, 0)], (0, 0, 0), at)[0])
    expected = {name: (staggered.meson(s, signs, n, at), 1e-13 * scale) for name, signs in SIGNS.items()}
    nucleon = staggered.nucleon(s, n, at, -1)
    expected["nucleon"] = nucleon, 1e-12 * abs(nucleon).max()
    for name, (values, bound) in expected.items():
        c = found[f"/correlators/{name}/p_{n[0]}_{n[1]}_{n[2]}/point"][file, source]
        assert abs(c[:, 0] + 1j * c[:, 1] - values).max() < bound, (name, n)


def test_propagators_are_inverses_and_give_the_correlators(propagators, written):
    box = propagators.box
    more = ACTION + ALL_CHANNELS + ("--set source.count=2 --set source.position=[0,1,2,5] --set source.shift=[1,1,0,4] "
                                    "--set correlators.max_momentum_squared=2 ")
    found = propagators.run("pion", more + WRITE)
    assert same(propagators.run("pion", more + WRITE, 4), found)
    content = box.bytes(FIELDS[0] + ".s1.prop.lime")
    assert same(propagators.run("pion", more + "--set output.propagators=hdf5", 2), found)
    propagators.run("pion", more + WRITE + "--set 'comms.force_partition=[\"y\", \"t\"]'")
    assert box.bytes(FIELDS[0] + ".s1.prop.lime") == content
    assert found["/solves/true_residual"].shape == (2, 2, 3)
    for file, field in enumerate(FIELDS):
        links = staggered.read_links(box / field)
        for source, at in enumerate(((0, 1, 2, 5), (1, 2, 2, 1))):
            s = written(f"{field}.s{source}.prop.lime")
            assert numpy.array_equal(staggered.hdf5_propagator(box / f"{field}.s{source}.prop.h5"), s)
            assert staggered.residual(point(at), s, MASS, links) < 1e-8
            for n in ((0, 0, 0), (1, 0, -1), (0, 1, 0)):
                expect_correlators(found, file, source, s, at, n)


AT = (1, 2, 3, 4)
IMPROVED = ACTION + ONE_FIELD + WRITE + "--set source.position=[1,2,3,4] --set action.boundary=[1,-1,1,-1] "


def test_the_mass_may_be_given_as_its_double(propagators):
    milc = propagators.run("milc", ACTION + ONE_FIELD)
    doubled = propagators.run("doubled", f"{ACTION} {ONE_FIELD} --set action.mass={2 * MASS} --set action.mass_convention=doubled")
    assert numpy.array_equal(milc[PION], doubled[PION])


def test_asqtad_links_come_from_the_thin_ones(propagators, links, written):
    """Coefficients: Orginos, Toussaint, Sugar, Phys. Rev. D 60 (1999) 054503; paths without their signs."""
    found = propagators.run("asqtad", IMPROVED + "--set action.type=asqtad --set action.u0=0.9 ")
    s, two = written(), 0.9**2
    fat = staggered.fat_links(links, one=5 / 8, three=1 / (16 * two), five=1 / (64 * two**2), seven=1 / (384 * two**3),
                              lepage=-1 / (16 * two**2))
    assert staggered.residual(point(AT), s, MASS, fat, staggered.three_link_products(links), -1 / (24 * two), (1, -1, 1, -1)) < 1e-8
    assert abs(found[PION][0, 0, 1, 0] / (abs(s[5])**2).sum() - 1) < 1e-12


def test_hisq_links_come_from_the_thin_ones(propagators, links, written):
    """Follana et al. 2007, with the numbers of MILC's programs."""
    hisq, epsilon = IMPROVED + "--set action.type=hisq ", -0.3
    propagators.run("hisq", f"{hisq} --set action.epsilon={epsilon}", 2)
    w = staggered.unitary_factor(staggered.fat_links(links, 1 / 8, 1 / 16, 1 / 64, 1 / 384, 0))
    fat = staggered.fat_links(w, 1 + epsilon / 8, 1 / 16, 1 / 64, 1 / 384, -1 / 8)
    assert staggered.residual(point(AT), written(), MASS, fat, staggered.three_link_products(w), -(1 + epsilon) / 24,
                              (1, -1, 1, -1)) < 1e-8
    for more, parts in (("--set solver.links=12", ("'links' in [solver]", "hisq")),
                        ("--set solver.inner_links=8", ("'inner_links' in [solver]", "hisq")),
                        ("--set action_smearing.type=stout", ("'type' in [action_smearing]", "hisq")),
                        ("--set action.type=asqtad --set action.epsilon=0.1", ("'epsilon' in [action]",))):
        propagators.propagator(hisq + more).failed(3, *parts)


WALLS = {
    "corner_wall": ("", lambda x, y, z, t: (t == 6) & (x % 2 == 1) & (y % 2 == 0) & (z % 2 == 1)),
    "wall": ("", lambda x, y, z, t: t == 6),
    "momentum": ("--set source.momentum=[2,0,2]", lambda x, y, z, t: t == 6),
}


@pytest.mark.parametrize("kind", WALLS)
def test_walls(propagators, links, written, kind):
    more, on = WALLS[kind]
    found = propagators.run(kind, ACTION + WRITE + ONE_FIELD + ALL_CHANNELS + "--set source.position=[3,0,1,6] "
                            f"--set source.type={kind} {more}", 2)
    source = source_of(on)
    if kind == "momentum":
        x, _, z, _ = coordinates(EXTENTS)
        source *= (-1.0)**(x + z)
    assert staggered.residual(source, written(), MASS, links) < 1e-8
    if kind == "corner_wall":
        expect_correlators(found, 0, 0, written(), (3, 0, 1, 6), (0, 0, 0))


def test_noise_is_that_of_its_seed(propagators):
    noise = ACTION + ONE_FIELD + "--set source.type=z4 --set source.seed="
    seven, again, eight = (propagators.run(name, noise + seed, ranks)
                           for name, seed, ranks in (("seven", "7", 1), ("again", "7", 4), ("eight", "8", 1)))
    assert same(seven, again)
    assert not numpy.array_equal(seven[PION], eight[PION])


def test_results_say_what_they_are(propagators):
    propagators.run("pion", ACTION + ALL_CHANNELS)
    with h5py.File(propagators.box / "pion.h5", "r") as file:
        def text(path, name):
            value = file[path].attrs[name]
            return value.decode() if isinstance(value, bytes) else value

        def of(channel, name):
            return text(f"/correlators/{channel}/p_0_0_0/point", name)

        assert of("pion_ps", "symmetry") == "cosh"
        for channel in ("pion_sc", "rho_vt", "rho_vt_y", "rho_pv", "rho_pv_z"):
            assert of(channel, "symmetry") == "cosh_oscillating"
        assert of("nucleon", "symmetry") == "baryon_oscillating"
        for channel, part in (("pion_ps", "phi = 1, S = M^-1 b, M = m + D/2, M^-1 = 2 (2m + D)^-1"),
                              ("pion_sc", "phi = (-1)^(x+y+z),"), ("rho_vt", "phi = (-1)^(x) + (-1)^(y) + (-1)^(z),"),
                              ("rho_pv_z", "phi = (-1)^(x+y),")):
            assert part in of(channel, "normalization")
        assert text("/source", "columns") == "color of the source"


def test_smeared_sources_and_sinks(propagators, links, written):
    """The source and the sink are smeared by two-link hops over smeared or thin links."""
    more = ONE_FIELD + ACTION + ("--set solver.tolerance=1e-12 --set source.position=[1,2,0,3] --set quark_smearing.steps=3 "
                                 "--set quark_smearing.sigma=1.4 --set 'correlators.sinks=[\"point\", \"smeared\"]' ")
    found, s = propagators.run("smeared", more + WRITE), written()
    source = staggered.two_link_smeared(links, point((1, 2, 0, 3))[..., None, None] * numpy.eye(3), 1.4, 3)
    assert staggered.distance(staggered.operator(s, MASS, links), source) < 1e-11
    for sink, field in (("point", s), ("smeared", staggered.two_link_smeared(links, s, 1.4, 3))):
        expected = numpy.roll((abs(field)**2).sum(axis=(1, 2, 3, 4, 5)), -3)
        assert abs(found[f"/correlators/pion_ps/p_0_0_0/{sink}"][0, 0, :, 0] / expected - 1).max() < 1e-12
    assert same(propagators.run("smeared", more, 4), found)


WRONG = {
    channels("pion", "pion_ps", "proton"): ("'channels'", "pion, proton", "quarks with spin", "\"staggered\"", "pion_ps"),
    "--set source.type=z2 --set source.seed=1 --set correlators.channels=rho_vt": ("rho_vt", "noise"),
    "--set source.type=z2 --set source.seed=1 --set correlators.channels=nucleon": ("nucleon", "three quarks"),
    "--set action.type=wilson --set correlators.channels=nucleon": ("nucleon", "of staggered quarks"),
    "--set quark_smearing.steps=2": ("sigma", "width"),
    "--set action.mass=0": ("mass", "greater than 0"),
    "--set action.type=wilson --set correlators.channels=pion_ps": ("pion_ps", "of staggered quarks", "\"wilson\""),
    "--set action.type=wilson --set source.type=corner_wall": ("corner_wall", "staggered", "wall"),
}


@pytest.mark.parametrize("more", WRONG)
def test_each_rule_is_one_error(propagators, more):
    propagators.propagator(ACTION + more).failed(3, *WRONG[more])
    assert not propagators.box.exists("pion.h5")
