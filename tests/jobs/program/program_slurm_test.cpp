// Any job as a batch job of Slurm: what stands for sbatch and scontrol runs the scripts.
#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Outcome;
namespace fs = std::filesystem;

// PATH is that of the sandbox: nothing is ever submitted to a real Slurm.
class ProgramSlurm : public testing::Test {
 protected:
  void SetUp() override {
    const char* path = std::getenv("PATH");
    path_ = path != nullptr ? path : "";
    box_.write("generate.toml", test::generate_job);
    box_.write("measure.toml", test::measure_job);
  }
  void TearDown() override { ::setenv("PATH", path_.c_str(), 1); }

  void tool(const std::string& name, const std::string& text) const {
    box_.write(name, "#!/bin/bash\n" + text);
    fs::permissions(box_ / name, fs::perms::owner_all);
  }
  // Programs of the sandbox come first.
  void use_tools() const { ::setenv("PATH", ((box_ / "").string() + ":" + path_).c_str(), 1); }

  int bash(const std::string& command) const {
    const int status = std::system(("cd '" + (box_ / "").string() + "' || exit 1; " + command).c_str());
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  }

  void expect_lines(const std::string& text, const std::vector<std::string>& lines) const {
    for (const std::string& line : lines)
      EXPECT_NE(text.find(line + '\n'), std::string::npos) << line << '\n' << text;
  }

  test::Sandbox box_;
  std::string path_;
  const std::string launcher_ = "--set 'slurm.launcher=" + std::string(PLAQ_MPIRUN) + " -np $SLURM_NTASKS' ";
};

TEST_F(ProgramSlurm, ScriptsSayWhatTheJobTakes) {
  const Outcome outcome = box_.plaq(
      "run measure.toml --generate \"it's 5% here\" --set slurm.ranks=12 --set slurm.cores_per_rank=14 "
      "--set run.location=auto --set slurm.time=1-00:00:00 --set slurm.account=lattice "
      "--set 'slurm.setup=[\"module load x\"]' --set slurm.restarts=3");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const fs::path jobs = box_ / "it's 5% here";
  EXPECT_EQ(outcome.out, (jobs / "submit.sh").string() + "\n");
  const std::string script = contents(jobs / "job.sh");
  expect_lines(script,
               {"#SBATCH --job-name=plaq-measure", "#SBATCH --nodes=2", "#SBATCH --ntasks=12",
                "#SBATCH --ntasks-per-node=8", "#SBATCH --cpus-per-task=14", "#SBATCH --gpus-per-node=8",
                "#SBATCH --time=1-00:00:00", "#SBATCH --account=lattice", "#SBATCH --signal=B:USR1@300",
                "#SBATCH --open-mode=append", "#SBATCH --requeue", "module load x"});
  EXPECT_NE(script.find("#SBATCH --output=\"/"), std::string::npos) << script;
  EXPECT_NE(script.find("it\\'s 5%% here/measure.log\"\n"), std::string::npos) << script;
  EXPECT_NE(script.find("srun --cpu-bind=cores '"), std::string::npos) << script;
  EXPECT_NE(contents(jobs / "job.toml").find("ranks = 12"), std::string::npos);
  EXPECT_EQ(bash("bash -n \"it's 5% here/job.sh\" && bash -n \"it's 5% here/submit.sh\""), 0);

  ASSERT_EQ(box_.plaq("run measure.toml --generate host --set slurm.warning=0 --set "
                      "comms.process_grid=[1,1,1,2]")
                .code,
            0);
  const std::string host = contents(box_ / "host" / "job.sh");
  expect_lines(host, {"#SBATCH --ntasks=2", "#SBATCH --nodes=1"});
  for (const char* none : {"gpus", "--signal", "--requeue", "cpus-per-task="})
    EXPECT_EQ(host.find(none), std::string::npos) << none << host;
}

