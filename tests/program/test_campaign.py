"""Campaigns: many jobs on an ensemble, by any number of workers, whatever fails."""
import json
import os
import shutil
import subprocess

import pytest

from launched import Launched
from program import GENERATE, MEASURE, PROPAGATOR, Sandbox

LEFT_OUT = 10  # exit code
NAMES = ("000002", "000004", "000006", "000008")
FIXING = """job = "gaugefix"
[gauge]
files = ["x"]
[fixing]
gauge = "landau"
theta = 1e-8
[output]
file = "x.h5"
directory = "fixed"
[run]
location = "host"
threads = 1
"""
ENSEMBLE = '[ensemble]\nfiles = "field.{trajectory}.nersc"\n'
CAMPAIGN = ENSEMBLE + """[task.measure]
job = "measure.toml"
[task.landau]
job = "landau.toml"
[task.pion]
job = "propagator.toml"
gauge = "landau"
[retry]
machine = 1
"""
PION = ENSEMBLE + '[task.pion]\njob = "propagator.toml"\n'


@pytest.fixture(scope="session")
def four_fields(tmp_path_factory):
    """{name: bytes}"""
    made = Sandbox(tmp_path_factory.mktemp("four_fields"))
    made.write("generate.toml", GENERATE)
    made.plaq("run generate.toml --set update.configurations=4").succeeded()
    return {name: made.bytes(f"field.{name}.nersc") for name in NAMES}


