// Scaling studies from end to end: every number in every file, points that later runs on more ranks add,
// transports that cannot be used, job scripts. No time is expected to be anything but positive.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "jobs/results/journal.hpp"
#include "tests/jobs/program/program.hpp"
#include "tests/jobs/results/result_data.hpp"

namespace plaq {
namespace {

using Json = nlohmann::json;
using test::contents;
using test::expect_failure;
using Numbers = std::map<std::string, test::StoredNumbers>;
using Extents = std::vector<std::size_t>;

constexpr const char* scaling_job = R"(job = "scaling"
[scaling]
strong = ["4x4x4x8"]
weak = ["4x4x4x4"]
ranks = [1, 2]
operators = ["hop", "schur"]
methods = ["cg"]
storages = ["double 18", "half 12"]
iterations = 3
samples = 1
[action]
mass = 0.5
[output]
file = "scaling.h5"
json = "scaling.json"
table = "scaling.txt"
[run]
location = "host"
threads = 1
)";

class ProgramScaling : public testing::Test {
 protected:
  void SetUp() override { box_.write("scaling.toml", scaling_job); }
  test::Outcome study(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run scaling.toml " + more, ranks);
  }
  Numbers numbers() const { return test::read_numbers((box_ / "scaling.h5").string()); }
  Json json() const { return Json::parse(contents(box_ / "scaling.json")); }
  bool has_journal() const { return std::filesystem::exists(box_ / "scaling.h5.journal"); }
  std::string outlook(const std::string& more) const {
    return Json::parse(box_.plaq("plan scaling.toml --json " + more).out)["outlook"]["kind"];
  }

  test::Sandbox box_;
};

TEST_F(ProgramScaling, EveryNumberIsThere) {
  const auto outcome = study("--set model.machine=h200", 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has_journal());
  const Numbers found = numbers();
  for (const auto& [path, data] : found) {
    if (!path.starts_with("/points/")) {
      EXPECT_EQ(data.extents, (Extents{4, 3, 2, 1})) << path;
    }
    for (const double x : data.values) EXPECT_TRUE(std::isfinite(x)) << path;
  }
  const auto at = [&](const std::string& path) { return found.at(path).values; };
  EXPECT_EQ(at("/points/kind"), (std::vector<double>{0, 0, 1, 1}));
  EXPECT_EQ(at("/points/ranks"), (std::vector<double>{1, 2, 1, 2}));
  EXPECT_EQ(at("/points/reference"), (std::vector<double>{0, 0, 2, 2}));
  // The second weak point has the lattice of the strong ones.
  EXPECT_EQ(at("/points/equal_to"), (std::vector<double>{-1, 0, -1, 0}));
  EXPECT_EQ(at("/points/nodes"), (std::vector<double>{1, 1, 1, 1}));
  EXPECT_EQ(found.at("/points/extents").at(3).values, (std::vector<double>{4, 4, 4, 8}));
  EXPECT_EQ(found.at("/points/process_grid").at(1).values, (std::vector<double>{1, 1, 1, 2}));
  const auto us = at("/scaling/microseconds"), efficiency = at("/scaling/efficiency"),
             checksum = at("/scaling/checksum"), sent = at("/scaling/bytes_sent"),
             exchanges = at("/scaling/exchanges"), tflops = at("/scaling/tflops_per_rank");
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_GT(us[k], 0);
    EXPECT_EQ(efficiency[k], 1);
    EXPECT_DOUBLE_EQ(efficiency[6 + k], us[k] / (2 * us[6 + k]));
    EXPECT_DOUBLE_EQ(efficiency[18 + k], us[12 + k] / us[18 + k]);
    EXPECT_EQ(checksum[k], checksum[6 + k]);
    EXPECT_EQ(checksum[k], checksum[18 + k]);
    EXPECT_NE(checksum[k], checksum[12 + k]);
    EXPECT_EQ(sent[k], 0);
    EXPECT_EQ(exchanges[6 + k], k < 2 ? 1 : k < 4 ? 2 : 4);
    EXPECT_GE(sent[6 + k], exchanges[6 + k] * 2 * 32 * 12 * (k % 2 == 0 ? 8 : 2));
    EXPECT_EQ(at("/scaling/exposed_microseconds")[6 + k], exchanges[6 + k] * at("/exchange/exposed")[6 + k]);
    EXPECT_EQ(at("/exchange/arrived")[k], 0);
    EXPECT_GT(at("/exchange/arrived")[6 + k], 0);
    EXPECT_GT(at("/scaling/predicted_microseconds")[k], 0);
  }
  EXPECT_NEAR(tflops[0] * us[0], 1e-6 * 1320 * 256, 1e-12);  // half of the sites, on one rank
  const Json said = json();
  EXPECT_EQ(said["rows"].size(), 24u);
  EXPECT_TRUE(said["missing"].empty());
  EXPECT_EQ(said["machine"]["location"], "host");
  EXPECT_EQ(said["rows"][8]["operator"], "wilson_schur");
  EXPECT_EQ(said["rows"][8]["microseconds"], us[8]);
  EXPECT_EQ(said["rows"][8]["bits_equal_to"], "strong 4x4x4x8 on 1x1x1x1 by auto");
  const std::string table = contents(box_ / "scaling.txt");
  EXPECT_NE(outcome.out.find(table), std::string::npos);
  for (const char* part : {"strong scaling of 4x4x4x8", "weak scaling, 4x4x4x4 on each rank", "half 12", "cg",
                           "100.0%", "model us"})
    EXPECT_NE(table.find(part), std::string::npos) << part << '\n' << table;
  // The number of ranks is the points' matter.
  for (const int ranks : {1, 2})
    EXPECT_NE(study("--set model.machine=h200", ranks).err.find("complete: nothing to do"),
              std::string::npos);
  expect_failure(study("--set scaling.iterations=4"), 5, {"scaling.h5", "exists", "overwrite"});
  const auto info = box_.plaq("info scaling.h5 --json");
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_EQ(Json::parse(info.out)["job_type"], "scaling");
}