TEST_F(ProgramSlurm, MistakesAreSaidAtOnce) {
  for (const auto& [setting, part] : std::vector<std::pair<std::string, std::string>>{
           {"slurm.time=soon", "04:00:00"},
           {"slurm.time=5", "'warning'"},
           {"slurm.ranks=3 --set comms.process_grid=[1,1,1,2]", "process_grid"}})
    expect_failure(box_.plaq("run measure.toml --generate x --set " + setting), 3, {"[slurm]", part});
  EXPECT_FALSE(fs::exists(box_ / "x"));
  box_.write("job.toml", test::measure_job);
  expect_failure(box_.plaq("run job.toml --generate ."), 2, {"job.toml", "--generate"});
  EXPECT_EQ(contents(box_ / "job.toml"), test::measure_job);
}

TEST_F(ProgramSlurm, WithoutSbatchTheScriptIsThere) {
  fs::create_directory(box_ / "bin");
  for (const char* name : {"timeout", "env"}) {
    const std::string found = std::string("/usr/bin/") + name;
    if (!fs::exists(found)) GTEST_SKIP() << "no " << found;
    fs::create_symlink(found, box_ / "bin" / name);
  }
  ::setenv("PATH", (box_ / "bin").string().c_str(), 1);
  const Outcome outcome = box_.plaq("run measure.toml --submit");
  ::setenv("PATH", path_.c_str(), 1);
  expect_failure(outcome, 2,
                 {"there is no sbatch here", "measure.slurm/submit.sh is written", "mpirun -np N"});
  EXPECT_TRUE(fs::exists(box_ / "measure.slurm" / "job.sh"));
}

TEST_F(ProgramSlurm, SubmitsAndRuns) {
  ASSERT_EQ(box_.plaq("run generate.toml").code, 0);
  tool("sbatch",
       "export SLURM_NTASKS=$(sed -n 's/^#SBATCH --ntasks=//p' \"$1\") SLURM_JOB_ID=1\n"
       "bash \"$1\" > batch.log 2>&1 && echo Submitted batch job 1\n");
  use_tools();
  const Outcome outcome = box_.plaq("run measure.toml --submit --set slurm.ranks=2 " + launcher_);
  ASSERT_EQ(outcome.code, 0) << outcome.err << contents(box_ / "batch.log");
  EXPECT_EQ(outcome.out, (box_ / "measure.slurm" / "submit.sh").string() + "\nSubmitted batch job 1\n");
  EXPECT_TRUE(fs::exists(box_ / "measured.h5")) << contents(box_ / "batch.log");
  tool("sbatch", "exit 3\n");
  expect_failure(box_.plaq("run measure.toml --submit"), 2, {"sbatch refused", "exit code 3"});
}

// The script is told that its time ends, and the program saves what it has.
TEST_F(ProgramSlurm, GoesOnAfterItsTimeIsOver) {
  ASSERT_EQ(
      box_.plaq(
              "run generate.toml --generate jobs --set update.configurations=5000 --set update.separation=50 "
              "--set slurm.ranks=2 --set slurm.restarts=1 " +
              launcher_)
          .code,
      0);
  tool("scontrol", "echo \"$@\" >> requeued\n");
  use_tools();
  const std::string run =
      "rm -f batch.log; SLURM_NTASKS=2 SLURM_JOB_ID=77 bash jobs/job.sh > batch.log 2>&1 & batch=$!; for i "
      "in $(seq 400); do if grep -qsE 'wrote field|going on after' batch.log; then break; fi; sleep 0.05; "
      "done; kill -USR1 $batch; wait $batch";
  EXPECT_EQ(bash(run), 9) << contents(box_ / "batch.log");
  EXPECT_EQ(contents(box_ / "requeued"), "requeue 77\n");
  const std::string first = contents(box_ / "batch.log");
  EXPECT_NE(first.find("stopped by SIGUSR1"), std::string::npos) << first;
  EXPECT_TRUE(fs::exists(box_ / "field.journal"));

  EXPECT_EQ(bash("export SLURM_RESTART_COUNT=1; " + run), 9);
  const std::string second = contents(box_ / "batch.log");
  EXPECT_NE(second.find("to go on: sbatch '" + (box_ / "jobs" / "job.sh").string() + "'"), std::string::npos)
      << second;
  EXPECT_NE(second.find("going on after"), std::string::npos) << second;
  EXPECT_EQ(contents(box_ / "requeued"), "requeue 77\n");
}

}  // namespace
}  // namespace plaq
