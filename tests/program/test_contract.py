"""Contract jobs from end to end: the very numbers of the job that stored the propagators; mesons and baryons of different quarks;
resuming; what does not belong together."""
import shutil

import numpy
import pytest

import lime
import reference
from program import PION, same

CONTRACT = """job = "contract"
[gauge]
files = ["field.*.nersc"]
[quarks]
names = ["light", "strange"]
files = ["light/{field}.s{source}.prop.h5", "strange/{field}.s{source}.prop.h5"]
[correlators]
channels = ["pion", "rho"]
[output]
file = "kaon.h5"
[run]
location = "host"
threads = 1
"""
EXTENTS = (4, 4, 4, 8)
ONE_FIELD = "--set gauge.files=field.000002.nersc "
HEAVIER = "--set action.kappa=0.10 "


class Contractions:
    def __init__(self, propagators):
        self.box, self.run = propagators.box, propagators.run
        self.box.write("contract.toml", CONTRACT)
        for quark in ("light", "strange"):
            (self.box / quark).mkdir()

    def store(self, quark, more):
        """Propagators of a quark, and the correlators of their own job."""
        return self.run("own_" + quark, f"--set output.propagators=hdf5 --set output.propagator_directory={quark} {more}")

    def contract(self, more, ranks=1):
        return self.box.plaq("run contract.toml " + more, ranks)

    def contracted(self, name, more, ranks=1):
        self.contract(f"--set output.file={name}.h5 {more}", ranks).succeeded()
        return self.box.numbers(name + ".h5")


@pytest.fixture
def jobs(propagators):
    return Contractions(propagators)


def files(light, strange):
    return f"{ONE_FIELD}--set 'quarks.files=[\"{light}\", \"{strange}\"]' "


def point(channel, momentum="0_0_0"):
    return f"/correlators/{channel}/p_{momentum}/point"


def complex_of(numbers):
    return numbers[..., 0] + 1j * numbers[..., 1]


def of_one_quark(path):
    """The channel and the quarks of a path, "/correlators/pion.light_strange/...", as one of a job with one quark."""
    head, rest = path.split(".", 1)
    return f"{head}/{rest.split('/', 1)[1]}"


def test_has_the_bits_of_the_job_that_stored_them(jobs):
    """Of two fields and two sources, smeared and as they are; the second quark is a copy of the files of the first."""
    box = jobs.box
    smearing = ("--set link_smearing.type=ape --set link_smearing.steps=2 --set link_smearing.spatial=true "
                "--set quark_smearing.steps=3 --set quark_smearing.sigma=1.2 "
                "--set 'correlators.sinks=[\"point\", \"smeared\"]' --set correlators.max_momentum_squared=1 "
                "--set 'correlators.channels=[\"pion\", \"rho\", \"axial_pseudoscalar\", \"proton\", \"proton_minus\", "
                "\"lambda\", \"delta\"]' --set correlators.spin_matrix=true --set source.count=2 ")
    own = jobs.store("light", smearing + "--set source.position=[1,2,3,5] --set source.shift=[0,0,2,4]")
    shutil.copytree(box / "light", box / "strange", dirs_exist_ok=True)
    for ranks in (1, 2, 4):
        found = jobs.contracted(f"kaon{ranks}", smearing + "--set 'correlators.baryons=[\"light_light_strange\"]' ", ranks)
        compared = [path for path in found if path.startswith("/correlators/")]
        for path in compared:
            assert numpy.array_equal(found[path], own[of_one_quark(path)]), (ranks, path)
        # Three pairs of each meson, one baryon of each kind, and the matrices of three of them.
        assert len(compared) == 2 * 7 * (3 * 3 + 2 + 1 + 1 + 3)
        assert numpy.array_equal(found["/sources/position"], own["/sources/position"])
        assert found["/quarks/mass"].shape == (2, 2, 2)
        assert abs(found["/quarks/mass"].flat[0] - (1 / (2 * 0.11) - 4)) < 1e-15


