"""Propagator jobs of domain-wall quarks: residual and PCAC masses hang together with the correlators of the same file, the same
bytes on any ranks, and what is wrong with a job."""
import numpy
import pytest

from program import PION, same

WALL = "--set action.type=domain_wall --set action.kappa= --set action.mass=0.1 --set action.m0=1.6 "
ONE = "--set gauge.files=field.000002.nersc "
CHANNELS = "--set 'correlators.channels=[\"pion\", \"axial_pseudoscalar\"]' "
MIDPOINT = "--set correlators.residual_mass=midpoint "
MIDPOINT_PION = "/correlators/midpoint_pion/p_0_0_0/point"


def real_parts(numbers, path, source=0):
    return numbers[path][0, source][:, 0]


def ratio_of_sums(numbers):
    return real_parts(numbers, MIDPOINT_PION).sum() / real_parts(numbers, PION).sum()


def test_masses_are_those_of_the_correlators(propagators):
    more = (WALL + ONE + CHANNELS + MIDPOINT
            + "--set action.n_s=4 --set source.count=2 --set source.shift=[1,2,0,3] --set output.overwrite=true ")
    found = propagators.run("wall", more)
    assert len(found) == 2 + 1 + 5 + 4 + 1 + 1  # the last: positions of sources
    assert found["/residual_mass/summed"].shape == found["/residual_mass/midpoint_plateau"].shape == (1, 2)
    assert found["/residual_mass/midpoint"].shape == found["/residual_mass/pcac"].shape == (1, 2, 8)
    for source in range(2):
        pion, mid, axial = (real_parts(found, path, source) for path in (
            PION, MIDPOINT_PION, "/correlators/axial_pseudoscalar/p_0_0_0/point"))
        ratio, pcac, summed, plateau, pcac_plateau = (found[f"/residual_mass/{name}"][0, source] for name in (
            "midpoint", "pcac", "summed", "midpoint_plateau", "pcac_plateau"))
        assert abs(ratio - mid / pion).max() < 1e-14
        assert abs(pcac - (numpy.roll(axial, -1) - numpy.roll(axial, 1)) / (4 * pion)).max() < 1e-14
        assert (ratio > 0).all()
        assert summed == pytest.approx(mid.sum() / pion.sum(), rel=0, abs=1e-7)  # the Ward identity
        middle = slice(2, 7)  # half of the lattice
        assert plateau == pytest.approx(ratio[middle].mean(), rel=0, abs=1e-15)
        assert pcac_plateau == pytest.approx(pcac[middle].mean(), rel=0, abs=1e-14)
        assert pcac[middle].mean() > 0.05
    content = propagators.box.bytes("wall.h5")
    assert same(propagators.run("wall", more, 2), found)
    assert propagators.box.bytes("wall.h5") == content, "other bytes on 2 ranks"
    assert same(propagators.run("wall", more + "--set solver.columns=4"), found)


def test_summed_masses_and_plateaus(propagators):
    """Odd numbers of slices and optimal weights have the summed mass alone; optimal weights of a narrow interval around 1 are
    nearly Borici's."""
    summed = WALL + ONE + "--set action.n_s=3 --set correlators.residual_mass=summed "
    borici = propagators.run("borici", summed + "--set action.variant=borici --set correlators.plateau=[3,3] ")
    optimal = propagators.run("optimal", summed + "--set action.variant=optimal --set action.bounds=[0.99999,1.00001]")
    for found in (borici, optimal):
        assert len(found) == 1 + 3 + 4 + 1 + 1
        assert "/residual_mass/midpoint" not in found
    assert borici["/residual_mass/pcac_plateau"].flat[0] == borici["/residual_mass/pcac"].flat[3]
    expected = borici["/residual_mass/summed"].flat[0]
    assert abs(expected) > 1e-4
    assert abs(optimal["/residual_mass/summed"].flat[0] - expected) <= 1e-4 * abs(expected)


def test_smeared_sources_and_sinks(propagators):
    """The source is the one that was smeared, and sinks are smeared afterwards."""
    more = (WALL + ONE + CHANNELS + MIDPOINT
            + "--set action.n_s=4 --set quark_smearing.steps=2 --set quark_smearing.sigma=1 ")
    point = propagators.run("point", more)
    both = propagators.run("both", more + "--set 'correlators.sinks=[\"point\", \"smeared\"]' --set solver.columns=3")
    assert same({path: both[path] for path in point}, point)
    assert abs(point["/residual_mass/summed"].flat[0] - ratio_of_sums(point)) < 1e-7