// The setup is made on each grid, and its time stands beside that of an iteration.
TEST_F(ProgramScaling, Multigrid) {
  box_.write("scaling.toml",
             std::string(scaling_job) + "[multigrid]\nblocks = [\"2x2x2x2\"]\nvectors = [4]\n");
  const std::string with =
      "--set 'scaling.methods=[\"gcr\", \"gcr_multigrid\"]' --set 'scaling.ranks=[1, 2, 4]' "
      "--set model.machine=h200 ";
  const auto planned = box_.plaq("plan scaling.toml --ranks 4 --gpu h200 " + with);
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_NE(planned.out.find("gcr_multigrid"), std::string::npos) << planned.out;
  ASSERT_EQ(study(with, 2).code, 0);
  EXPECT_TRUE(has_journal());  // points of four ranks are missing
  const auto outcome = study(with, 4);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has_journal());
  const Numbers found = numbers();
  const auto at = [&](const std::string& path) { return found.at(path).values; };
  EXPECT_EQ(found.at("/scaling/setup_seconds").extents, (Extents{6, 4, 2, 1}));
  EXPECT_EQ(at("/points/equal_to"), (std::vector<double>{-1, 0, 0, -1, 0, -1}));
  const auto setups = at("/scaling/setup_seconds"), us = at("/scaling/microseconds"),
             model = at("/scaling/predicted_microseconds"), tflops = at("/scaling/tflops_per_rank");
  for (std::size_t i = 0; i < setups.size(); ++i) {
    const std::size_t subject = i / 2 % 4;
    EXPECT_EQ(setups[i] > 0, subject == 3) << i;
    EXPECT_GT(us[i], 0) << i;
    EXPECT_GT(tflops[i], 0) << i;
    EXPECT_GT(model[i], 0) << i;
    if (subject == 3) {
      EXPECT_GT(model[i], model[i - 2]);
    }
  }
  const std::string table = contents(box_ / "scaling.txt");
  EXPECT_NE(table.find("setup s"), std::string::npos) << table;
  EXPECT_GT(json()["rows"][6]["setup_seconds"], 0);
  expect_failure(box_.plaq("run scaling.toml " + with +
                           "--set 'multigrid.blocks=[\"2x2x2x5\"]' --set output.overwrite=true"),
                 3, {"blocks of 2x2x2x5 sites do not tile"});
}