def test_kaons_of_two_quarks(jobs):
    at = ONE_FIELD + "--set source.position=[1,2,3,5] "
    light = jobs.store("light", at)
    jobs.store("strange", at + HEAVIER)
    found = jobs.contracted("kaon", ONE_FIELD + "--set 'correlators.channels=[\"pion\", \"axial_pseudoscalar\"]' "
                            "--set correlators.max_momentum_squared=1 "
                            "--set 'correlators.mesons=[\"light_light\", \"strange_light\"]'", 2)
    assert numpy.array_equal(found[point("pion.light_light")], light[PION])
    assert point("pion.light_strange") not in found
    s1, s2 = (reference.propagator(jobs.box / f"{quark}/field.000002.nersc.s0.prop.h5") for quark in ("strange", "light"))
    g5 = reference.GAMMA5
    for channel, sink, n in (("pion", g5, (0, 0, 0)), ("pion", g5, (0, -1, 0)),
                             ("axial_pseudoscalar", reference.GAMMA[3] @ g5, (0, 0, 0)),
                             ("axial_pseudoscalar", reference.GAMMA[3] @ g5, (1, 0, 0))):
        expected = reference.meson(EXTENTS, s1, s2, sink, g5, n, (1, 2, 3, 5))
        values = found[point(f"{channel}.strange_light", "_".join(map(str, n)))]
        assert values.size == 16
        assert abs(complex_of(values)[0, 0] - expected).max() < 1e-13 * abs(expected[0]), (channel, n)


def test_quarks_that_are_antiperiodic_in_space(jobs):
    """Smearing hops over the edge of the lattice with the sign of the quarks: on unit links nothing depends on where the source is. The
    pion is exact: momenta 2 pi (n + 1/2) / L in x, the source times (1 + sigma^2/(4 N) (2 sum_i cos p_i - 6))^N."""
    jobs.box.plaq("run generate.toml --set gauge.start=cold --set update.thermalization=0 --set update.configurations=1 "
                  "--set output.prefix=cold").succeeded()
    smearing = ("--set quark_smearing.steps=4 --set quark_smearing.sigma=1.2 "
                "--set 'correlators.sinks=[\"point\", \"smeared\"]' ")
    field, exact = "--set gauge.files=cold.000000.nersc ", (0.10057265, 0.01611303, 0.00384447, 0.00100796, 0.00047678)
    smeared, three = "/correlators/pion/p_0_0_0/smeared", "/three_point/pion/vector_t/p_0_0_0"
    first = None
    for x in (0, 2):
        own = jobs.store("light", field + smearing + "--set 'action.boundary=[-1, 1, 1, -1]' --set action.kappa=0.12 "
                         "--set three_point.insertions=pion --set three_point.sink_time=3 --set three_point.smeared_sink=true "
                         f"--set solver.tolerance=1e-12 --set output.overwrite=true --set source.position=[{x},0,0,0]")
        assert abs(own[PION][0, 0, :5, 0] / exact - 1).max() < 1e-6
        first = first or own
        for path in (smeared, three):
            assert abs(own[path] - first[path]).max() <= 1e-9 * abs(first[path].flat[0]), path
        stored = (field + smearing + "--set 'quarks.files=[\"light/cold.000000.nersc.s0.prop.h5\", "
                  "\"light/cold.000000.nersc.s0.prop.h5\"]' --set output.overwrite=true --set correlators.channels=pion ")
        jobs.contract(stored).failed(4, "set space_boundary = [-1, 1, 1] in [quarks]")
        found = jobs.contracted("pions", stored + "--set 'quarks.space_boundary=[-1, 1, 1]'", 2)
        assert numpy.array_equal(found["/correlators/pion.light_light/p_0_0_0/smeared"], own[smeared])


def test_baryons_of_two_quarks(jobs):
    """Baryons whose operators are those of others with quarks that change places."""
    light = jobs.store("light", ONE_FIELD + "--set 'correlators.channels=[\"proton\", \"delta\"]'")
    strange = jobs.store("strange", ONE_FIELD + HEAVIER + "--set 'correlators.channels=[\"delta\"]'")
    found = jobs.contracted("hyperons", ONE_FIELD + "--set 'correlators.channels=[\"proton\", \"sigma\", \"xi\", \"xi_minus\", "
                            "\"sigma_star\", \"xi_star\", \"delta\", \"omega\", \"lambda\"]' --set 'correlators.baryons=["
                            "\"light_light_strange\", \"strange_strange_light\", \"light_light_light\"]'")

    def c(channel):
        return found[point(channel)].flatten()

    def near(one, other):
        assert abs(c(one) - c(other)).max() < 1e-13 * abs(c(one)[0]), (one, other)

    assert numpy.array_equal(c("sigma.light_strange"), c("xi.light_strange"))  # A = light, B = strange
    assert numpy.array_equal(c("xi.strange_light"), c("sigma.strange_light"))
    assert not numpy.array_equal(c("sigma.light_strange"), c("xi.strange_light"))
    assert numpy.array_equal(c("sigma_star.light_strange"), c("xi_star.light_strange"))
    assert numpy.array_equal(c("proton.light_light"), light[point("proton")].flatten())
    assert numpy.array_equal(c("omega.strange"), strange[point("delta")].flatten())
    assert numpy.array_equal(c("delta.light"), light[point("delta")].flatten())
    near("sigma.light_light", "proton.light_light")
    near("sigma_star.light_light", "delta.light")
    near("lambda.light_light_light", "proton.light_light")

    # Heavier quarks make heavier baryons: they decay faster.
    def ratio(channel):
        return c(channel)[2] / c(channel)[0]

    assert ratio("proton.light_light") > ratio("lambda.light_light_strange")
    assert ratio("sigma.light_strange") > ratio("xi.strange_light")


