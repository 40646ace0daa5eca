"""Smeared links from end to end: written as gauge files, and under Dirac operators."""
import numpy
import pytest

from program import MEASURE, PION, PROPAGATOR

FIRST = "field.000002.nersc"
ONE = f"--set gauge.files={FIRST} "
CLOVER = "--set action.type=clover --set action.c_sw=1.2 "
STAGGERED = "--set action.kappa= --set action.type=staggered --set action.mass=0.4 "
WALL = "--set action.kappa= --set action.type=domain_wall --set action.mass=0.4 --set action.n_s=4 "
SMEARINGS = {
    "stout": ("type=stout", "steps=2", "rho=0.08"),
    "ape": ("type=ape", "alpha=0.6", "spatial=true"),
    "hyp": ("type=hyp", "alpha1=0.7"),
    "flow": ("type=flow", "steps=3", "flow_step=0.05"),
}


def keys(table, values):
    """`values` of a table of smearing."""
    return "".join(f"--set {table}.{value} " for value in values)


STOUT = keys("action_smearing", SMEARINGS["stout"])


def measure(box, more, ranks=1):
    return box.plaq("run measure.toml --set output.fields=true " + more, ranks)


@pytest.mark.parametrize("kind", SMEARINGS)
def test_fields_are_written_as_they_are_measured(field_box, kind):
    more = keys("link_smearing", SMEARINGS[kind]) + "--set output.overwrite=true "
    name, alone = f"{kind}.{FIRST}", None
    for ranks in (1, 2, 4) if kind == "hyp" else (1, 4):
        measure(field_box, more, ranks).succeeded()
        alone = alone or field_box.bytes(name)
        assert field_box.bytes(name) == alone, ranks
    assert f"LINK_SMEARING = {kind}".encode() in alone
    measured = field_box.numbers("measured.h5")
    assert measured["/observables/plaquette"].size == 2  # not what was written before
    field_box.plaq(f"info {name}").succeeded()
    # Measured once more.
    field_box.plaq(f"run measure.toml --set output.file=again.h5 --set output.overwrite=true --set gauge.files={name}").succeeded()
    again = field_box.numbers("again.h5")
    for path in ("/observables/plaquette", "/observables/link_trace", "/observables/polyakov_loop"):
        assert numpy.array_equal(again[path][0], measured[path][0]), path
    assert again["/observables/unitarity_violation"][0] < 1e-14


def test_written_fields_belong_to_the_job(field_box):
    stout = keys("link_smearing", SMEARINGS["stout"]) + "--set output.directory=made "
    ildg = stout + "--set output.format=ildg"
    (field_box / "made").mkdir()
    measure(field_box, ildg).succeeded()
    assert field_box.exists("made/stout.field.000002.ildg")
    results = field_box.bytes("measured.h5")
    again = measure(field_box, ildg).succeeded()
    assert "complete" in again.err, again
    # What is missing is not passed over, and what is there not replaced.
    (field_box / "made/stout.field.000004.ildg").unlink()
    measure(field_box, ildg).failed(5, "stout.field.000004.ildg is missing")
    measure(field_box, ildg + " --set output.file=other.h5").failed(5, "stout.field.000002.ildg")
    assert field_box.bytes("measured.h5") == results
    # Nothing would be smeared; no format is of that precision; the flow has no form in space.
    measure(field_box, "", 2).failed(3, "'fields' in [output]")
    measure(field_box, stout + "--set output.format=milc").failed(3, "'format' in [output]")
    measure(field_box, "--set link_smearing.type=flow --set link_smearing.spatial=true").failed(3, "'spatial' in [link_smearing]")


@pytest.mark.parametrize("kind, action, channel", (("hyp", CLOVER, "pion"), ("stout", "", "pion"), ("flow", WALL, "pion"),
                                                   ("ape", STAGGERED, "pion_ps")))
def test_dirac_operators_on_smeared_links_are_those_on_their_files(propagators, kind, action, channel):
    """To the bit: files are in double precision."""
    measure(propagators.box, ONE + keys("link_smearing", SMEARINGS[kind]) + "--set output.overwrite=true").succeeded()
    smeared = propagators.run("smeared", ONE + action + keys("action_smearing", SMEARINGS[kind]), 2)
    written = propagators.run("written", f"--set gauge.files={kind}.{FIRST} {action}")
    thin = propagators.run("thin", ONE + action)
    path = f"/correlators/{channel}/p_0_0_0/point"
    assert numpy.array_equal(smeared[path], written[path])
    assert numpy.array_equal(smeared["/solves/iterations"], written["/solves/iterations"])
    assert not numpy.array_equal(smeared[path], thin[path])


