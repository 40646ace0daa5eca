"""Propagator jobs of several masses: the numbers of jobs with one mass each, mesons of two masses by both ways, multi-shift CG, one
setup of multigrid for all, going on, and what there is of one mass alone."""
import numpy
import pytest

from program import same

TWO_KAPPAS = "--set action.kappa= --set 'action.kappas=[0.11, 0.10]' "
ONE_FIELD = "--set gauge.files=field.000002.nersc "
CONTRACT = """job = "contract"
[gauge]
files = ["field.*.nersc"]
[quarks]
names = ["light", "strange"]
files = ["both/{field}.k0.11.s{source}.prop.h5", "b/{field}.s{source}.prop.h5"]
[source]
count = 2
[quark_smearing]
steps = 2
sigma = 1.1
[correlators]
channels = ["pion"]
sinks = ["point", "smeared"]
mesons = ["light_strange"]
[output]
file = "kaon.h5"
[run]
location = "host"
threads = 1
"""


def path(channel, sink="point"):
    return f"/correlators/{channel}/p_0_0_0/{sink}"


def test_are_those_of_one_mass_each(propagators):
    box = propagators.box
    more = ("--set quark_smearing.steps=2 --set quark_smearing.sigma=1.1 --set source.count=2 --set source.shift=[1,0,2,3] "
            "--set 'correlators.sinks=[\"point\", \"smeared\"]' --set 'correlators.channels=[\"pion\", \"proton\", \"lambda\"]' "
            "--set output.propagators=hdf5 --set output.propagator_directory=")
    for folder in ("a", "b", "both"):
        (box / folder).mkdir()
    light = propagators.run("light", more + "a")
    heavy = propagators.run("heavy", more + "b --set action.kappa=0.10")
    both = propagators.run("both", more + "both " + TWO_KAPPAS + "--set correlators.pairs=all", 2)
    for sink in ("point", "smeared"):
        for one, quark in ((light, "k0.11"), (heavy, "k0.1")):
            for channel, quarks in (("pion", 2), ("proton", 2), ("lambda", 3)):
                found = both[path(f"{channel}.{'_'.join([quark] * quarks)}", sink)]
                assert numpy.array_equal(found, one[path(channel, sink)]), (channel, quark, sink)
    for name in ("true_residual", "iterations", "updates", "attempts"):  # [configuration][source][mass]...
        for mass, one in enumerate((light, heavy)):
            assert numpy.array_equal(both[f"/solves/{name}"][:, :, mass], one[f"/solves/{name}"]), name
    for source in ("s0", "s1"):
        assert same(box.numbers(f"both/field.000004.nersc.k0.1.{source}.prop.h5"),
                    box.numbers(f"b/field.000004.nersc.{source}.prop.h5"))
    # The kaon by the other way.
    box.write("contract.toml", CONTRACT)
    box.plaq("run contract.toml").succeeded()
    kaon = box.numbers("kaon.h5")
    for sink in ("point", "smeared"):
        assert numpy.array_equal(kaon[path("pion.light_strange", sink)], both[path("pion.k0.11_k0.1", sink)])


def test_equal_pairs_alone_and_the_same_bits_on_any_ranks(propagators):
    found = propagators.run("one", TWO_KAPPAS)
    content = propagators.box.bytes("one.h5")
    assert path("pion.k0.1_k0.1") in found
    assert path("pion.k0.11_k0.1") not in found
    for ranks in (2, 4):
        (propagators.box / "one.h5").unlink()
        propagators.run("one", TWO_KAPPAS, ranks)
        assert propagators.box.bytes("one.h5") == content, ranks


STAGGERED = ONE_FIELD + "--set action.kappa= --set action.type=staggered "
MASSES = STAGGERED + "--set 'action.masses=[0.3, 0.1, 0.5]' --set correlators.pairs=all "
AGAIN = "--set output.overwrite=true "


@pytest.mark.parametrize("source, parities", (("", 1), ("--set source.position=[1,0,0,3] ", 1),
                                              ("--set source.type=box --set source.size=[2,2,2] ", 2)))