// Sweeps of gauge fixing beside nothing else: the same g on every grid, and no action.
TEST_F(ProgramScaling, GaugeFixing) {
  std::string job = scaling_job;
  job.erase(job.find("[action]"), job.find("[output]") - job.find("[action]"));
  box_.write("scaling.toml", job);
  const std::string fixing =
      "--set 'scaling.operators=[\"gauge_fixing\", \"gauge_fixing_su2\"]' --set scaling.methods=[] --set "
      "'scaling.storages=[\"single 12\", \"mixed 12\", \"double 12\"]' --set scaling.right_hand_sides=[1,2]";
  const auto outcome = study(fixing, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Numbers found = numbers();
  const auto at = [&](const std::string& name) { return found.at(name).values; };
  const auto us = at("/scaling/microseconds"), tflops = at("/scaling/tflops_per_rank"),
             checksum = at("/scaling/checksum"), sent = at("/scaling/bytes_sent"),
             difference = at("/scaling/difference");
  ASSERT_EQ(us.size(), 48u);
  EXPECT_EQ(at("/points/equal_to"), (std::vector<double>{-1, 0, -1, 0}));
  for (std::size_t k = 0; k < 12; ++k) {
    const double copies = static_cast<double>(1 + k % 2), reals = k % 6 < 4 ? 4 : 8;
    EXPECT_NEAR(tflops[k] * us[k], 1e-6 * 2274 * 512 * copies, 1e-9);
    EXPECT_EQ(checksum[k], checksum[12 + k]);
    EXPECT_NE(checksum[k], checksum[24 + k]);
    EXPECT_EQ(sent[k], 0);
    // Two exchanges of two faces of one parity.
    EXPECT_GE(sent[12 + k], 2 * 2 * 32 * 12 * reals * copies);
    EXPECT_GT(at("/exchange/arrived")[12 + k], 0);
    EXPECT_LT(difference[k], k % 6 < 2 ? 2e-5 : k % 6 < 4 ? 2e-6 : 1e-12);
  }
  const std::string plan =
      box_.plaq("plan scaling.toml --gpu h200 --ranks 2 --set output.overwrite=true " + fixing).out;
  EXPECT_NE(plan.find("us  strong 4x4x4x8 on 1x1x1x1 by auto: gauge_fixing, 1 copy: single 12: application"),
            std::string::npos)
      << plan;
  EXPECT_NE(plan.find("Messages that a rank sends (strong 4x4x4x8 on 1x1x1x2"), std::string::npos) << plan;
}

TEST_F(ProgramScaling, MoreRanksAddTheirPoints) {
  const std::string three = "--set scaling.ranks=[1,2,3] --set 'scaling.strong=[\"4x4x4x12\"]' ";
  EXPECT_EQ(outlook(three), "begins");
  const auto one = study(three);
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_NE(one.err.find("4 of 6 points are missing"), std::string::npos) << one.err;
  EXPECT_NE(one.out.find("strong 4x4x4x12 on 1x1x1x3 by auto: needs 3 ranks"), std::string::npos) << one.out;
  EXPECT_TRUE(has_journal());
  EXPECT_EQ(json()["missing"].size(), 4u);
  const auto first = numbers().at("/scaling/microseconds");
  EXPECT_EQ(first.extents, (Extents{2, 3, 2, 1}));
  EXPECT_EQ(outlook(three), "goes on");
  // Again on as many: nothing is measured, nothing is lost.
  ASSERT_EQ(study(three).code, 0);
  EXPECT_EQ(numbers().at("/scaling/microseconds"), first);
  expect_failure(study(three + "--set scaling.iterations=4", 2), 5, {"scaling.h5", "exists"});
  expect_failure(study(three + "--set run.threads=2"), 5,
                 {"scaling.h5", "exists", "threads_per_rank is 1 there and 2 here"});
  // The largest first, then with what is between.
  ASSERT_EQ(study(three + "--set scaling.ranks=[1,3] --set output.overwrite=true", 3).code, 0);
  EXPECT_FALSE(has_journal());
  ASSERT_EQ(numbers().at("/scaling/microseconds").extents[0], 4u);
  EXPECT_EQ(numbers().at("/scaling/microseconds").at(0), first.at(0));  // from the journal
  std::filesystem::remove(box_ / "scaling.h5");
  for (const char* file : {"scaling.json", "scaling.txt"}) std::filesystem::remove(box_ / file);
  ASSERT_EQ(study(three, 1).code, 0);
  const auto kept = numbers().at("/scaling/microseconds");
  ASSERT_EQ(study(three, 2).code, 0);
  EXPECT_TRUE(has_journal());
  const auto on = study(three, 3);
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_NE(on.err.find("4 of 6 pieces are done and kept"), std::string::npos) << on.err;
  EXPECT_FALSE(has_journal());
  const Numbers all = numbers();
  EXPECT_EQ(all.at("/points/ranks").values, (std::vector<double>{1, 2, 3, 1, 2, 3}));
  EXPECT_EQ(all.at("/scaling/microseconds").at(0), kept.at(0));
  EXPECT_EQ(all.at("/scaling/microseconds").at(3), kept.at(1));
  EXPECT_EQ(outlook(three), "complete");
}

TEST_F(ProgramScaling, ATransportThatCannotBeUsedIsLeftOut) {
  const std::string two = "--set 'scaling.transports=[\"peer\", \"host\"]' --set scaling.methods=[] ";
  const auto outcome = study(two, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("peer: it moves faces between GPUs, and this run is on the host"),
            std::string::npos)
      << outcome.err;
  EXPECT_EQ(numbers().at("/points/transport").values, (std::vector<double>{0, 2, 0, 2}));
  EXPECT_EQ(json()["missing"].size(), 2u);
  EXPECT_TRUE(has_journal());
}

// The bits of a run without them; other times, and said to be so.
TEST_F(ProgramScaling, ChecksFaces) {
  const std::string checked = "--set comms.halo_checksums=true ";
  const auto outcome = study(checked, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("faces with checksums"), std::string::npos) << outcome.err;
  EXPECT_NE(contents(box_ / "scaling.txt").find("measured with checksums of all faces"), std::string::npos);
  EXPECT_EQ(json()["machine"]["halo_checksums"], 1);
  const auto checksums = numbers().at("/scaling/checksum").values;
  EXPECT_EQ(outlook(checked), "complete");
  expect_failure(study("", 2), 5, {"scaling.h5", "exists", "halo_checksums is 1 there and 0 here"});
  ASSERT_EQ(study("--set output.overwrite=true", 2).code, 0);
  EXPECT_EQ(contents(box_ / "scaling.txt").find("checksums"), std::string::npos);
  EXPECT_EQ(json()["machine"]["halo_checksums"], 0);
  EXPECT_EQ(numbers().at("/scaling/checksum").values, checksums);
}

TEST_F(ProgramScaling, MistakesAreNamed) {
  const auto wrong = [&](const std::string& set, const std::vector<std::string>& parts) {
    SCOPED_TRACE(set);
    expect_failure(study("--set '" + set + "'"), 3, parts);
  };
  wrong("scaling.strong=[\"4x4x4\"]", {"strong", "4x4x4", "four even extents"});
  wrong("scaling.weak=[\"4x4x4x5\"]", {"weak", "4x4x4x5", "four even extents"});
  wrong("scaling.weak=[\"4x4x4x4\", \"4x4x4x4\"]", {"weak", "listed twice"});
  wrong("scaling.process_grids=[\"1x1x0x1\"]", {"process_grids", "1x1x0x1", "numbers of ranks"});
  wrong("scaling.process_grids=[\"4096x4096x4096x4096\"]", {"process_grids", "65536"});
  wrong("scaling.process_grids=[\"1x1x1x3\"]", {"process_grids", "3 ranks", "direction t", "8 sites"});
  wrong("scaling.ranks=[1, 3]", {"ranks", "3 ranks cannot share 4x4x4x8"});
  wrong("scaling.ranks=[]", {"ranks", "process_grids"});
  wrong("scaling.ranks=[0]", {"ranks", "1 to 65536"});
  wrong("scaling.transports=[\"self\"]", {"transports", "device_mpi"});
  wrong("scaling.methods=[\"hermitian-cg\"]", {"methods", "bicgstab"});
  wrong("scaling.operator=[\"hop\"]", {"operator", "operators"});
  wrong("scaling.storages=[\"half 16\"]", {"storages", "half 8"});
  wrong("comms.process_grid=[1,1,1,1]", {"process_grid", "[scaling]"});
  wrong("comms.transport=host", {"transport", "[scaling]"});
  wrong("model.machine=h2000", {"machine", "h200"});
  expect_failure(study("--set scaling.weak=[] --set scaling.strong=[]"), 3, {"strong", "no lattice"});
  expect_failure(study("--set scaling.operators=[] --set scaling.methods=[]"), 3, {"operators", "methods"});
  expect_failure(study("--set scaling.ranks=[2]"), 3,
                 {"no point can be measured on 1 rank", "needs 2 ranks"});
  expect_failure(study("--set 'model.measurements=[\"absent.json\"]'", 2), 4, {"absent.json"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "scaling.h5"));
}

// Scripts run in order by what stands for sbatch and srun: together they measure the whole study.
TEST_F(ProgramScaling, ScriptsMeasureTheWholeStudy) {
  const std::string more =
      "--set scaling.methods=[] --set slurm.ranks_per_node=4 --set slurm.partition=gpu --set "
      "'slurm.setup=[\"export OMP_NUM_THREADS=1\"]' --set 'slurm.launcher=" +
      std::string(PLAQ_MPIRUN) + " -np $SLURM_NTASKS' ";
  const auto outcome = box_.plaq("run scaling.toml --generate \"it's here/jobs\" " + more);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto jobs = box_ / "it's here" / "jobs";
  EXPECT_EQ(outcome.out, (jobs / "submit.sh").string() + "\n");
  const std::string script = contents(jobs / "ranks-2.sh");
  for (const char* line : {"#SBATCH --ntasks=2\n", "#SBATCH --nodes=1\n", "#SBATCH --partition=gpu\n",
                           "#SBATCH --time=00:30:00\n", "export OMP_NUM_THREADS=1\n"})
    EXPECT_NE(script.find(line), std::string::npos) << line << script;
  EXPECT_EQ(script.find("gpus"), std::string::npos) << script;  // location = "host"
  EXPECT_NE(contents(jobs / "collect.sh").find(" plot 'scaling.h5' --output 'scaling.pdf'"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(jobs / "ranks-3.sh"));
  EXPECT_FALSE(std::filesystem::exists(box_ / "scaling.h5"));

  box_.write("sbatch",
             "#!/bin/bash\nfor last; do :; done\n"
             "echo \"$@\" >> called\n"
             "export SLURM_NTASKS=$(sed -n 's/^#SBATCH --ntasks=//p' \"$last\")\n"
             "bash \"$last\" > \"$(basename \"$last\").out\" 2>&1\necho \"$(wc -l < called);cluster\"\n");
  std::filesystem::permissions(box_ / "sbatch", std::filesystem::perms::owner_all);
  const std::string command =
      "cd '" + (box_ / "").string() + "' && PATH=$PWD:$PATH \"it's here/jobs/submit.sh\"";
  ASSERT_EQ(std::system((command + " > submitted").c_str()), 0);
  const std::string called = contents(box_ / "called");
  EXPECT_NE(called.find("--parsable --dependency=afterany:1 "), std::string::npos) << called;
  EXPECT_NE(called.find("--parsable --dependency=afterany:2 "), std::string::npos) << called;
  EXPECT_NE(contents(box_ / "submitted").find("collect.sh: job 3"), std::string::npos);
  EXPECT_NE(contents(box_ / "ranks-1.sh.out").find("2 of 4 points are missing"), std::string::npos);
  EXPECT_FALSE(has_journal()) << contents(box_ / "ranks-2.sh.out");
  EXPECT_EQ(numbers().at("/points/ranks").values, (std::vector<double>{1, 2, 1, 2}));

  expect_failure(box_.plaq("run scaling.toml --generate x --set slurm.ranks=4"), 3, {"[scaling]"});
  const auto gpu = box_.plaq(
      "run scaling.toml --generate gpu --set run.location=gpu --set scaling.ranks=[1,12] "
      "--set scaling.strong=[]");
  ASSERT_EQ(gpu.code, 0) << gpu.err;
  const std::string twelve = contents(box_ / "gpu" / "ranks-12.sh");
  for (const char* line : {"--nodes=2\n", "--ntasks=12\n", "--ntasks-per-node=8\n", "--gpus-per-node=8\n"})
    EXPECT_NE(twelve.find(line), std::string::npos) << line << twelve;
}

}  // namespace
}  // namespace plaq