def test_staggered_kaons(jobs):
    staggered = ONE_FIELD + "--set action.kappa= --set action.type=staggered "
    light = jobs.store("light", staggered + "--set action.mass=0.3 --set 'correlators.channels=[\"pion_ps\", \"nucleon\"]'")
    jobs.store("strange", staggered + "--set action.mass=0.5")
    found = jobs.contracted("kaon", ONE_FIELD + "--set 'correlators.channels=[\"pion_ps\", \"nucleon\", \"nucleon_uds\"]' "
                            "--set 'correlators.baryons=[\"light_light_strange\", \"light_light_light\"]'")
    assert numpy.array_equal(found[point("pion_ps.light_light")], light[point("pion_ps")])
    assert numpy.array_equal(found[point("nucleon.light")], light[point("nucleon")])
    one, three, lls = (complex_of(found[point(name)])[0, 0] for name in (
        "nucleon.light", "nucleon_uds.light_light_light", "nucleon_uds.light_light_strange"))
    assert numpy.array_equal(one, three)  # one quark
    assert abs(lls[2] / lls[0]) < abs(one[2] / one[0])  # a heavier one
    # Schwarz's inequality, and not one of the two.
    mixed, ll, ss = (found[point(f"pion_ps.{pair}")][0, 0] for pair in ("light_strange", "light_light", "strange_strange"))
    assert (abs(complex_of(mixed)) <= (ll[:, 0] * ss[:, 0])**0.5 * (1 + 1e-12)).all()
    assert (mixed[:, 0] < ll[:, 0]).all()
    assert (mixed[:, 0] > ss[:, 0]).all()


