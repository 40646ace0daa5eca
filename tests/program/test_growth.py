"""Results of ensembles that grow: fields that come later are computed, the rows of others stay, and the file is the one that a single
run would have written."""
import pytest

from program import GENERATE, MEASURE, Sandbox

MEASURING = MEASURE.replace("measured.h5", "results.h5") + """[measure]
observables = ["plaquette", "polyakov_loop", "clover", "flow"]
[flow]
t_max = 0.2
"""
PROPAGATORS = """job = "propagator"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.11
[source]
count = 2
shift = [0, 0, 0, 3]
[solver]
tolerance = 1e-6
[output]
file = "results.h5"
propagators = "scidac"
[run]
location = "host"
threads = 1
"""
OF_TRAJECTORIES = PROPAGATORS.replace("shift = [0, 0, 0, 3]", """type = "z3"
seed = 3
by_trajectory = true
positions = "random"
position_seed = 5""")
FIXING = """job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
copies = 2
theta = 1e-8
[output]
file = "results.h5"
[run]
location = "host"
threads = 1
"""
AVERAGES = PROPAGATORS.replace("shift = [0, 0, 0, 3]", 'positions = "random"\nposition_seed = 4').replace(
    'propagators = "scidac"\n', "") + """[approximation]
exact = 1
iterations = 4
"""
# For each job: its text, the parts of a field, and a key that decides numbers.
JOBS = {"measure": (MEASURING, 1, "link_smearing.type=ape"), "propagator": (PROPAGATORS, 2, "action.kappa=0.12"),
        "average": (AVERAGES, 2, "approximation.iterations=5"), "trajectories": (OF_TRAJECTORIES, 2, "source.seed=4"),
        "gaugefix": (FIXING, 2, "fixing.copies=3")}
EXISTS = ("results.h5", "overwrite = true")


@pytest.fixture(scope="module")
def four_fields(tmp_path_factory):
    """{file: bytes}; numbers of different lengths: the order is not that of the texts."""
    made = Sandbox(tmp_path_factory.mktemp("four_fields"))
    made.write("generate.toml", GENERATE)
    made.plaq("run generate.toml --set update.configurations=4").succeeded()
    names = {"000002": "9", "000004": "10", "000006": "11", "000008": "100"}
    return {name: made.bytes(f"field.{sweep}.nersc") for sweep, name in names.items()}


@pytest.fixture(scope="module", params=JOBS)
def kind(request):
    return JOBS[request.param]


@pytest.fixture(scope="module")
def at_once(kind, four_fields, tmp_path_factory):
    """The results of all four fields in one run."""
    box = Sandbox(tmp_path_factory.mktemp("at_once"))
    box.write("job.toml", kind[0])
    for name, content in four_fields.items():
        box.write(f"field.{name}.nersc", content)
    box.plaq("run job.toml").succeeded()
    return box.bytes("results.h5")


class Ensemble:
    def __init__(self, box, kind, fields):
        self.box, self.fields = box, fields
        self.job, self.parts, self.change = kind
        box.write("job.toml", self.job)

    def bring(self, *names):
        for name in names:
            self.box.write(f"field.{name}.nersc", self.fields[name])

    def run(self, more="", ranks=1):
        return self.box.plaq("run job.toml " + more, ranks)

    def expect_run(self, says, ranks=1):
        outcome = self.run("", ranks).succeeded()
        assert says in outcome.err, outcome

    def expect_going_on(self, fields, ranks=1):
        self.expect_run(f"going on: {fields * self.parts} of ", ranks)

    def results(self):
        return self.box.bytes("results.h5")


@pytest.fixture
def ensemble(box, kind, four_fields):
    return Ensemble(box, kind, four_fields)


def test_has_the_bytes_of_one_run(ensemble, at_once):
    ensemble.bring("9", "100")
    ensemble.expect_run("wrote")
    assert ensemble.results() != at_once
    ensemble.bring("11")  # between the two that are there
    ensemble.expect_going_on(2, 2)
    ensemble.bring("10")
    ensemble.expect_going_on(3)
    assert ensemble.results() == at_once, "other bytes"
    # By their headers, in the order of the names.
    assert ensemble.box.numbers("results.h5")["/configurations/trajectory"].tolist() == [2, 4, 6, 8]
    ensemble.expect_run("nothing to do")
    assert not ensemble.box.exists("results.h5.journal")


def test_goes_on_after_a_failure(ensemble, at_once):
    """What is done of the fields that come later is kept when one of them cannot be read, and the file stays as it is."""
    ensemble.bring("9", "10")
    ensemble.expect_run("wrote")
    before = ensemble.results()
    ensemble.bring("11")
    damaged = bytearray(ensemble.fields["100"])
    damaged[-100] ^= 64
    ensemble.box.write("field.100.nersc", bytes(damaged))
    ensemble.run().failed(4, "field.100.nersc", "are done and kept")
    assert ensemble.results() == before
    ensemble.bring("100")
    ensemble.expect_going_on(3)
    assert ensemble.results() == at_once, "other bytes"


def test_is_refused_where_rows_would_be_lost(ensemble):
    """No row is lost, and none of another field or job is taken."""
    ensemble.bring("9", "10")
    ensemble.expect_run("wrote")
    before = ensemble.results()
    ensemble.run("--set 'gauge.files=[\"field.9.nersc\"]'").failed(5, *EXISTS)
    ensemble.bring("11")
    ensemble.run("--set 'gauge.files=[\"field.9.nersc\", \"field.11.nersc\"]'").failed(5, *EXISTS)
    ensemble.run(f"--set {ensemble.change}").failed(5, *EXISTS)
    ensemble.box.write("field.10.nersc", ensemble.fields["100"])  # another field by that name
    ensemble.run().failed(5, *EXISTS)
    assert ensemble.results() == before
    assert not ensemble.box.exists("results.h5.journal")
