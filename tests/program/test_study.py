"""Studies from end to end: every number in every file, tasks that later runs on more ranks add, transports that cannot be used, kills,
job scripts. No time is expected to be anything but positive."""
import json
import os
import shlex
import signal
import struct
import subprocess

import numpy
import pytest

from launched import Launched
from program import MPIRUN
from study import Study, journal_records

JOB = """job = "study"
[study]
lattices = ["4x4x4x8"]
local_lattices = ["4x4x4x4"]
ranks = [1, 2]
targets = ["hop", "schur", "cg"]
storages = ["double 18", "half 12"]
iterations = 3
samples = 1
memory_limit = false
[action]
mass = 0.5
[output]
file = "study.h5"
json = "study.json"
table = "study.txt"
[run]
location = "host"
threads = 1
"""
EXISTS = "study.h5", "exists"
COMPLETE = "complete: nothing to do"
WITHOUT_RANKS = "--set study.ranks=[] --set study.local_lattices=[] "
DOUBLE = 8e-16  # two roundings


@pytest.fixture
def study(box):
    return Study(box, JOB)


def blocks(rows, size):
    """Blocks of rows, one a point of the study."""
    return [rows[i:i + size] for i in range(0, len(rows), size)]


def test_every_number_is_there(study):
    study.run("--set model.machine=h200", 2).succeeded()
    assert not study.has_journal()
    found = study.rows()
    assert len(found) == 24  # four points, three targets, two storages
    for k, points in enumerate(zip(*blocks(found, 6))):
        alone, two, weak, weak_two = points
        for row in points:
            assert row["seconds_least"] <= row["seconds"] <= row["seconds_most"]
            assert row["seconds"] > 0
            assert row["target"] == ("wilson_hop", "wilson_schur", "cg")[k // 2]
            assert row["storage"] == ("double 18", "half 12")[k % 2]
            assert (row["right_hand_sides"], row["mass"], row["nodes"]) == (1, 0.5, 1)
            assert row["predicted"] > 0
            assert row["error"] < (1e-14, 5e-3)[k % 2]
            assert row["flops_per_second"] * row["seconds"] == pytest.approx(row["flops"], rel=1e-6)
            assert "configuration" not in row
        assert (alone["scaling"], weak["scaling"]) == ("strong", "weak")
        assert alone["lattice"] == weak_two["lattice"] == [4, 4, 4, 8]
        assert weak["lattice"] == [4, 4, 4, 4]
        assert two["process_grid"] == [1, 1, 1, 2]
        assert two["ranks"] == 2
        assert alone["transport"] == "auto"
        assert alone["efficiency"] == 1
        assert two["efficiency"] == pytest.approx(alone["seconds"] / (2 * two["seconds"]), rel=DOUBLE, abs=0)
        assert weak_two["efficiency"] == pytest.approx(weak["seconds"] / weak_two["seconds"], rel=DOUBLE, abs=0)
        # The second weak point has the lattice of the strong ones.
        assert alone["checksum"] == two["checksum"] == weak_two["checksum"]
        assert alone["checksum"] != weak["checksum"]
        assert alone["bytes_sent"] == alone["arrived"] == 0
        exchanges = (1, 2, 4)[k // 2]
        assert two["exchanges"] == exchanges
        assert two["bytes_sent"] >= exchanges * 2 * 32 * 12 * (8, 2)[k % 2]
        assert two["exposed"] == pytest.approx(exchanges * two["exchange_exposed"], rel=DOUBLE, abs=0)
        assert two["arrived"] > 0
    # Half of the sites. The fewest bytes of the hopping term: eight links and two spinors for each site of one parity.
    assert found[0]["flops"] == 1320 * 256
    assert found[0]["bytes"] == 256 * 8 * (8 * 18 + 2 * 24)
    assert found[1]["bytes"] == 256 * (2 * (8 * 12 + 2 * 24) + 2 * 4)
    assert found[2]["bytes"] == 256 * 8 * (2 * 8 * 18 + 5 * 24)  # both hopping terms and what is added
    assert found[2]["flops"] == (2 * 1320 + 48) * 256


def test_files_have_the_same_numbers(study):
    """HDF5, JSON and the table hang together; the study is complete on any number of ranks."""
    more = "--set model.machine=h200"
    outcome = study.run(more, 2).succeeded()
    found, stored = study.rows(), study.numbers()
    for path, numbers in stored.items():
        assert len(numbers) == 24, path
    for name in ("seconds", "flops", "bytes", "error", "bytes_sent", "efficiency", "predicted"):
        for row, in_file in zip(found, stored[f"/rows/{name}"]):
            if name in row:
                assert in_file == row[name], name
            else:
                assert numpy.isnan(in_file) and name == "bytes", name  # methods do not say it
    assert stored["/rows/lattice"][23].tolist() == [4, 4, 4, 8]
    assert not study.results()["missing"]
    assert study.results()["machine"]["location"] == "host"
    table = study.box.text("study.txt")
    assert table in outcome.out
    for part in ("wilson_schur", "half 12", "cg", "strong", "weak", "4x4x4x8", "100.0", "predicted"):
        assert part in table, (part, table)
    # The number of ranks is the points' matter.
    for ranks in (1, 2):
        assert COMPLETE in study.run(more, ranks).err
    study.run("--set study.iterations=4").failed(5, *EXISTS, "overwrite")
    info = json.loads(study.box.plaq("info study.h5 --json").succeeded().out)
    assert info["job_type"] == "study"
    assert info["verified"] is True


def test_without_ranks_there_are_those_of_the_run(study):
    """Several lattices, numbers of right-hand sides and all that is asked without numbers of ranks."""
    here = WITHOUT_RANKS + ("--set 'study.lattices=[\"4x4x4x4\", \"4x4x4x8\"]' --set study.right_hand_sides=[1,3] "
                            "--set study.memory_limit=true --set action.type=clover --set action.c_sw=1 "
                            "--set 'study.targets=[\"hop\", \"schur_asymmetric\", \"accuracy\", \"bandwidth\"]' ")
    outcome = study.run(here, 2).succeeded()
    assert not study.has_journal()
    rows = study.rows()
    for row in rows:
        assert row["ranks"] == 2
        assert "efficiency" not in row
    shares = [row for row in rows if "share" in row]
    for row in shares:
        assert row["share"] == pytest.approx(row["bytes"] / row["seconds"] / row["memory_limit"], rel=0, abs=1e-9)
    assert len(shares) == 2 * (2 * 4 + 2 + 2)
    assert "clover_schur_asy" in outcome.out, outcome
    assert COMPLETE in study.run(here, 2).err
    # Another number of ranks, or of threads, has other times.
    study.run(here, 1).failed(5, *EXISTS, "overwrite")
    study.run(here + "--set run.threads=2", 2).failed(5, *EXISTS, "overwrite")


@pytest.mark.parametrize("ranks", (1, 2))
def test_accuracy_curves_are_those_of_the_benchmark(study, ranks):
    """Accuracy is no matter of time: the same numbers as the benchmark's, on any number of ranks."""
    study.box.plaq("bench accuracy --lattice 4x4x4x8 --location host --repeats 1 --json b.json").succeeded()
    expected = study.rows("b.json")
    assert len(expected) == 9
    storages = json.dumps([row["storage"] for row in expected])
    study.run(f"{WITHOUT_RANKS} --set 'study.targets=[\"accuracy\"]' --set 'study.storages={storages}'", ranks).succeeded()
    stored, rows = study.numbers(), study.rows()
    epsilon, proportion = stored["/accuracy/epsilon"], stored["/accuracy/proportion"]
    assert proportion.shape == (9, len(expected[0]["curve"]))
    for row, of_bench, *curve in zip(rows, expected, epsilon, proportion):
        assert row["curve"] == of_bench["curve"]
        assert row["error"] == of_bench["error"]
        assert numpy.array_equal(numpy.transpose(curve), of_bench["curve"])
    assert rows[0]["error"] == 0
    assert rows[8]["error"] > 1e-5


def test_multigrid(study):
    """The setup is made on each grid, and its time stands beside that of an iteration."""
    study.box.write("study.toml", JOB + "[multigrid]\nblocks = [\"2x2x2x2\"]\nvectors = [4]\n")
    more = "--set 'study.targets=[\"gcr\", \"gcr_multigrid\"]' --set 'study.ranks=[1, 2, 4]' --set model.machine=h200 "
    planned = study.box.plaq("plan study.toml --ranks 4 --gpu h200 " + more).succeeded()
    assert "gcr_multigrid" in planned.out, planned
    study.run(more, 2).succeeded()
    assert study.has_journal()  # tasks of four ranks are missing
    study.run(more, 4).succeeded()
    assert not study.has_journal()
    found = study.rows()
    assert len(found) == 24
    before = 0
    for row in found:
        cycles = row["target"] == "gcr_multigrid"
        assert ("setup_seconds" in row and row["setup_seconds"] > 0) == cycles
        assert row["flops_per_second"] > 0
        assert row["predicted"] > (before if cycles else 0)
        if not cycles:
            before = row["predicted"]
    assert "setup" in study.box.text("study.txt")
    study.run(more + "--set 'multigrid.blocks=[\"2x2x2x5\"]' --set output.overwrite=true").failed(
        3, "blocks of 2x2x2x5 sites do not tile")


def test_gauge_fixing(study):
    """Sweeps of gauge fixing beside nothing else: the same g on every grid, and no action."""
    study.box.write("study.toml", JOB.replace("[action]\nmass = 0.5\n", ""))
    fixing = ("--set 'study.targets=[\"gauge_fixing\", \"gauge_fixing_su2\"]' --set study.right_hand_sides=[1,2] "
              "--set 'study.storages=[\"single 12\", \"mixed 12\", \"double 12\"]' ")
    study.run(fixing, 2).succeeded()
    found = study.rows()
    assert len(found) == 48
    for alone, two, weak, _ in zip(*blocks(found, 12)):
        copies, storage = alone["right_hand_sides"], alone["storage"]
        assert alone["flops"] == 2274 * 512 * copies
        assert alone["checksum"] == two["checksum"]
        assert alone["checksum"] != weak["checksum"]
        assert alone["bytes_sent"] == 0
        # Two exchanges of two faces of one parity.
        assert two["bytes_sent"] >= 2 * 2 * 32 * 12 * (8 if storage == "double 12" else 4) * copies
        assert two["arrived"] > 0
        assert alone["error"] < {"single 12": 2e-5, "mixed 12": 2e-6, "double 12": 1e-12}[storage]
        assert "mass" not in alone
    plan = study.box.plaq("plan study.toml --gpu h200 --ranks 2 --set output.overwrite=true " + fixing).out
    for part in ("us  strong 4x4x4x8 on 1x1x1x1 by auto: gauge_fixing, 1 copy: single 12: application",
                 "Messages that a rank sends (strong 4x4x4x8 on 1x1x1x2"):
        assert part in plan, plan


def seconds_of(rows):
    return [row["seconds"] for row in rows]


THREE = "--set study.ranks=[1,2,3] --set 'study.lattices=[\"4x4x4x12\"]' "


def test_more_ranks_add_their_tasks(study):
    assert study.outlook(THREE) == "begins"
    one = study.run(THREE).succeeded()
    assert "4 of 6 tasks are missing" in one.err, one
    assert "strong 4x4x4x12 on 1x1x1x3 by auto: needs 3 ranks" in one.out, one
    assert study.has_journal()
    assert len(study.results()["missing"]) == 4
    first = study.rows()
    assert len(first) == 2 * 6
    assert study.outlook(THREE) == "goes on"
    # Again on as many: nothing is measured, nothing is lost.
    study.run(THREE).succeeded()
    assert study.rows() == first
    study.run(THREE + "--set study.iterations=4", 2).failed(5, *EXISTS)
    study.run(THREE + "--set run.threads=2").failed(5, *EXISTS, "threads_per_rank is 1 there and 2 here")
    study.run(THREE, 2).succeeded()
    assert study.has_journal()
    kept = blocks(study.rows(), 6)
    assert len(kept) == 4
    on = study.run(THREE, 3).succeeded()
    assert "4 of 6 tasks are done and kept" in on.err, on
    assert not study.has_journal()
    points = blocks(study.rows(), 6)
    assert [[row["ranks"] for row in rows] for rows in points] == [[ranks] * 6 for ranks in (1, 2, 3) * 2]
    assert seconds_of(points[0]) == seconds_of(first[:6])
    assert seconds_of(points[3]) == seconds_of(first[6:])
    assert [seconds_of(points[i]) for i in (0, 1, 3, 4)] == [seconds_of(rows) for rows in kept]
    assert study.outlook(THREE) == "complete"


def test_the_largest_may_come_first(study):
    study.run(THREE).succeeded()
    first = study.rows()
    study.run(THREE + "--set study.ranks=[1,3] --set output.overwrite=true", 3).succeeded()
    assert not study.has_journal()
    assert len(study.rows()) == 4 * 6
    assert study.rows()[0]["seconds"] == first[0]["seconds"]  # from the journal


def test_a_transport_that_cannot_be_used_is_left_out(study):
    outcome = study.run("--set 'study.transports=[\"peer\", \"host\"]' --set 'study.targets=[\"hop\"]' ", 2).succeeded()
    assert "peer: it moves faces between GPUs, and this run is on the host" in outcome.err, outcome
    assert [row["transport"] for row in study.rows()] == ["auto", "auto", "host", "host"] * 2
    assert len(study.results()["missing"]) == 2
    assert study.has_journal()


def test_checks_faces(study):
    """The bits of a run without them; other times, and said to be so."""
    checked = "--set comms.halo_checksums=true "
    outcome = study.run(checked, 2).succeeded()
    assert "faces with checksums" in outcome.err, outcome
    assert "measured with checksums of all faces" in study.box.text("study.txt")
    assert study.results()["machine"]["halo_checksums"] == 1
    checksums = study.numbers()["/rows/checksum"]
    assert study.outlook(checked) == "complete"
    study.run("", 2).failed(5, *EXISTS, "halo_checksums is 1 there and 0 here")
    study.run("--set output.overwrite=true", 2).succeeded()
    assert "checksums" not in study.box.text("study.txt")
    assert study.results()["machine"]["halo_checksums"] == 0
    assert numpy.array_equal(study.numbers()["/rows/checksum"], checksums)


@pytest.mark.parametrize("setting, parts", (
    ('study.lattices=["4x4x4"]', ("lattices", "4x4x4", "four even extents")),
    ('study.local_lattices=["4x4x4x5"]', ("local_lattices", "4x4x4x5", "four even extents")),
    ('study.local_lattices=["4x4x4x4", "4x4x4x4"]', ("local_lattices", "listed twice")),
    ('study.process_grids=["1x1x0x1"]', ("process_grids", "1x1x0x1", "numbers of ranks")),
    ('study.process_grids=["4096x4096x4096x4096"]', ("process_grids", "65536")),
    ('study.process_grids=["1x1x1x3"]', ("process_grids", "3 ranks", "direction t", "8 sites")),
    ("study.ranks=[1, 3]", ("ranks", "3 ranks cannot share 4x4x4x8")),
    ("study.ranks=[0]", ("ranks", "1 to 65536")),
    ('study.transports=["self"]', ("transports", "device_mpi")),
    ('study.targets=["hermitian-cg"]', ("targets", "bicgstab")),
    ('study.target=["hop"]', ("target", "targets")),
    ('study.storages=["half 16"]', ("storages", "half 16", "half 8")),
    ("study.storages=[]", ("storages", "empty")),
    ("study.right_hand_sides=[0]", ("right_hand_sides", "1 to 256")),
    ("study.right_hand_sides=[4, 8, 4]", ("right_hand_sides", "4 is listed twice")),
    ("study.iteration=3", ("iteration", "iterations")),
    ("study.epsilons=[0.0]", ("epsilons", "greater than 0")),
    ("action.kappa=0.1", ("kappa", "mass")),
    ("comms.process_grid=[1,1,1,1]", ("process_grid", "[study]")),
    ("comms.transport=host", ("transport", "[study]")),
    ("model.machine=h2000", ("machine", "h200"))))
def test_wrong_keys_are_named(study, setting, parts):
    study.run(f"--set '{setting}'").failed(3, *parts)
    assert not study.box.exists("study.h5")


@pytest.mark.parametrize("more, ranks, code, parts", (
    ("--set study.local_lattices=[] --set study.lattices=[]", 1, 3, ("lattices", "no lattice")),
    ("--set study.targets=[]", 2, 3, ("targets", "solvers", "nothing is left")),
    ("--set study.ranks=[2]", 1, 3, ("no task can be measured on 1 rank", "needs 2 ranks")),
    ("--set 'model.measurements=[\"absent.json\"]'", 2, 4, ("absent.json",)),
    (WITHOUT_RANKS, 5, 3, ("4x4x4x8", "ranks"))))  # no grid of five ranks
def test_a_study_without_tasks_or_files_is_one_error(study, more, ranks, code, parts):
    study.run(more, ranks).failed(code, *parts)
    assert not study.box.exists("study.h5")


# Samples enough that a signal comes in time also where the machine is busy.
LONG = "--set study.ranks=[1] --set 'study.lattices=[\"4x4x4x4\", \"4x4x4x8\", \"4x4x8x8\", \"4x8x8x8\"]' --set study.samples=4 "


def interrupted(study, ranks, kills):
    """The records of a journal with some of five tasks, left by a run that was killed or stopped."""
    journal = study.box / "study.h5.journal"
    for _ in range(20):
        study.forget("study.h5.journal")
        with Launched(study.box, "run study.toml " + LONG, ranks) as run:
            run.waits_for(lambda: journal.exists() and journal.stat().st_size > 3000)
            if kills:
                run.kill()
            else:
                run.signal(signal.SIGTERM)
                assert run.ends_within(run.age() + 60)
        if study.box.exists("study.h5"):
            continue  # it ended before
        if not kills and ranks == 1:
            assert run.code() == 9, run.err()
        records = journal_records(journal.read_bytes()) if journal.exists() else []
        if 1 <= sum(kind != 0 for kind, *_ in records) < 5:
            return records
    pytest.fail("no signal came in time")


@pytest.mark.parametrize("ranks", (1, 2))
@pytest.mark.parametrize("kills", (True, False), ids=("killed", "stopped"))
def test_goes_on_behind_the_last_task(study, ranks, kills):
    """Killed or stopped behind a task, it goes on with the next, and the times of those that were done stay."""
    records = interrupted(study, ranks, kills)
    known = sum(kind != 0 for kind, *_ in records)
    _, key, payload = records[1]
    assert key == "strong 4x4x4x4 on 1x1x1x1 by auto"
    size, = struct.unpack("<Q", payload[:8])
    machine, results = payload[8:8 + size], payload[8 + size:]
    assert machine.startswith(b"location = host; forced_directions = 0")
    assert struct.unpack("<I", results[:4]) == (0,)  # part
    plan = json.loads(study.box.plaq(f"plan study.toml --json --ranks {ranks} {LONG}").out)
    assert plan["outlook"]["kind"] == "goes on"
    study.run(LONG + "--set study.iterations=11", ranks).failed(
        5, "study.h5.journal", "[study] iterations", "another unfinished job", "Deleting")
    on = study.run(LONG, ranks).succeeded()
    assert f"{known} of 5 tasks are done and kept" in on.err, on
    # The six rows of the first task.
    assert study.numbers()["/rows/seconds"][:6].astype("<f8").tobytes() in results
    assert not study.has_journal()


# Stands for sbatch: runs the script, and prints a job's number.
SBATCH = """#!/bin/bash
for last; do :; done
echo "$@" >> called
export SLURM_NTASKS=$(sed -n 's/^#SBATCH --ntasks=//p' "$last")
bash "$last" > "$(basename "$last").out" 2>&1
echo "$(wc -l < called);cluster"
"""


def test_scripts_measure_the_whole_study(study):
    """Scripts run in order by what stands for sbatch and srun."""
    box = study.box
    outcome = study.run("--generate \"it's here/jobs\" --set 'study.targets=[\"hop\"]' --set slurm.ranks_per_node=4 "
                        "--set slurm.partition=gpu --set 'slurm.setup=[\"export OMP_NUM_THREADS=1\"]' "
                        f"--set 'slurm.launcher={shlex.join(MPIRUN)} -np $SLURM_NTASKS' ").succeeded()
    jobs = box / "it's here/jobs"
    assert outcome.out == f"{jobs}/submit.sh\n"
    script = (jobs / "ranks-2.sh").read_text()
    for line in ("#SBATCH --ntasks=2", "#SBATCH --nodes=1", "#SBATCH --partition=gpu", "#SBATCH --time=00:30:00",
                 "export OMP_NUM_THREADS=1"):
        assert line + "\n" in script, (line, script)
    assert "gpus" not in script  # location = "host"
    assert " plot 'study.h5' --output 'study.pdf'" in (jobs / "collect.sh").read_text()
    assert not (jobs / "ranks-3.sh").exists()
    assert not box.exists("study.h5")

    box.write("sbatch", SBATCH)
    (box / "sbatch").chmod(0o700)
    submitted = subprocess.run([jobs / "submit.sh"], cwd=box.path, env={**os.environ, "PATH": f"{box.path}:{os.environ['PATH']}"},
                               stdout=subprocess.PIPE, check=True, text=True).stdout
    for job in (1, 2):
        assert f"--parsable --dependency=afterany:{job} " in box.text("called")
    assert "collect.sh: job 3" in submitted
    assert "2 of 4 tasks are missing" in box.text("ranks-1.sh.out")
    assert not study.has_journal(), box.text("ranks-2.sh.out")
    assert [row["ranks"] for row in study.rows()] == [1, 1, 2, 2, 1, 1, 2, 2]


def test_scripts_of_other_numbers_of_ranks(study):
    study.run("--generate x --set slurm.ranks=4").failed(3, "[study]")
    study.run("--generate gpu --set run.location=gpu --set study.ranks=[1,12] --set study.lattices=[]").succeeded()
    twelve = study.box.text("gpu/ranks-12.sh")
    for line in ("--nodes=2", "--ntasks=12", "--ntasks-per-node=8", "--gpus-per-node=8"):
        assert line + "\n" in twelve, (line, twelve)
    # Without numbers of ranks it is one batch job.
    study.run("--generate one --set study.ranks=[] --set slurm.ranks=2").succeeded()
    assert study.box.exists("one/job.sh")