def test_staggered_masses_share_a_krylov_space(propagators, source, parities):
    """Within the tolerance of solves of their own, and to the true residual. Of a point there is one parity, of a box both."""
    outcome = propagators.propagator(MASSES + source + AGAIN + "--set output.file=all.h5", 2).succeeded()
    assert "3 masses together" in outcome.err, outcome
    every = propagators.box.numbers("all.h5")
    assert (every["/solves/true_residual"] <= 1e-9).all() and (every["/solves/true_residual"] > 0).all()
    for mass in ("0.3", "0.1", "0.5"):
        one = propagators.run("one", STAGGERED + source + AGAIN + f"--set action.mass={mass}")[path("pion_ps")]
        found = every[path(f"pion_ps.m{mass}_m{mass}")]
        assert found.shape == one.shape
        assert abs(found[..., 0] / one[..., 0] - 1).max() < 1e-7, mass
    # In one precision: no more iterations than the lightest takes alone, but a few, for all of them.
    plain = "--set solver.mixed=none " + source + AGAIN
    iterations = propagators.run("plain", MASSES + plain)["/solves/iterations"]
    alone = propagators.run("alone", STAGGERED + plain + "--set action.mass=0.1")["/solves/iterations"]
    assert iterations.max() <= parities * (alone.max() + 4)


@pytest.mark.parametrize("more", ("--set solver.method=bicgstab ", "--set solver.columns=1 ",
                                  "--set 'action.masses=[0.3, 0.5]' "))
def test_what_a_shared_krylov_space_does_not_help(propagators, more):
    outcome = propagators.propagator(MASSES + more + "--set output.file=other.h5").succeeded()
    assert "masses together" not in outcome.err, outcome


def test_one_setup_of_multigrid(propagators):
    """One setup serves all masses; a source has the same bits behind another one and alone."""
    multigrid = (ONE_FIELD + "--set action.kappa= --set 'action.kappas=[0.155, 0.16]' --set solver.preconditioner=multigrid "
                 "--set 'multigrid.blocks=[\"2x2x2x2\"]' --set multigrid.vectors=[6] --set source.count=2 ")
    two = propagators.run("two", multigrid + "--set source.shift=[1,2,3,5]")
    swapped = propagators.run("swapped", multigrid + "--set source.position=[1,2,3,5] --set source.shift=[3,2,1,3]", 2)
    assert two["/solves/multigrid_rounds"].shape == (1, 2, 2)
    assert two["/solves/multigrid_lattices"].flatten().tolist() == [1, 1, 1, 1]
    for channel in ("pion.k0.155_k0.155", "pion.k0.16_k0.16"):
        assert numpy.array_equal(two[path(channel)], swapped[path(channel)][:, ::-1]), channel
    assert (two["/solves/true_residual"] <= 1e-9).all()


def test_go_on(propagators):
    """The first field is there and the second one misses: what goes on has the bits of a calm run, files included."""
    box = propagators.box
    written = TWO_KAPPAS + "--set output.propagators=hdf5 --set output.file=calm.h5 "
    calm = propagators.run("calm", written)
    second = "field.000004.nersc.k0.1.s0.prop.h5"
    propagator = box.numbers(second)
    easier, harder = (int(one.max()) for one in calm["/solves/iterations"])
    if easier >= harder:
        pytest.skip("the second field is not the harder one")
    for name in ("calm.h5", *box.names("*.prop.h5")):
        (box / name).unlink()

    def limited(iterations, ranks=1):
        return propagators.propagator(written + f"--set solver.max_iterations={iterations}", ranks)

    limited(harder - 1).failed(6, "field.000004.nersc", "1 of 2 fields are done")
    on = limited(10000, 2).succeeded()
    assert "going on: 1 of 2 fields" in on.err, on
    assert same(box.numbers("calm.h5"), calm)
    assert same(box.numbers(second), propagator)


WRONG = {
    "--set 'action.kappas=[0.1, 0.11]'": ("kappas", "'kappa' is given as well"),
    "--set action.kappa= --set 'action.masses=[0.1]' --set 'action.kappas=[0.1]'": ("kappas", "'masses' is given as well"),
    "--set action.kappa= --set 'action.masses=[0.1, 0.1]'": ("0.1 is listed twice",),
    "--set action.kappa=": ("missing key 'mass' or 'kappa'",),
    "--set correlators.pairs=all": ("pairs", "several masses"),
    TWO_KAPPAS + "--set 'three_point.insertions=[\"pion\"]' --set three_point.sink_time=3": ("insertions", "one mass"),
    TWO_KAPPAS + "--set quark_propagator.max_n=1": ("max_n", "one mass"),
}


@pytest.mark.parametrize("more", WRONG)
def test_wrong_keys(propagators, more):
    propagators.propagator(more).failed(3, *WRONG[more])


def test_are_planned(field_box):
    outcome = field_box.plaq("plan propagator.toml --ranks 2 " + TWO_KAPPAS + "--set output.propagators=hdf5").succeeded()
    assert "k0.11.s0.prop.h5" in outcome.out, outcome
    staggered = field_box.plaq("plan propagator.toml --ranks 2 --set action.kappa= --set action.type=staggered "
                               "--set 'action.masses=[0.1, 0.2, 0.4]'").succeeded()
    assert "multi-shift solve" in staggered.out, staggered
