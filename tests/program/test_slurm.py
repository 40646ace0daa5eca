"""Any job as a batch job of Slurm: what stands for sbatch and scontrol runs the scripts. PATH is that of the sandbox: nothing is ever
submitted to a real Slurm."""
import os
import pathlib
import shlex
import subprocess

import pytest

from program import GENERATE, MEASURE, MPIRUN

LAUNCHER = f"--set 'slurm.launcher={shlex.join(MPIRUN)} -np $SLURM_NTASKS' "


@pytest.fixture
def jobs(box):
    box.write("generate.toml", GENERATE)
    box.write("measure.toml", MEASURE)
    return box


def tool(box, name, text):
    box.write(name, "#!/bin/bash\n" + text)
    (box / name).chmod(0o700)


def with_tools(box):
    """Programs of the sandbox come first."""
    return {"PATH": f"{box.path}:{os.environ['PATH']}"}


def bash(box, command, **environment):
    return subprocess.run(["bash", "-c", command], cwd=box.path, env={**os.environ, **environment}).returncode


def test_scripts_say_what_the_job_takes(jobs):
    outcome = jobs.plaq("run measure.toml --generate \"it's 5% here\" --set slurm.ranks=12 --set slurm.cores_per_rank=14 "
                        "--set run.location=auto --set slurm.time=1-00:00:00 --set slurm.account=lattice "
                        "--set 'slurm.setup=[\"module load x\"]' --set slurm.restarts=3").succeeded()
    assert outcome.out == f"{jobs.path}/it's 5% here/submit.sh\n"
    script = jobs.text("it's 5% here/job.sh")
    for line in ("--job-name=plaq-measure", "--nodes=2", "--ntasks=12", "--ntasks-per-node=8", "--cpus-per-task=14",
                 "--gpus-per-node=8", "--time=1-00:00:00", "--account=lattice", "--signal=B:USR1@300", "--open-mode=append",
                 "--requeue"):
        assert f"#SBATCH {line}\n" in script, script
    assert "module load x\n" in script
    assert "#SBATCH --output=\"/" in script, script
    assert "it\\'s 5%% here/measure.log\"\n" in script, script
    assert "srun --cpu-bind=cores '" in script, script
    assert "ranks = 12" in jobs.text("it's 5% here/job.toml")
    assert bash(jobs, "bash -n \"it's 5% here/job.sh\" && bash -n \"it's 5% here/submit.sh\"") == 0

    jobs.plaq("run measure.toml --generate host --set slurm.warning=0 --set comms.process_grid=[1,1,1,2]").succeeded()
    host = jobs.text("host/job.sh")
    for line in ("#SBATCH --ntasks=2", "#SBATCH --nodes=1"):
        assert line + "\n" in host, host
    for none in ("gpus", "--signal", "--requeue", "cpus-per-task="):
        assert none not in host, host


@pytest.mark.parametrize("setting, part", (("slurm.time=soon", "04:00:00"), ("slurm.time=5", "'warning'"),
                                           ("slurm.ranks=3 --set comms.process_grid=[1,1,1,2]", "process_grid")))
def test_mistakes_are_said_at_once(jobs, setting, part):
    jobs.plaq(f"run measure.toml --generate x --set {setting}").failed(3, "[slurm]", part)
    assert not jobs.exists("x")


def test_a_script_does_not_replace_the_job(jobs):
    jobs.write("job.toml", MEASURE)
    jobs.plaq("run job.toml --generate .").failed(2, "job.toml", "--generate")
    assert jobs.text("job.toml") == MEASURE


def test_without_sbatch_the_script_is_there(jobs):
    (jobs / "bin").mkdir()
    for name in ("timeout", "env"):
        if not os.path.exists(f"/usr/bin/{name}"):
            pytest.skip(f"no /usr/bin/{name}")
        (jobs / "bin" / name).symlink_to(f"/usr/bin/{name}")
    jobs.plaq("run measure.toml --submit", environment={"PATH": str(jobs / "bin")}).failed(
        2, "there is no sbatch here", "measure.slurm/submit.sh is written", "mpirun -np N")
    assert jobs.exists("measure.slurm/job.sh")


def test_submits_and_runs(jobs):
    jobs.plaq("run generate.toml").succeeded()
    tool(jobs, "sbatch", "export SLURM_NTASKS=$(sed -n 's/^#SBATCH --ntasks=//p' \"$1\") SLURM_JOB_ID=1\n"
                         "bash \"$1\" > batch.log 2>&1 && echo Submitted batch job 1\n")
    outcome = jobs.plaq("run measure.toml --submit --set slurm.ranks=2 " + LAUNCHER, environment=with_tools(jobs)).succeeded()
    assert outcome.out == f"{jobs.path}/measure.slurm/submit.sh\nSubmitted batch job 1\n"
    assert jobs.exists("measured.h5"), jobs.text("batch.log")
    tool(jobs, "sbatch", "exit 3\n")
    jobs.plaq("run measure.toml --submit", environment=with_tools(jobs)).failed(2, "sbatch refused", "exit code 3")


# Runs the script, and tells it that its time ends once it works.
TIMED = ("rm -f batch.log; SLURM_NTASKS=2 SLURM_JOB_ID=77 bash jobs/job.sh > batch.log 2>&1 & batch=$!; for i in $(seq 400); do "
         "if grep -qsE 'wrote field|going on after' batch.log; then break; fi; sleep 0.05; done; kill -USR1 $batch; wait $batch")


def test_goes_on_after_its_time_is_over(jobs):
    """The script is told that its time ends, and the program saves what it has."""
    jobs.plaq("run generate.toml --generate jobs --set update.configurations=5000 --set update.separation=50 "
              "--set slurm.ranks=2 --set slurm.restarts=1 " + LAUNCHER).succeeded()
    tool(jobs, "scontrol", "echo \"$@\" >> requeued\n")
    assert bash(jobs, TIMED, **with_tools(jobs)) == 9, jobs.text("batch.log")
    assert jobs.text("requeued") == "requeue 77\n"
    first = jobs.text("batch.log")
    assert "stopped by SIGUSR1" in first, first
    assert jobs.exists("field.journal")

    assert bash(jobs, TIMED, SLURM_RESTART_COUNT="1", **with_tools(jobs)) == 9
    second = jobs.text("batch.log")
    assert f"to go on: sbatch '{pathlib.Path(jobs.path, 'jobs/job.sh')}'" in second, second
    assert "going on after" in second, second
    assert jobs.text("requeued") == "requeue 77\n"