class Campaign:
    def __init__(self, box, fields):
        self.box, self.fields = box, fields
        box.write("measure.toml", MEASURE)
        box.write("propagator.toml", PROPAGATOR)
        box.write("landau.toml", FIXING)
        box.write("campaign.toml", CAMPAIGN)
        self.bring(*fields)

    def bring(self, *names):
        for name in names:
            self.box.write(f"field.{name}.nersc", self.fields[name])

    def take(self, *names):
        for name in names:
            (self.box / f"field.{name}.nersc").unlink()

    def damage(self, name):
        content = bytearray(self.fields[name])
        content[len(content) // 2] ^= 1
        self.box.write(f"field.{name}.nersc", bytes(content))

    def forget(self, *made):
        for name in made:
            path = self.box / name
            if path.is_dir():
                shutil.rmtree(path)
            else:
                path.unlink(missing_ok=True)

    def run(self, more="", ranks=1):
        return self.box.plaq("campaign run . " + more, ranks)

    def expect_run(self, more="", ranks=1, code=0):
        outcome = self.run(more, ranks)
        assert outcome.code == code, outcome
        return outcome

    def expect_like_one_run(self, task, names, of_fixed=False):
        """results/TASK.h5 is what plaq run makes of these fields."""
        job, head = "propagator" if task == "pion" else task, "fixed/landau." if of_fixed else ""
        files = ",".join(f'"{head}field.{name}.nersc"' for name in names)
        self.box.plaq(f"run {job}.toml --set 'gauge.files=[{files}]' --set 'gauge.numbering=\"{head}field.{{trajectory}}.nersc\"' "
                      "--set output.file=one.h5 --set output.overwrite=true").succeeded()
        assert self.box.bytes("one.h5") == self.box.bytes(f"results/{task}.h5"), task

    def status(self):
        return json.loads(self.box.plaq("campaign status . --json").out)

    def text(self):
        return self.box.text("campaign.toml")


@pytest.fixture
def campaign(box, four_fields):
    return Campaign(box, four_fields)


def test_what_one_run_of_each_task_writes(campaign):
    campaign.expect_run()
    campaign.expect_like_one_run("measure", NAMES)
    campaign.expect_like_one_run("landau", NAMES)
    campaign.expect_like_one_run("pion", NAMES, True)
    for task in campaign.status()["tasks"]:
        assert (task["done"], task["left"]) == (4, 0), task
    # Nothing is left to do.
    written = (campaign.box / "results/pion.h5").stat().st_mtime_ns
    campaign.expect_run()
    assert (campaign.box / "results/pion.h5").stat().st_mtime_ns == written
    assert not os.listdir(campaign.box / "leases")


def test_grows_and_is_seen_at_any_time(campaign):
    late = ("000004", "000008")
    campaign.take(*late)
    campaign.expect_run("--task measure")
    campaign.expect_like_one_run("measure", ("000002", "000006"))
    campaign.bring(*late)
    campaign.forget("results/measure.h5")
    snapshot = campaign.box.plaq("campaign snapshot .").succeeded()
    assert "measure: 2 of 4 gauge fields" in snapshot.out, snapshot
    assert "pion: nothing is done yet" in snapshot.out, snapshot
    campaign.expect_like_one_run("measure", ("000002", "000006"))
    campaign.expect_run("--task measure")
    campaign.expect_like_one_run("measure", NAMES)


def test_groups_of_ranks(campaign):
    campaign.expect_run("--ranks-per-task 2", 4)
    campaign.expect_like_one_run("measure", NAMES)
    campaign.expect_like_one_run("pion", NAMES, True)
    campaign.run("--ranks-per-task 3", 4).failed(2, "4 ranks are not shared evenly by groups of 3")
    audit = campaign.box.plaq("campaign audit . --sample 2").succeeded()
    assert "6 of 6 come out the same" in audit.out, audit


def test_audits_what_is_stored(campaign):
    box = campaign.box
    box.write("propagator.toml", PROPAGATOR.replace(
        "[output]\n", '[output]\npropagators = "hdf5"\npropagator_directory = "stored"\n'))
    campaign.expect_run()
    audit = box.plaq("campaign audit . --task pion --sample 4", 2).succeeded()
    assert "4 of 4 come out the same" in audit.out, audit
    shutil.copy(box / "stored/landau.field.000002.nersc.s0.prop.h5", box / "stored/landau.field.000006.nersc.s0.prop.h5")
    other = box.plaq("campaign audit . --task pion --sample 4")
    assert other.code == 1, other
    assert "DIFFERS: stored/landau.field.000006.nersc.s0.prop.h5" in other.out, other
    assert "3 of 4 come out the same" in other.out, other


def test_one_that_fails_stops_no_other(campaign):
    campaign.damage("000004")
    campaign.expect_run("", 1, LEFT_OUT)
    quarantine = campaign.box.text("quarantine.toml")
    assert "[all.000004]" in quarantine, quarantine
    assert "checksum" in quarantine, quarantine
    whole = ("000002", "000006", "000008")
    campaign.expect_like_one_run("measure", whole)
    campaign.expect_like_one_run("pion", whole, True)
    assert campaign.status()["left_out"]["input_file"] == 3
    # Whole again.
    campaign.bring("000004")
    campaign.box.plaq("campaign retry . 000004").succeeded()
    campaign.expect_run()
    assert "\n[all." not in campaign.box.text("quarantine.toml")
    campaign.expect_like_one_run("measure", NAMES)
    campaign.expect_like_one_run("pion", NAMES, True)


def test_a_stale_checksum_is_accepted(campaign):
    """A field that states a stale checksum is left out, until the campaign names that of its links."""
    box, whole = campaign.box, campaign.fields["000004"]
    actual = whole.split(b"CHECKSUM = ", 1)[1].split(b"\n", 1)[0]
    box.write("field.000004.nersc", whole.replace(b"CHECKSUM = " + actual, b"CHECKSUM = 12345678", 1))
    actual = actual.decode()
    campaign.expect_run("--task measure", 1, LEFT_OUT)
    assert "[all.000004]" in box.text("quarantine.toml")
    box.write("campaign.toml", campaign.text().replace(
        "[ensemble]\n", f'[ensemble]\naccept_checksums = ["1", "{actual}"]\n'))
    box.plaq("campaign retry . 000004").succeeded()
    campaign.expect_run("--task measure")
    assert "\n[all." not in box.text("quarantine.toml")
    said = box.plaq("info --all results/measure.h5").out
    assert "stated_checksum" in said, said
    assert "12345678" in said, said
    box.plaq("campaign check .").succeeded()
    for field in json.loads(box.text("inventory.json"))["fields"]:
        assert ("stated_checksum" in field) == (field["name"] == "000004"), field

    # Jobs alone, which grow: the row of this field is known again.
    def alone(files, more=""):
        return box.plaq(f"run measure.toml --set 'gauge.files=[{files}]' --set output.file=one.h5{more}")

    accept = f" --set 'gauge.accept_checksums=[\"{actual}\"]'"
    alone('"field.000004.nersc"').failed(4, "field.000004.nersc", "12345678", actual)
    alone('"field.000004.nersc"', accept).succeeded()
    grown = alone('"field.000004.nersc","field.000006.nersc"', accept).succeeded()
    assert "states the checksum" not in grown.err, grown  # it was not read again
    alone('"field.000006.nersc"', " --set 'gauge.accept_checksums=[\"tea\"]'").failed(3, "accept_checksums", "tea", "hexadecimal")


@pytest.mark.parametrize("ladder", ("", 'ladder = ["solver.max_iterations=500"]\n'))
def test_a_changed_job_file_is_noticed_at_once(campaign, ladder):
    """Rows of a job file that was changed meanwhile are not mixed with new ones, with a ladder or without."""
    box, late = campaign.box, ("000004", "000006", "000008")
    box.write("campaign.toml", PION + ladder)
    campaign.take(*late)
    campaign.expect_run()
    campaign.bring(*late)
    box.write("propagator.toml", PROPAGATOR.replace("tolerance = 1e-9", "tolerance = 1e-10"))
    named = ("'tolerance' in [solver]", "1e-09", "1e-10", "rows/pion/000002.h5")
    campaign.run().failed(3, *named)
    assert not box.exists("rows/pion/000004.h5")
    assert campaign.status()["tasks"][0]["wrong_rows"] == 1
    shown = box.plaq("campaign status .").out
    for part in named:
        assert part in shown, shown
    # One that came in all the same is not joined with others.
    box.write("propagator.toml", PROPAGATOR)
    campaign.expect_run()
    assert campaign.status()["tasks"][0]["wrong_rows"] == 0


def test_other_fields_are_noticed_at_once(campaign):
    """Rows of fields are not mixed with those of what a task made of them."""
    campaign.expect_run("--task landau")
    campaign.box.write("campaign.toml", CAMPAIGN.replace('gauge = "landau"\n', ""))
    campaign.expect_run("--task pion")
    campaign.box.write("campaign.toml", CAMPAIGN)
    campaign.run("--task pion").failed(3, "'numbering' in [gauge]", "landau.field", "4 rows of task pion")


def test_a_damaged_row(campaign):
    """A damaged row is named before the first item, and computed again when it is gone."""
    campaign.expect_run("--task measure")
    row = bytearray(campaign.box.bytes("rows/measure/000004.h5"))
    row[len(row) // 2] ^= 1
    campaign.box.write("rows/measure/000004.h5", bytes(row))
    campaign.run("--task measure").failed(4, "rows/measure/000004.h5", "remove this row")
    campaign.forget("rows/measure/000004.h5")
    campaign.expect_run("--task measure")
    campaign.expect_like_one_run("measure", NAMES)


def test_a_ladder_of_solvers(campaign):
    box = campaign.box
    box.write("campaign.toml", PION + 'ladder = ["solver.max_iterations=2", "solver.max_iterations=500"]\n')
    box.write("propagator.toml", PROPAGATOR + '[source]\ntype = "point"\n')
    campaign.run("--task pion").succeeded()
    # A first rung that none can climb.
    campaign.forget("rows", "log")
    box.write("propagator.toml", PROPAGATOR.replace("tolerance", "max_iterations = 1\ntolerance"))
    campaign.expect_run()
    assert box.exists("rows/pion/000002.h5")
    said = box.plaq("info --all results/pion.h5").out
    assert "/configurations/rung" in said, said
    # The rows say it, and not the logs.
    campaign.forget("results", "log")
    campaign.expect_run()
    assert box.plaq("info --all results/pion.h5").out == said
    # Rows that do not say it: their job does.
    campaign.forget("results")
    for name in NAMES:
        campaign.forget(f"rows/pion/{name}.h5")
        box.plaq(f"run propagator.toml --set 'gauge.files=[\"field.{name}.nersc\"]' --set "
                 "'gauge.numbering=\"field.{trajectory}.nersc\"' --set solver.max_iterations=500 "
                 f"--set output.file=rows/pion/{name}.h5").succeeded()
    campaign.expect_run()
    assert box.plaq("info --all results/pion.h5").out == said
    # One that leads nowhere.
    campaign.forget("rows", "log")
    box.write("campaign.toml", PION + 'ladder = ["solver.max_iterations=2"]\n')
    campaign.expect_run("", 1, LEFT_OUT)
    listed = box.plaq("campaign quarantine .").out
    assert "pion.000002" in listed, listed
    assert "not_converged" in listed, listed
    assert campaign.status()["left_out"]["not_converged"] == 4
    box.plaq("campaign retry . --reason not_convergd").failed(2, "did you mean 'not_converged'?")
    box.plaq("campaign retry . --node nowhere").failed(2, "nowhere")


def test_looks_at_every_field(campaign):
    box = campaign.box
    campaign.damage("000004")
    box.write("field.000020.nersc", campaign.fields["000008"])
    check = box.plaq("campaign check . --ranks-per-task 1", 2)
    assert check.code == 4, check
    for part in ("5 gauge fields, 4 of them good", "000004: ", "000008 and 000020 have the same links",
                 "000008 to 000020: a step of 12 where 2 is usual"):
        assert part in check.out, check
    assert len(json.loads(box.text("inventory.json"))["fields"]) == 5
    campaign.bring("000004")
    (box / "field.000020.nersc").unlink()
    check = box.plaq("campaign check .").succeeded()
    assert "no problem was found" in check.out, check


def test_left_out_by_people(campaign):
    """An item that a user leaves out for a reason is no failure."""
    box = campaign.box
    box.plaq("campaign quarantine . 000004").succeeded()
    campaign.expect_run("--task measure")
    campaign.expect_like_one_run("measure", ("000002", "000006", "000008"))
    campaign.damage("000006")
    campaign.forget("rows/measure/000006.h5")
    outcome = campaign.expect_run("--task measure", 1, LEFT_OUT)
    assert "1 items are left out" in outcome.err, outcome
    text = box.text("quarantine.toml")
    assert '"input_file"' in text, text
    box.write("quarantine.toml", text.replace('"input_file"', '"I have seen it"', 1))
    campaign.expect_run("--task measure")


def test_nothing_that_was_found_is_nothing_done(campaign):
    box = campaign.box
    box.write("campaign.toml", '[ensemble]\nfiles = "fields/f.{trajectory}.nersc"\n[task.measure]\njob = "measure.toml"\n')
    said = ("no gauge field fields/f.{trajectory}.nersc", str(box.path.resolve()))
    campaign.run().failed(4, *said)
    box.plaq("campaign check .").failed(4, *said)
    assert said[0] in box.plaq("campaign status .").out
    box.write("campaign.toml", CAMPAIGN)
    box.plaq("campaign audit .").failed(2, "no complete item", "run plaq campaign run first")


def test_says_what_it_waits_for(campaign):
    outcome = campaign.expect_run("--task pion", 1, LEFT_OUT)
    assert "4 items wait for others that are not done, such as pion/000002" in outcome.err, outcome


MADE = '[ensemble]\nfiles = "made.{trajectory}.nersc"\n[task.generate]\njob = "generate.toml"\n[task.measure]\njob = "measure.toml"\n'


def test_waits_for_the_fields_of_a_task(campaign):
    """A second worker waits for the fields that the first one makes."""
    box = campaign.box
    box.write("generate.toml", GENERATE.replace('"field"', '"made"'))
    box.write("campaign.toml", MADE + "[workers]\nheartbeat = 0.2\nlease_timeout = 2\n")
    # The lease of another node: its worker makes the fields, and ends.
    (box / "leases").mkdir()
    box.write("leases/generate@once.0", '{"worker":"far.1","node":"far","host":"far x y","process":1,"started":1}')
    with Launched(box, "campaign run .") as waiting:
        assert not waiting.ends_within(1), waiting.err()
        assert waiting.ends_within(60), waiting.err()  # it took the lease over
        assert waiting.code() == 0, waiting.err()
    assert box.exists("results/measure.h5")


def test_grows_with_its_chain(campaign):
    """A chain whose job file asks for more fields goes on, and its new fields are measured like others."""
    box, job = campaign.box, GENERATE.replace('"field"', '"made"')
    box.write("generate.toml", job)
    box.write("campaign.toml", MADE)
    campaign.expect_run()
    first, row = box.bytes("made.000002.nersc"), box.bytes("rows/measure/000002.h5")
    box.write("generate.toml", job.replace("configurations = 2", "configurations = 4"))
    campaign.expect_run()
    assert box.bytes("made.000002.nersc") == first
    assert box.bytes("rows/measure/000002.h5") == row
    for name, content in campaign.fields.items():  # those of one long run, as far as names of files are not in them
        assert box.bytes(f"made.{name}.nersc") == content, name
    assert campaign.status()["tasks"][1]["done"] == 4
    campaign.expect_run()  # nothing is left


def test_begins_again_where_work_cannot_be_used(campaign):
    """Useless files in work/ are no reason to leave a field out."""
    box = campaign.box
    campaign.expect_run()
    other_row, pion = box.bytes("rows/measure/000008.h5"), box.bytes("results/pion.h5")
    for task in ("measure", "landau", "pion"):
        campaign.forget(f"rows/{task}/000004.h5")
    for gone in ("gone.1", "gone.2"):
        (box / "work" / gone).mkdir(parents=True, exist_ok=True)
    box.write("work/gone.1/measure.000004.h5", other_row)
    box.write("work/gone.2/measure.000004.h5.journal", "garbage")
    box.write("work/gone.1/landau.000004.h5", "garbage")
    box.write("work/gone.1/landau.000004.h5.journal", b"plaqJRNL\1\0\0\0" + b"x" * 100)
    box.write("work/gone.1/pion.000004.h5.journal", b"\0" * 1000)
    # A pipe that nobody writes to is not waited for.
    for pipe in ("work/gone.2/pion.000004.h5.journal", "log/pipe.jsonl", "leases/other@000004.0"):
        os.mkfifo(box / pipe, 0o600)
    campaign.expect_run()
    campaign.expect_like_one_run("measure", NAMES)
    assert box.bytes("results/pion.h5") == pion
    assert not [path for path in (box / "work").rglob("*") if not path.is_dir()]
    assert campaign.status()["tasks"][0]["done"] == 4


def test_a_rung_that_is_another_method(campaign):
    """It does not go on from the journal of the one before."""
    job = PROPAGATOR.replace("tolerance", "max_iterations = 25\ntolerance") + "[source]\ncount = 2\nshift = [0, 0, 0, 2]\n"
    campaign.box.write("propagator.toml", job)
    campaign.box.write("campaign.toml", PION + 'ladder = ["solver.method=bicgstab; solver.max_iterations=500"]\n')
    campaign.expect_run()


def test_little_time(campaign):
    campaign.expect_run("--time 30", 1, 9)  # of which a minute is for the end
    assert campaign.status()["tasks"][0]["done"] == 0


def test_scripts_for_slurm(campaign):
    box = campaign.box
    box.write("campaign.toml", CAMPAIGN + "[slurm]\nrestarts = 7\n")
    script = box.plaq("campaign submit . --dry-run").succeeded()
    for part in ("#SBATCH --array=1-1", "#SBATCH --signal=B:USR1@300", "#SBATCH --ntasks=8", "campaign run . &",
                 "-lt 7 ] && scontrol requeue \"$SLURM_JOB_ID\"", "sbatch submit.sh"):
        assert part in script.out, script
    box.write("submit.sh", script.out)
    subprocess.run(["bash", "-n", box / "submit.sh"], check=True)


def test_begins(campaign):
    box = campaign.box
    box.plaq("campaign init new --files '../field.{trajectory}.nersc' --job measure.toml").succeeded()
    box.plaq("campaign init new").failed(5, "exists")
    box.plaq("campaign run new").succeeded()
    assert box.exists("new/results/measure.h5")
    box.plaq("campaign status nowhere").failed(2, "nowhere")
    box.plaq("campaign retry new 000003").failed(2, "000003", "measure.000002")


def test_reports_it_all(campaign):
    box = campaign.box
    campaign.damage("000004")
    campaign.expect_run("", 1, LEFT_OUT)
    # One that is done is left out by hand: means are shown with it, too.
    box.plaq("campaign quarantine . measure.000006 --reason 'a <burst>'").succeeded()
    assert box.plaq("campaign check .").code == 4
    report = box.plaq("campaign report . --output page.html")
    if report.code == 2 and "needs Python" in report.err:
        pytest.skip(report.err)
    report.succeeded()
    page = box.text("page.html")
    for part in ("<!DOCTYPE html>", "all.000004", "checksum", "a &lt;burst&gt;", "Means without and with", "theta of each copy",
                 "effective", "tau_int", "propagator.toml", "node hours"):
        assert part in page, part
    for part in ("<script", 'src="http', 'href="http', "nan(", "None"):
        assert part not in page, part
    box.plaq("campaign report . --output nowhere/page.html").failed(5, "nowhere/page.html")


def test_results_are_joined_and_seen_early(campaign):
    """Rows of many files in one, and a job that is not complete."""
    box = campaign.box
    for name in NAMES:
        box.plaq(f"run propagator.toml --set 'gauge.files=[\"field.{name}.nersc\"]' --set output.file={name}.h5").succeeded()
    box.plaq("results join joined.h5 000002.h5 000004.h5 000006.h5 000008.h5").succeeded()
    files = "--set 'gauge.files=[" + ",".join(f'"field.{name}.nersc"' for name in NAMES) + "]'"
    box.plaq("run propagator.toml " + files).succeeded()
    assert box.bytes("joined.h5") == box.bytes("pion.h5")
    box.plaq("results join joined.h5 000002.h5").failed(5, "joined.h5")
    box.plaq("results join again.h5 000002.h5 000002.h5").failed(4, "both have the gauge field")
    # The third field is damaged: two are found.
    campaign.forget("pion.h5")
    campaign.damage("000006")
    assert box.plaq("run propagator.toml " + files).code == 4
    box.plaq("results snapshot propagator.toml early.h5 " + files).succeeded()
    box.plaq("results join two.h5 000002.h5 000004.h5").succeeded()
    assert box.bytes("early.h5") == box.bytes("two.h5")
    assert box.exists("pion.h5.journal")
    assert not box.exists("early.h5.journal")
