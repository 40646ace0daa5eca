"""No output of a command replaces what it reads, or another output: whatever is asked for, all files stay."""
import shutil

import pytest

from program import GENERATE, MEASURE, PROPAGATOR

GAUGEFIX = """job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
theta = 1e-3
[output]
file = "fixed.h5"
[run]
location = "host"
threads = 1
"""

STUDY = """job = "study"
[study]
lattices = ["4x4x4x8"]
ranks = [1]
targets = ["hop"]
iterations = 1
samples = 1
[action]
kappa = 0.11
[output]
file = "study.h5"
[run]
location = "host"
threads = 1
"""

FIELD, OVER = "field.000002.nersc", " --set output.overwrite=true"


@pytest.fixture
def jobs(box):
    for name, text in (("generate", GENERATE), ("measure", MEASURE), ("propagator", PROPAGATOR), ("gaugefix", GAUGEFIX),
                       ("study", STUDY)):
        box.write(f"{name}.toml", text)
    box.plaq("run generate.toml --set update.configurations=1").succeeded()
    return box


def expect_refused(box, command, code, *parts, ranks=1):
    def files():
        return {name: box.bytes(name) for name in box.names() if (box / name).is_file()}

    before = files()
    box.plaq(command, ranks).failed(code, *parts)
    assert files() == before, command


@pytest.mark.parametrize("more", ("", OVER))
def test_a_job_keeps_what_it_reads(jobs, more):
    expect_refused(jobs, f"run measure.toml --profile-json {FIELD}{more}", 3, FIELD, "a gauge field",
                   "the profile ([run] profile_file)")
    expect_refused(jobs, f"run measure.toml --set output.file={FIELD}{more}", 3, FIELD, "a gauge field",
                   "the results of the job", ranks=2)
    expect_refused(jobs, f"run measure.toml --set output.file=./measure.toml{more}", 3, "measure.toml", "the job file")
    expect_refused(jobs, f"run measure.toml --set run.tuning_file={FIELD}{more}", 3, FIELD, "tuning_file")


def test_other_commands_and_the_files_of_a_chain(jobs):
    expect_refused(jobs, f"plan measure.toml --set output.file={FIELD}{OVER}", 3, FIELD, "a gauge field")
    expect_refused(jobs, f"run propagator.toml --profile-json pion.h5.journal{OVER}", 3, "its journal")
    on = "run generate.toml --set gauge.start=file --set update.seed=12 --set gauge.file="
    expect_refused(jobs, f"{on}{FIELD} --set update.thermalization=0{OVER}", 3, FIELD, "the start ([gauge] file)",
                   "a field of the chain")
    shutil.copy(jobs / FIELD, jobs / "field.checkpoint")
    expect_refused(jobs, f"{on}field.checkpoint --set update.thermalization=7", 3, "its checkpoint")


def test_two_outputs_have_two_names(jobs):
    expect_refused(jobs, f"run gaugefix.toml --set output.file=landau.{FIELD}{OVER}", 3, f"landau.{FIELD}",
                   "the results of the job", "a fixed field")
    expect_refused(jobs, f"run propagator.toml --set output.propagators=hdf5 --set output.file={FIELD}.s0.prop.h5{OVER}", 3,
                   "a propagator", "the results of the job")
    expect_refused(jobs, f"run study.toml --set output.json=same --set output.table=sub/../same{OVER}", 3, "[output] json",
                   "[output] table")
    shutil.copy(jobs / "study.toml", jobs / "job.toml")
    expect_refused(jobs, "run job.toml --generate .", 2, "job.toml", "the job file", "a script (--generate)")


def test_others_files_stay(jobs):
    shutil.copy(jobs / FIELD, jobs / "precious")
    expect_refused(jobs, f"run measure.toml --profile-json precious{OVER}", 5, "precious", "no JSON file")
    expect_refused(jobs, f"convert {FIELD} ./{FIELD} --format nersc --overwrite", 2, FIELD, "IN", "OUT")
    expect_refused(jobs, "bench wilson_hop --json precious", 5, "precious", "no JSON file")