def test_grows_and_knows_its_files(jobs):
    """A field that comes later is contracted; files that changed since are contracted again. Links are not looked at."""
    box = jobs.box
    jobs.store("light", "")
    jobs.store("strange", HEAVIER)
    jobs.contracted("kaon", ONE_FIELD)
    both = jobs.contracted("kaon", "")
    assert len(both[point("pion.light_strange")]) == 2
    jobs.contracted("calm", "")
    assert box.bytes("calm.h5") == box.bytes("kaon.h5"), "a result that grew has other bytes"
    assert "complete" in jobs.contract("--set output.file=calm.h5").err
    # An unfinished run has the first field, whose propagators are others when it goes on, and not the second one.
    second, late = "strange/field.000004.nersc.s0.prop.h5", "--set output.file=late.h5 "
    good = box.bytes(second)
    damaged = bytearray(good)
    damaged[len(damaged) // 2] ^= 1
    box.write(second, bytes(damaged))
    jobs.contract(late).failed(4, second, "1 of 2 fields are done and kept")
    box.write(second, good)
    kept = jobs.contract(late)
    assert "read light: light/field.000002" not in kept.err, kept
    assert box.bytes("late.h5") == box.bytes("kaon.h5")
    (box / "late.h5").unlink()
    box.write(second, bytes(damaged))
    jobs.contract(late).failed(4, second)
    box.write(second, good)
    jobs.store("strange", ONE_FIELD + "--set action.kappa=0.09 --set output.overwrite=true")
    changed, calm_again = jobs.contracted("late", "", 2), jobs.contracted("calm_again", "")
    assert same(changed, calm_again)
    strange = point("pion.strange_strange")
    assert not numpy.array_equal(changed[strange], both[strange])


def without_note(content):
    """A propagator in SciDAC format as another program has it, which does not say of which job it is."""
    kept = [(kind, b"<?xml version=\"1.0\"?><Propagator><a/></Propagator>" if kind == b"scidac-record-xml" else data, flags)
            for kind, data, flags in lime.records(content) if kind != b"plaq-info"]
    return lime.encoded(kept)


AWAY = "--set source.position=[1,2,3,5] "
LIGHT, UNKNOWN, NOISE, PERIODIC = "light/{field}.s{source}.prop.h5", "unknown.lime", "noise/{field}.s0.prop.h5", \
    "periodic/{field}.s0.prop.h5"
BARYON = "--set 'correlators.channels=[\"proton\"]' --set 'correlators.baryons=[\"light_light_strange\"]' "
WRONG = (
    ("--set 'quarks.names=[\"a\"]'", 3, ("2 names of files for 1 quark",)),
    ("--set 'quarks.names=[\"a\", \"a\"]'", 3, ("a is listed twice",)),
    ("--set 'quarks.names=[\"light_u\", \"b\"]'", 3, ("light_u is no name of a quark",)),
    ("--set 'correlators.mesons=[\"light_charm\"]'", 3, ("light_charm is not two of the quarks light, strange",)),
    ("--set 'correlators.mesons=[\"light_light\"]'", 3, ("strange is in no correlator",)),
    ("--set 'correlators.baryons=[\"light_light_light\"]'", 3, ("no baryon is among the channels",)),
    (ONE_FIELD + "--set 'correlators.channels=[\"proton\"]'", 3, ("missing", "baryons", "light_light_strange")),
    (ONE_FIELD + "--set 'correlators.channels=[\"pion\", \"pion_ps\"]'", 3, ("pion and pion_ps are not of the same quarks",)),
    ("--set source.count=2 --set 'quarks.files=[\"a.h5\", \"b.h5\"]'", 3, ("a.h5 has no {source}",)),
    (files(LIGHT, "none.h5"), 4, ("none.h5",)),
    (files(LIGHT, "light/*.h5"), 4, ("stands for 2 files", "must be one")),
    (files(LIGHT, "moved/{field}.s0.prop.h5"), 4, ("moved/", "its source is at 1x2x3x5", "do not belong")),
    (files(LIGHT, "light/field.000004.nersc.s0.prop.h5"), 4,
     ("field.000004.nersc", "field.000002.nersc", "do not belong together")),
    (files(LIGHT, LIGHT) + "--set gauge.files=field.000004.nersc --set 'quarks.files=[\"light/field.000002.nersc.s0.prop.h5\", "
     "\"strange/field.000002.nersc.s0.prop.h5\"]'", 4,
     ("field.000002.nersc", "[gauge] has field.000004.nersc", "do not belong together")),
    (files(LIGHT, LIGHT) + AWAY, 4, ("its source is at", "[source] says")),
    (files(UNKNOWN, UNKNOWN), 3, ("unknown.lime does not say where its source is", "position in [source]")),
    (files(LIGHT, NOISE), 4, ("other noise",)),
    (files(NOISE, NOISE) + BARYON, 4, ("z2", "proton needs three quarks")),
    (files(LIGHT, LIGHT) + "--set 'correlators.channels=[\"pion_ps\"]'", 4, ("three color vectors", "twelve")),
    (files(LIGHT, LIGHT) + BARYON + "--set quarks.boundary=periodic", 4, ("sign -1 in time", "antiperiodic")),
    (files(LIGHT, PERIODIC), 4, ("periodic/", "sign 1 around the lattice in time", "light/", "has -1")),
    (files(LIGHT, "damaged.h5"), 4, ("damaged.h5", "damaged")),
)


def test_wrong_files_and_keys(jobs):
    box = jobs.box
    for quark in ("moved", "noise", "periodic", "other"):
        (box / quark).mkdir()
    jobs.store("light", "")
    jobs.store("strange", HEAVIER)
    jobs.store("moved", ONE_FIELD + AWAY)
    jobs.store("noise", ONE_FIELD + "--set source.type=z2 --set source.seed=3")
    jobs.store("periodic", ONE_FIELD + "--set action.boundary=[1,1,1,1]")
    jobs.run("own_other", ONE_FIELD + "--set output.propagators=scidac --set output.propagator_directory=other")
    box.write(UNKNOWN, without_note(box.bytes("other/field.000002.nersc.s0.prop.lime")))
    damaged = bytearray(box.bytes("light/field.000002.nersc.s0.prop.h5"))
    damaged[len(damaged) // 2] ^= 1
    box.write("damaged.h5", bytes(damaged))
    for more, code, parts in WRONG:
        jobs.contract(more).failed(code, *parts)
    # Quarks of two signs in one job, but in no correlator.
    jobs.contracted("apart", files(LIGHT, PERIODIC) + "--set 'correlators.mesons=[\"light_light\", \"strange_strange\"]'")
    assert not box.exists("kaon.h5")
    # Files of other programs, of which the job says where the source is.
    found = jobs.contracted("unknown", files(UNKNOWN, UNKNOWN) + "--set source.position=[0,0,0,1]")
    assert numpy.isnan(found["/quarks/mass"].flat[0])


def test_is_planned(jobs):
    outcome = jobs.box.plaq("plan contract.toml --ranks 2").succeeded()
    assert "quark fields" in outcome.out, outcome
    assert "kaon.h5" in outcome.out, outcome