def test_weights_of_each_slice_and_anisotropy(propagators):
    """Weights that are given are those of a variant where they are the same numbers; the Ward identity holds on anisotropic
    lattices and for weights that are the same read backwards, too."""
    more = WALL + ONE + MIDPOINT + "--set action.n_s=4 "
    weights = "--set action.omega=[1.5,1.5,1.5,1.5] --set action.sigma=[0.5,0.5,0.5,0.5] --set action.xi=1.25 "
    moebius = propagators.run("moebius", more + "--set action.variant=moebius --set action.b5=1.5 --set action.c5=0.5 "
                              "--set action.xi=1.25 ")
    general = propagators.run("general", more + weights)
    assert same(general, moebius)
    assert abs(general["/residual_mass/summed"].flat[0] - ratio_of_sums(general)) < 1e-7
    isotropic = propagators.run("isotropic", more + weights + "--set action.xi=1.0 ")
    assert abs(real_parts(isotropic, PION)[4] / real_parts(general, PION)[4] - 1) > 0.01
    palindrome = (WALL + ONE + "--set action.n_s=3 --set correlators.residual_mass=summed --set action.omega=[1.2,0.7,1.2] "
                  "--set action.sigma=[0.5,0.1,0.5] --set output.overwrite=true ")
    alone = propagators.run("palindrome", palindrome)
    assert abs(alone["/residual_mass/summed"].flat[0]) > 1e-4
    content = propagators.box.bytes("palindrome.h5")
    assert same(propagators.run("palindrome", palindrome, 2), alone)
    assert propagators.box.bytes("palindrome.h5") == content, "other bytes on 2 ranks"
    # Another operator: its result is not that of this job.
    propagators.propagator("--set output.file=palindrome.h5 " + palindrome + "--set action.nu=0.9 --set output.overwrite=false"
                           ).failed(5, "palindrome.h5", "exists")


WRONG = {
    MIDPOINT: ("residual_mass", "needs domain-wall quarks", "type = \"domain_wall\""),
    WALL + MIDPOINT + "--set action.n_s=5": ("residual_mass", "n_s = 5, has no midpoint", "\"summed\""),
    WALL + MIDPOINT + "--set action.n_s=4 --set action.variant=optimal": ("residual_mass", "the same weights", "\"summed\""),
    WALL + "--set action.n_s=4 --set correlators.plateau=[2,4]": ("plateau", "residual_mass"),
    WALL + "--set action.n_s=4 --set action.omega=[1,2,3]": ("sigma", "give omega and sigma together"),
    WALL + "--set action.n_s=4 --set action.omega=[1,1,1,1] --set action.sigma=[1,1,1]":
        ("action.sigma", "found 3 numbers", "n_s = 4"),
    WALL + "--set action.n_s=2 --set action.omega=[1,1] --set action.sigma=[1,1] --set action.variant=borici":
        ("variant", "'omega' or 'sigma' is given"),
    WALL + "--set action.n_s=2 --set action.omega=[1,1] --set action.sigma=[1,1] --set action.b5=1.5": ("b5", "moebius"),
    WALL + "--set action.n_s=2 --set action.omega=[1,0] --set action.sigma=[1,1]": ("omega", "greater than 0"),
    WALL + MIDPOINT + "--set action.n_s=2 --set action.omega=[1,2] --set action.sigma=[0.5,1.5]":
        ("residual_mass", "the same weights", "\"summed\""),
    WALL + "--set action.n_s=2 --set action.omega=[1,2] --set action.sigma=[1,1] --set correlators.residual_mass=summed":
        ("residual_mass", "gamma5-hermitian"),
    WALL + MIDPOINT + "--set action.n_s=4 --set correlators.plateau=[4,2]": ("plateau", "comes after"),
    WALL + MIDPOINT + "--set action.n_s=4 --set correlators.plateau=[2,8] --set lattice.extents=[4,4,4,8]": ("plateau", "0 to 7"),
    WALL + MIDPOINT + "--set action.n_s=4 --set correlators.plateau=[2,8]": ("plateau", "0 to 7"),
}


@pytest.mark.parametrize("more", WRONG)
def test_wrong_jobs(propagators, more):
    propagators.propagator(more).failed(3, *WRONG[more])
    assert not propagators.box.exists("pion.h5")