def test_sources_have_links_of_their_own(propagators):
    """Quarks are smeared by links of their own, whatever those of the operator are."""
    quarks = "--set quark_smearing.steps=3 --set quark_smearing.sigma=1.2 --set output.propagators=hdf5 "
    ape = keys("link_smearing", ("type=ape", "steps=2"))
    smeared = propagators.run("both", ONE + ape + quarks + STOUT)
    other = propagators.run("other", ONE + keys("link_smearing", ("type=stout", "rho=0.12")) + "--set output.overwrite=true "
                            + quarks + STOUT)
    assert not numpy.array_equal(smeared[PION], other[PION])
    # A source that is not smeared sees the operator alone.
    point, same = propagators.run("point", ONE + STOUT), propagators.run("same", ONE + ape + STOUT)
    assert numpy.array_equal(point[PION], same[PION])


def test_thin_clover_terms_are_other_operators_and_jobs_know_it(propagators):
    thin = "--set action_smearing.clover_links=thin "
    smeared, bare = propagators.run("smeared", ONE + CLOVER + STOUT), propagators.run("bare", ONE + CLOVER + STOUT + thin, 2)
    assert not numpy.array_equal(smeared[PION], bare[PION])
    # Results of another smearing are not taken as complete.
    propagators.propagator(ONE + CLOVER + STOUT + "--set output.file=bare.h5").failed(5, "bare.h5")
    propagators.propagator(ONE + CLOVER + "--set output.file=bare.h5").failed(5, "bare.h5")
    propagators.propagator(ONE + CLOVER + STOUT + thin + "--set output.file=bare.h5").succeeded()
    propagators.propagator(ONE + STOUT + thin).failed(3, "'clover_links' in [action_smearing]", "wilson")
    propagators.propagator(ONE + CLOVER + thin).failed(3, "'clover_links' in [action_smearing]")
    propagators.propagator(ONE + "--set action.kappa= --set action.mass=0.3 --set action.type=asqtad " + STOUT).failed(
        3, "'type' in [action_smearing]", "asqtad")


GAUGE = f'\n[gauge]\nfiles = ["{FIRST}"]\n'
ACTION = '[action]\ntype = "clover"\nkappa = 0.14\nc_sw = 1.0\n[action_smearing]\ntype = "stout"\nrho = 0.1\n'
RUN = '[run]\nlocation = "host"\nthreads = 1\n'
MULTIGRID = '[multigrid]\nblocks = ["2x2x2x2"]\nvectors = [6]\ndirectory = "setups"\n'


def test_setups_and_eigenvectors_know_their_links(field_box):
    """Setups of multigrid and eigenvectors are of the links that operators have."""
    for directory in ("setups", "modes"):
        (field_box / directory).mkdir()
    field_box.write("setup.toml", 'job = "multigrid_setup"' + GAUGE + ACTION + '[solver]\ntolerance = 1e-8\n[output]\n'
                    'file = "setups.h5"\n' + MULTIGRID + RUN)
    field_box.write("modes.toml", 'job = "eigenvectors"' + GAUGE + ACTION + '[eigenvectors]\ndirectory = "modes"\nmodes = 4\n'
                    '[output]\nfile = "modes.h5"\n' + RUN)
    field_box.write("solve.toml", 'job = "propagator"' + GAUGE + ACTION + '[solver]\ntolerance = 1e-8\n'
                    'preconditioner = "multigrid"\n[output]\nfile = "solve.h5"\n' + MULTIGRID + RUN)
    field_box.plaq("run setup.toml", 2).succeeded()
    field_box.plaq("run modes.toml", 2).succeeded()
    found = field_box.plaq("run solve.toml").succeeded()
    assert "it was made for this operator" in found.err, found
    deflated = ("run solve.toml --set solver.preconditioner= --set solver.deflation=modes --set output.file=deflated.h5 ")
    field_box.plaq(deflated).succeeded()
    for other, what in (("action_smearing.rho=0.11", "checksum of the links"), ("action_smearing.type=none", "checksum of the links"),
                        ("action_smearing.clover_links=thin", "clover_links none in the file")):
        more = f"--set {other} --set output.overwrite=true "
        field_box.plaq("run solve.toml " + more).failed(4, f"setups/{FIRST}.mg.lime", what)
        field_box.plaq(deflated + more).failed(4, f"modes/{FIRST}.eig.lime", "another operator")


CAMPAIGN = """[ensemble]
files = "../field.{trajectory}.nersc"
[task.smear]
job = "smear.toml"
[task.pion]
job = "pion.toml"
gauge = "smear"
"""


def test_campaigns_solve_on_smeared_fields(propagators):
    """A task of a campaign reads the fields that a measure task has smeared."""
    box = propagators.box
    (box / "c").mkdir()
    job = MEASURE.replace("[output]\n", '[link_smearing]\ntype = "hyp"\n[output]\nfields = true\ndirectory = "smeared"\n')
    box.write("c/smear.toml", job)
    box.write("c/pion.toml", PROPAGATOR)
    box.write("c/campaign.toml", CAMPAIGN)
    box.plaq("campaign run c").succeeded()
    assert box.exists(f"c/smeared/hyp.{FIRST}")
    of_task = box.numbers("c/results/pion.h5")
    expected = propagators.run("expected", keys("action_smearing", ("type=hyp",)))
    assert numpy.array_equal(of_task[PION], expected[PION])
    assert of_task["/configurations/trajectory"].tolist() == [2, 4]
