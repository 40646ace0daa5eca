"""gaugefix jobs from end to end: fixed fields, copies, transformations, what is gone on from."""
import json

import pytest

JOB = """job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
copies = 3
theta = 1e-13
measure_every = 10
[output]
file = "fixed.h5"
transformations = true
[run]
location = "host"
threads = 1
"""


class Fixing:
    def __init__(self, box):
        self.box = box
        box.write("fix.toml", JOB)

    def fix(self, more="", ranks=1):
        return self.box.plaq("run fix.toml " + more, ranks)

    def info(self, file):
        return json.loads(self.box.plaq(f"info --json {file}").succeeded().out)

    def header(self, file):
        return {entry["key"]: entry["value"] for entry in self.info(file)["header"]["entries"]}

    def written(self, file):
        return (self.box / file).stat().st_mtime_ns


@pytest.fixture
def fixing(field_box):
    return Fixing(field_box)


FILES = ("fixed.h5", "landau.field.000002.nersc", "landau.field.000004.nersc", "landau.field.000002.g.lime",
         "landau.field.000004.g.lime")


def test_same_files_on_any_ranks_and_groups(fixing):
    alone = None
    for ranks, more in ((1, ""), (2, "--set fixing.groups=1"), (2, "--set fixing.groups=2"), (4, "--set fixing.groups=2")):
        for file in FILES:
            (fixing.box / file).unlink(missing_ok=True)
        outcome = fixing.fix(more, ranks).succeeded()
        assert "converged copies  3 of 3" in outcome.out, outcome
        found = {file: fixing.box.bytes(file) for file in FILES}
        assert all(found.values())
        del found["fixed.h5"]  # says the job, groups included
        alone = alone or found
        for file, content in found.items():
            assert content == alone[file], (ranks, file)


@pytest.mark.parametrize("gauge", ("landau", "coulomb", "maximally_abelian"))
def test_files_say_how_they_were_fixed(fixing, gauge):
    fixing.fix(f"--set output.overwrite=true --set fixing.gauge={gauge}").succeeded()
    name = f"{gauge}.field.000004.nersc"
    before, after, said = fixing.info("field.000004.nersc"), fixing.info(name), fixing.header(name)
    assert after["verified"] is True
    assert abs(after["links"]["plaquette"] - before["links"]["plaquette"]) < 1e-13
    assert said["BETA"] == "5.7"  # what the original says stays
    assert float(said["GAUGE_THETA"]) < 1e-13
    functional = float(said["GAUGE_FUNCTIONAL"])
    if gauge == "landau":
        assert abs(functional - after["links"]["link_trace"]) < 1e-12
        assert said["GAUGE_FIXED"] == "Landau"
    assert ("GAUGE_THETA_WORST_SLICE" in said) == (gauge == "coulomb")
    # Applying g to the original gives the field again.
    fixing.box.plaq("convert field.000004.nersc again.nersc --format nersc --overwrite "
                    f"--transform {gauge}.field.000004.g.lime").succeeded()
    assert abs(fixing.info("again.nersc")["links"]["link_trace"] - after["links"]["link_trace"]) < 1e-12
    assert fixing.header("again.nersc").get("GAUGE_FIXED") == said.get("GAUGE_FIXED")


def test_is_not_done_again_and_goes_on(fixing):
    box = fixing.box
    fixing.fix().succeeded()
    last = fixing.written("landau.field.000002.nersc")
    results, field = box.bytes("fixed.h5"), box.bytes("landau.field.000004.nersc")
    # The fixed fields match the pattern, and are left out.
    again = fixing.fix().succeeded()
    assert "complete" in again.err, again
    assert fixing.written("landau.field.000002.nersc") == last
    (box / "landau.field.000004.nersc").unlink()
    fixing.fix().failed(5, "landau.field.000004.nersc is missing", "overwrite")
    # A damaged second field stops the job; what is done is kept.
    for file in ("fixed.h5", "landau.field.000002.nersc", "landau.field.000002.g.lime", "landau.field.000004.g.lime"):
        (box / file).unlink()
    good = box.bytes("field.000004.nersc")
    bad = bytearray(good)
    bad[-1000] ^= 1
    box.write("field.000004.nersc", bytes(bad))
    fixing.fix("", 2).failed(4, "field.000004.nersc", "3 of 6 copies of all fields are done", "goes on")
    done = fixing.written("landau.field.000002.nersc")
    box.write("field.000004.nersc", good)
    fixing.fix().succeeded()
    assert fixing.written("landau.field.000002.nersc") == done
    assert box.bytes("fixed.h5") == results
    assert box.bytes("landau.field.000004.nersc") == field


def test_stages_are_those_of_the_job(fixing):
    fixing.fix("--set annealing.steps=20 --set annealing.hottest=2 --set stochastic.sweeps=30 "
               "--set overrelaxation.method=subgroups --set overrelaxation.omega=1.5 --set fixing.precision=single "
               "--set output.fields=false --set output.transformations=false").succeeded()
    assert not fixing.box.exists("landau.field.000002.nersc")
    objects = {one["path"]: one for one in fixing.info("fixed.h5")["objects"]}
    assert objects["/copies/functional"]["extents"] == [2, 3]
    assert objects["/history/theta"]["extents"] == [2, 3, 256]
    assert objects["/fixing"]["attributes"]["gauge"] == "landau"


def test_what_cannot_be_fixed_is_one_error(fixing):
    fixing.fix("--set overrelaxation.max_sweeps=10 --set overrelaxation.restarts=0").failed(6, "field.000002.nersc", "theta")
    # With more sweeps the same job goes on, also with the copies that were not fixed.
    again = fixing.fix("--set overrelaxation.restarts=0").succeeded()
    assert "converged copies  1 of 3" not in again.out, again
    assert "converged copies  3 of 3" in again.out, again


def test_another_theta_keeps_what_is_finished(fixing):
    """What is finished stays so with another theta, where it reaches that too; a theta that is smaller takes more."""
    fixing.box.plaq("run generate.toml --set gauge.start=cold --set update.configurations=1 --set update.thermalization=0 "
                    "--set output.prefix=cold").succeeded()
    two = ("--set 'gauge.files=[\"cold.000000.nersc\", \"field.000004.nersc\"]' --set fixing.copies=1 "
           "--set overrelaxation.restarts=0 --set overrelaxation.patience=100 --set overrelaxation.max_sweeps=1000 ")
    fixing.fix(two + "--set fixing.theta=1e-33").failed(
        6, "field.000004.nersc", "1 of 2 fields are done and kept", "without this field in [gauge] files")
    # Another gauge is another job, and cannot go on from there.
    fixing.fix(two + "--set fixing.gauge=coulomb").failed(
        5, "fixed.h5.journal", "[fixing] gauge", "[fixing] theta", "left out of [gauge] files",
        "Deleting fixed.h5.journal loses 1 finished result")
    done = fixing.written("landau.cold.000000.nersc")
    again = fixing.fix(two + "--set fixing.theta=1e-8").succeeded()
    assert "1 of 2 fields are done and kept" in again.err, again
    assert fixing.written("landau.cold.000000.nersc") == done


def test_wrong_jobs_are_refused(fixing):
    fixing.fix("--set fixing.gauge=axial").failed(3, "'gauge' in [fixing]")
    fixing.fix("--set annealing.hottest=1 --set annealing.coldest=2").failed(3, "coldest")
    fixing.fix("--set fixing.groups=4").failed(3, "groups")
    fixing.fix("--set fixing.groups=3", 4).failed(3, "groups")
    # Two fields of one name, from two directories.
    (fixing.box / "other").mkdir()
    fixing.box.write("other/field.000002.nersc", fixing.box.bytes("field.000004.nersc"))
    fixing.fix("--set 'gauge.files=[\"field.000002.nersc\", \"other/field.000002.nersc\"]'").failed(3, "would both write")
