// Studies from end to end: every number in every file, tasks that later runs on more ranks add, transports
// that cannot be used, kills, job scripts. No time is expected to be anything but positive.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "io/bytes/byte_stream.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/results.hpp"
#include "tests/jobs/program/launched.hpp"
#include "tests/jobs/results/result_data.hpp"

namespace plaq::program_study_test {
namespace {

using Json = nlohmann::json;
using test::contents;
using test::expect_failure;
using test::Launched;
using Numbers = std::map<std::string, test::StoredNumbers>;

constexpr const char* study_job = R"(job = "study"
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
)";

class ProgramStudy : public testing::Test {
 protected:
  void SetUp() override { box_.write("study.toml", study_job); }
  test::Outcome study(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run study.toml " + more, ranks);
  }
  Numbers numbers() const { return test::read_numbers((box_ / "study.h5").string()); }
  Json json() const { return Json::parse(contents(box_ / "study.json")); }
  Json rows() const { return json()["rows"]; }
  bool has_journal() const { return std::filesystem::exists(box_ / "study.h5.journal"); }
  std::string outlook(const std::string& more) const {
    return Json::parse(box_.plaq("plan study.toml --json " + more).out)["outlook"]["kind"];
  }
  std::size_t known_tasks() const {
    std::size_t known = 0;
    for (const auto& record : jobs::look_into_journal((box_ / "study.h5.journal").string()))
      known += record.kind != 0;
    return known;
  }

  test::Sandbox box_;
};

TEST_F(ProgramStudy, EveryNumberIsThere) {
  const auto outcome = study("--set model.machine=h200", 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has_journal());
  const Json found = rows();
  ASSERT_EQ(found.size(), 24u);  // four points, three targets, two storages
  for (std::size_t k = 0; k < 6; ++k) {
    const Json &alone = found[k], &two = found[6 + k], &weak = found[12 + k], &weak_two = found[18 + k];
    for (const Json& row : {alone, two, weak, weak_two}) {
      EXPECT_GT(row["seconds"], 0);
      EXPECT_LE(row["seconds_least"], row["seconds"]);
      EXPECT_GE(row["seconds_most"], row["seconds"]);
      EXPECT_EQ(row["target"], k < 2 ? "wilson_hop" : k < 4 ? "wilson_schur" : "cg");
      EXPECT_EQ(row["storage"], k % 2 == 0 ? "double 18" : "half 12");
      EXPECT_EQ(row["right_hand_sides"], 1);
      EXPECT_EQ(row["mass"], 0.5);
      EXPECT_EQ(row["nodes"], 1);
      EXPECT_GT(row["predicted"], 0);
      EXPECT_LT(row["error"], k % 2 == 0 ? 1e-14 : 5e-3);
      EXPECT_NEAR(row["flops_per_second"].get<double>() * row["seconds"].get<double>(),
                  row["flops"].get<double>(), 1e-6 * row["flops"].get<double>());
      EXPECT_FALSE(row.contains("configuration"));
    }
    EXPECT_EQ(alone["scaling"], "strong");
    EXPECT_EQ(weak["scaling"], "weak");
    EXPECT_EQ(alone["lattice"], Json({4, 4, 4, 8}));
    EXPECT_EQ(weak["lattice"], Json({4, 4, 4, 4}));
    EXPECT_EQ(weak_two["lattice"], Json({4, 4, 4, 8}));
    EXPECT_EQ(two["process_grid"], Json({1, 1, 1, 2}));
    EXPECT_EQ(two["ranks"], 2);
    EXPECT_EQ(alone["transport"], "auto");
    EXPECT_EQ(alone["efficiency"], 1);
    EXPECT_DOUBLE_EQ(two["efficiency"].get<double>(),
                     alone["seconds"].get<double>() / (2 * two["seconds"].get<double>()));
    EXPECT_DOUBLE_EQ(weak_two["efficiency"].get<double>(),
                     weak["seconds"].get<double>() / weak_two["seconds"].get<double>());
    // The second weak point has the lattice of the strong ones.
    EXPECT_EQ(alone["checksum"], two["checksum"]);
    EXPECT_EQ(alone["checksum"], weak_two["checksum"]);
    EXPECT_NE(alone["checksum"], weak["checksum"]);
    EXPECT_EQ(alone["bytes_sent"], 0);
    EXPECT_EQ(alone["arrived"], 0);
    const double exchanges = k < 2 ? 1 : k < 4 ? 2 : 4;
    EXPECT_EQ(two["exchanges"], exchanges);
    EXPECT_GE(two["bytes_sent"], exchanges * 2 * 32 * 12 * (k % 2 == 0 ? 8 : 2));
    EXPECT_DOUBLE_EQ(two["exposed"].get<double>(), exchanges * two["exchange_exposed"].get<double>());
    EXPECT_GT(two["arrived"], 0);
  }
  // Half of the sites. The fewest bytes of the hopping term: eight links and two
  // spinors for each site of one parity.
  EXPECT_EQ(found[0]["flops"], 1320 * 256);
  EXPECT_EQ(found[0]["bytes"], 256 * 8.0 * (8 * 18 + 2 * 24));
  EXPECT_EQ(found[1]["bytes"], 256 * (2.0 * (8 * 12 + 2 * 24) + 2 * 4));
  EXPECT_EQ(found[2]["bytes"], 256 * 8.0 * (2 * 8 * 18 + 5 * 24));  // both hopping terms and what is added
  EXPECT_EQ(found[2]["flops"], (2 * 1320 + 48) * 256);
  // The HDF5 file has equal numbers.
  const Numbers stored = numbers();
  for (const auto& [path, data] : stored) EXPECT_EQ(data.extents.front(), 24u) << path;
  for (const char* name : {"seconds", "flops", "bytes", "error", "bytes_sent", "efficiency", "predicted"})
    for (std::size_t i = 0; i < 24; ++i) {
      const double in_file = stored.at(std::string("/rows/") + name).values.at(i);
      if (found[i].contains(name))
        EXPECT_EQ(in_file, found[i][name].get<double>()) << name;
      else
        EXPECT_TRUE(std::isnan(in_file) && std::string(name) == "bytes") << name;  // methods do not say it
    }
  EXPECT_EQ(stored.at("/rows/lattice").at(23).values, (std::vector<double>{4, 4, 4, 8}));
  EXPECT_TRUE(json()["missing"].empty());
  EXPECT_EQ(json()["machine"]["location"], "host");
  const std::string table = contents(box_ / "study.txt");
  EXPECT_NE(outcome.out.find(table), std::string::npos);
  for (const char* part :
       {"wilson_schur", "half 12", "cg", "strong", "weak", "4x4x4x8", "100.0", "predicted"})
    EXPECT_NE(table.find(part), std::string::npos) << part << '\n' << table;
  // The number of ranks is the points' matter.
  for (const int ranks : {1, 2})
    EXPECT_NE(study("--set model.machine=h200", ranks).err.find("complete: nothing to do"),
              std::string::npos);
  expect_failure(study("--set study.iterations=4"), 5, {"study.h5", "exists", "overwrite"});
  const auto info = box_.plaq("info study.h5 --json");
  ASSERT_EQ(info.code, 0) << info.err;
  EXPECT_EQ(Json::parse(info.out)["job_type"], "study");
  EXPECT_TRUE(Json::parse(info.out)["verified"]);
}

// Several lattices, numbers of right-hand sides and all that is asked without
// numbers of ranks: those of the run.
TEST_F(ProgramStudy, WithoutRanksThereAreThoseOfTheRun) {
  const std::string here =
      "--set study.ranks=[] --set study.local_lattices=[] --set 'study.lattices=[\"4x4x4x4\", \"4x4x4x8\"]' "
      "--set study.right_hand_sides=[1,3] --set study.memory_limit=true "
      "--set 'study.targets=[\"hop\", \"schur_asymmetric\", \"accuracy\", \"bandwidth\"]' "
      "--set action.type=clover --set action.c_sw=1 ";
  const auto outcome = study(here, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has_journal());
  int shares = 0;
  for (const Json& row : rows()) {
    EXPECT_EQ(row["ranks"], 2);
    EXPECT_FALSE(row.contains("efficiency"));
    if (!row.contains("share")) continue;
    ++shares;
    EXPECT_NEAR(row["share"].get<double>(),
                row["bytes"].get<double>() / row["seconds"].get<double>() / row["memory_limit"].get<double>(),
                1e-9);
  }
  EXPECT_EQ(shares, 2 * (2 * 4 + 2 + 2));
  EXPECT_NE(outcome.out.find("clover_schur_asy"), std::string::npos) << outcome.out;
  EXPECT_NE(study(here, 2).err.find("complete: nothing to do"), std::string::npos);
  // Another number of ranks has other times.
  expect_failure(study(here, 1), 5, {"study.h5", "exists", "overwrite"});
  expect_failure(study(here + "--set run.threads=2", 2), 5, {"study.h5", "exists", "overwrite"});
}

// Accuracy is no matter of time: the same numbers as the benchmark's, on any number of ranks.
TEST_F(ProgramStudy, AccuracyCurvesAreThoseOfTheBenchmark) {
  const auto bench = box_.plaq("bench accuracy --lattice 4x4x4x8 --location host --repeats 1 --json b.json");
  ASSERT_EQ(bench.code, 0) << bench.err;
  const Json expected = Json::parse(contents(box_ / "b.json"))["rows"];
  ASSERT_EQ(expected.size(), 9u);
  std::string storages;
  for (const Json& row : expected)
    storages += (storages.empty() ? "\"" : ", \"") + row["storage"].get<std::string>() + '"';
  for (const int ranks : {1, 2}) {
    ASSERT_EQ(
        study("--set 'study.targets=[\"accuracy\"]' --set study.ranks=[] --set study.local_lattices=[] --set "
              "output.overwrite=true --set 'study.storages=[" +
                  storages + "]'",
              ranks)
            .code,
        0);
    const Numbers found = numbers();
    const auto& proportion = found.at("/accuracy/proportion");
    const Json said = rows();
    for (std::size_t s = 0; s < 9; ++s) {
      const auto curve = expected[s]["curve"].get<std::vector<std::pair<double, double>>>();
      ASSERT_EQ(proportion.extents, (std::vector<std::size_t>{9, curve.size()}));
      EXPECT_EQ(said[s]["curve"], expected[s]["curve"]);
      EXPECT_EQ(said[s]["error"], expected[s]["error"]);
      for (std::size_t e = 0; e < curve.size(); ++e) {
        EXPECT_EQ(found.at("/accuracy/epsilon").at(s).values[e], curve[e].first);
        EXPECT_EQ(proportion.at(s).values[e], curve[e].second) << s << " " << curve[e].first;
      }
    }
    EXPECT_EQ(said[0]["error"], 0);
    EXPECT_GT(said[8]["error"], 1e-5);
  }
}

// The setup is made on each grid, and its time stands beside that of an iteration.
TEST_F(ProgramStudy, Multigrid) {
  box_.write("study.toml", std::string(study_job) + "[multigrid]\nblocks = [\"2x2x2x2\"]\nvectors = [4]\n");
  const std::string with =
      "--set 'study.targets=[\"gcr\", \"gcr_multigrid\"]' --set 'study.ranks=[1, 2, 4]' "
      "--set model.machine=h200 ";
  const auto planned = box_.plaq("plan study.toml --ranks 4 --gpu h200 " + with);
  ASSERT_EQ(planned.code, 0) << planned.err;
  EXPECT_NE(planned.out.find("gcr_multigrid"), std::string::npos) << planned.out;
  ASSERT_EQ(study(with, 2).code, 0);
  EXPECT_TRUE(has_journal());  // tasks of four ranks are missing
  const auto outcome = study(with, 4);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(has_journal());
  const Json found = rows();
  ASSERT_EQ(found.size(), 24u);
  double before = 0;
  for (const Json& row : found) {
    const bool cycles = row["target"] == "gcr_multigrid";
    EXPECT_EQ(row.contains("setup_seconds") && row["setup_seconds"] > 0, cycles);
    EXPECT_GT(row["flops_per_second"], 0);
    EXPECT_GT(row["predicted"], 0);
    if (cycles) {
      EXPECT_GT(row["predicted"], before);
    } else {
      before = std::max(row["predicted"].get<double>(), 0.0);
    }
  }
  EXPECT_NE(contents(box_ / "study.txt").find("setup"), std::string::npos);
  expect_failure(box_.plaq("run study.toml " + with +
                           "--set 'multigrid.blocks=[\"2x2x2x5\"]' --set output.overwrite=true"),
                 3, {"blocks of 2x2x2x5 sites do not tile"});
}

// Sweeps of gauge fixing beside nothing else: the same g on every grid, and no action.
TEST_F(ProgramStudy, GaugeFixing) {
  std::string job = study_job;
  job.erase(job.find("[action]"), job.find("[output]") - job.find("[action]"));
  box_.write("study.toml", job);
  const std::string fixing =
      "--set 'study.targets=[\"gauge_fixing\", \"gauge_fixing_su2\"]' --set "
      "'study.storages=[\"single 12\", \"mixed 12\", \"double 12\"]' --set study.right_hand_sides=[1,2]";
  const auto outcome = study(fixing, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json found = rows();
  ASSERT_EQ(found.size(), 48u);
  for (std::size_t k = 0; k < 12; ++k) {
    const Json &alone = found[k], &two = found[12 + k];
    const double copies = alone["right_hand_sides"].get<double>();
    const std::string storage = alone["storage"];
    EXPECT_EQ(alone["flops"], 2274 * 512 * copies);
    EXPECT_EQ(alone["checksum"], two["checksum"]);
    EXPECT_NE(alone["checksum"], found[24 + k]["checksum"]);
    EXPECT_EQ(alone["bytes_sent"], 0);
    // Two exchanges of two faces of one parity.
    EXPECT_GE(two["bytes_sent"], 2 * 2 * 32 * 12 * (storage == "double 12" ? 8 : 4) * copies);
    EXPECT_GT(two["arrived"], 0);
    EXPECT_LT(alone["error"], storage == "single 12" ? 2e-5 : storage == "mixed 12" ? 2e-6 : 1e-12);
    EXPECT_FALSE(alone.contains("mass"));
  }
  const std::string plan =
      box_.plaq("plan study.toml --gpu h200 --ranks 2 --set output.overwrite=true " + fixing).out;
  EXPECT_NE(plan.find("us  strong 4x4x4x8 on 1x1x1x1 by auto: gauge_fixing, 1 copy: single 12: application"),
            std::string::npos)
      << plan;
  EXPECT_NE(plan.find("Messages that a rank sends (strong 4x4x4x8 on 1x1x1x2"), std::string::npos) << plan;
}

TEST_F(ProgramStudy, MoreRanksAddTheirTasks) {
  const std::string three = "--set study.ranks=[1,2,3] --set 'study.lattices=[\"4x4x4x12\"]' ";
  EXPECT_EQ(outlook(three), "begins");
  const auto one = study(three);
  ASSERT_EQ(one.code, 0) << one.err;
  EXPECT_NE(one.err.find("4 of 6 tasks are missing"), std::string::npos) << one.err;
  EXPECT_NE(one.out.find("strong 4x4x4x12 on 1x1x1x3 by auto: needs 3 ranks"), std::string::npos) << one.out;
  EXPECT_TRUE(has_journal());
  EXPECT_EQ(json()["missing"].size(), 4u);
  const Json first = rows();
  EXPECT_EQ(first.size(), 2u * 6);
  EXPECT_EQ(outlook(three), "goes on");
  // Again on as many: nothing is measured, nothing is lost.
  ASSERT_EQ(study(three).code, 0);
  EXPECT_EQ(rows(), first);
  expect_failure(study(three + "--set study.iterations=4", 2), 5, {"study.h5", "exists"});
  expect_failure(study(three + "--set run.threads=2"), 5,
                 {"study.h5", "exists", "threads_per_rank is 1 there and 2 here"});
  // The largest first, then with what is between.
  ASSERT_EQ(study(three + "--set study.ranks=[1,3] --set output.overwrite=true", 3).code, 0);
  EXPECT_FALSE(has_journal());
  ASSERT_EQ(rows().size(), 4u * 6);
  EXPECT_EQ(rows()[0]["seconds"], first[0]["seconds"]);  // from the journal
  for (const char* file : {"study.h5", "study.json", "study.txt"}) std::filesystem::remove(box_ / file);
  ASSERT_EQ(study(three, 1).code, 0);
  const Json kept = rows();
  ASSERT_EQ(study(three, 2).code, 0);
  EXPECT_TRUE(has_journal());
  const auto on = study(three, 3);
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_NE(on.err.find("4 of 6 tasks are done and kept"), std::string::npos) << on.err;
  EXPECT_FALSE(has_journal());
  const Json all = rows();
  ASSERT_EQ(all.size(), 36u);
  for (std::size_t i = 0; i < 36; ++i) EXPECT_EQ(all[i]["ranks"], 1 + i / 6 % 3) << i;
  for (std::size_t k = 0; k < 6; ++k) {
    EXPECT_EQ(all[k]["seconds"], kept[k]["seconds"]);
    EXPECT_EQ(all[18 + k]["seconds"], kept[6 + k]["seconds"]);
  }
  EXPECT_EQ(outlook(three), "complete");
}

TEST_F(ProgramStudy, ATransportThatCannotBeUsedIsLeftOut) {
  const std::string two = "--set 'study.transports=[\"peer\", \"host\"]' --set 'study.targets=[\"hop\"]' ";
  const auto outcome = study(two, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("peer: it moves faces between GPUs, and this run is on the host"),
            std::string::npos)
      << outcome.err;
  std::vector<std::string> transports;
  for (const Json& row : rows()) transports.push_back(row["transport"]);
  EXPECT_EQ(transports,
            (std::vector<std::string>{"auto", "auto", "host", "host", "auto", "auto", "host", "host"}));
  EXPECT_EQ(json()["missing"].size(), 2u);
  EXPECT_TRUE(has_journal());
}

// The bits of a run without them; other times, and said to be so.
TEST_F(ProgramStudy, ChecksFaces) {
  const std::string checked = "--set comms.halo_checksums=true ";
  const auto outcome = study(checked, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("faces with checksums"), std::string::npos) << outcome.err;
  EXPECT_NE(contents(box_ / "study.txt").find("measured with checksums of all faces"), std::string::npos);
  EXPECT_EQ(json()["machine"]["halo_checksums"], 1);
  const auto checksums = numbers().at("/rows/checksum").values;
  EXPECT_EQ(outlook(checked), "complete");
  expect_failure(study("", 2), 5, {"study.h5", "exists", "halo_checksums is 1 there and 0 here"});
  ASSERT_EQ(study("--set output.overwrite=true", 2).code, 0);
  EXPECT_EQ(contents(box_ / "study.txt").find("checksums"), std::string::npos);
  EXPECT_EQ(json()["machine"]["halo_checksums"], 0);
  EXPECT_EQ(numbers().at("/rows/checksum").values, checksums);
}

TEST_F(ProgramStudy, MistakesAreNamed) {
  const auto wrong = [&](const std::string& set, const std::vector<std::string>& parts) {
    SCOPED_TRACE(set);
    expect_failure(study("--set '" + set + "'"), 3, parts);
  };
  wrong("study.lattices=[\"4x4x4\"]", {"lattices", "4x4x4", "four even extents"});
  wrong("study.local_lattices=[\"4x4x4x5\"]", {"local_lattices", "4x4x4x5", "four even extents"});
  wrong("study.local_lattices=[\"4x4x4x4\", \"4x4x4x4\"]", {"local_lattices", "listed twice"});
  wrong("study.process_grids=[\"1x1x0x1\"]", {"process_grids", "1x1x0x1", "numbers of ranks"});
  wrong("study.process_grids=[\"4096x4096x4096x4096\"]", {"process_grids", "65536"});
  wrong("study.process_grids=[\"1x1x1x3\"]", {"process_grids", "3 ranks", "direction t", "8 sites"});
  wrong("study.ranks=[1, 3]", {"ranks", "3 ranks cannot share 4x4x4x8"});
  wrong("study.ranks=[0]", {"ranks", "1 to 65536"});
  wrong("study.transports=[\"self\"]", {"transports", "device_mpi"});
  wrong("study.targets=[\"hermitian-cg\"]", {"targets", "bicgstab"});
  wrong("study.target=[\"hop\"]", {"target", "targets"});
  wrong("study.storages=[\"half 16\"]", {"storages", "half 16", "half 8"});
  wrong("study.storages=[]", {"storages", "empty"});
  wrong("study.right_hand_sides=[0]", {"right_hand_sides", "1 to 256"});
  wrong("study.right_hand_sides=[4, 8, 4]", {"right_hand_sides", "4 is listed twice"});
  wrong("study.iteration=3", {"iteration", "iterations"});
  wrong("study.epsilons=[0.0]", {"epsilons", "greater than 0"});
  wrong("action.kappa=0.1", {"kappa", "mass"});
  wrong("comms.process_grid=[1,1,1,1]", {"process_grid", "[study]"});
  wrong("comms.transport=host", {"transport", "[study]"});
  wrong("model.machine=h2000", {"machine", "h200"});
  expect_failure(study("--set study.local_lattices=[] --set study.lattices=[]"), 3,
                 {"lattices", "no lattice"});
  expect_failure(study("--set study.targets=[]", 2), 3, {"targets", "solvers", "nothing is left"});
  expect_failure(study("--set study.ranks=[2]"), 3, {"no task can be measured on 1 rank", "needs 2 ranks"});
  expect_failure(study("--set 'model.measurements=[\"absent.json\"]'", 2), 4, {"absent.json"});
  // No grid of five ranks.
  expect_failure(study("--set study.ranks=[] --set study.local_lattices=[]", 5), 3, {"4x4x4x8", "ranks"});
  EXPECT_FALSE(std::filesystem::exists(box_ / "study.h5"));
}

// Killed or stopped behind a task, it goes on with the next, and the times of those that were done stay.
TEST_F(ProgramStudy, GoesOnBehindTheLastTask) {
  // Samples enough that a signal comes in time also where the machine is busy.
  const std::string more =
      "--set study.ranks=[1] --set 'study.lattices=[\"4x4x4x4\", \"4x4x4x8\", \"4x4x8x8\", \"4x8x8x8\"]' "
      "--set "
      "study.samples=4 ";
  for (const int ranks : {1, 2})
    for (const bool kills : {true, false}) {
      SCOPED_TRACE(std::to_string(ranks) + (kills ? " killed" : " stopped"));
      std::size_t known = 0;
      for (int attempt = 0; attempt < 20 && known == 0; ++attempt) {
        for (const char* file : {"study.h5", "study.h5.journal", "study.json", "study.txt"})
          std::filesystem::remove(box_ / file);
        Launched run(box_, "run study.toml " + more, ranks);
        const auto begun = [&] {
          std::error_code ignored;
          return std::filesystem::file_size(box_ / "study.h5.journal", ignored) > 3000 && !ignored;
        };
        while (!begun() && !run.ends_within(0)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (kills) {
          run.kill();
        } else {
          run.signal(SIGTERM);
          ASSERT_TRUE(run.ends_within(60));
        }
        if (std::filesystem::exists(box_ / "study.h5")) continue;  // it ended before
        known = known_tasks() < 5 ? known_tasks() : 0;
        if (!kills && ranks == 1) {
          EXPECT_EQ(run.code(), 9) << run.err();
        }
      }
      ASSERT_GE(known, 1u) << "no signal came in time";
      const auto journal = jobs::look_into_journal((box_ / "study.h5.journal").string());
      ByteReader payload(journal.at(1).payload);
      EXPECT_EQ(journal.at(1).key, "strong 4x4x4x4 on 1x1x1x1 by auto");
      EXPECT_TRUE(payload.text()->starts_with("location = host; forced_directions = 0"));
      EXPECT_EQ(payload.number<std::uint32_t>(), 0u);  // part
      const auto first = jobs::results_from_bytes(*payload.text());
      ASSERT_TRUE(first.has_value());
      const std::string plan = "plan study.toml --json --ranks " + std::to_string(ranks) + " " + more;
      EXPECT_EQ(Json::parse(box_.plaq(plan).out)["outlook"]["kind"], "goes on");
      expect_failure(study(more + "--set study.iterations=11", ranks), 5,
                     {"study.h5.journal", "[study] iterations", "another unfinished job", "Deleting"});
      const auto on = study(more, ranks);
      ASSERT_EQ(on.code, 0) << on.err;
      EXPECT_NE(on.err.find(std::to_string(known) + " of 5 tasks are done and kept"), std::string::npos)
          << on.err;
      const auto seconds = numbers().at("/rows/seconds").values;
      const jobs::Dataset* dataset = jobs::find_dataset(*first, "/rows/seconds");
      ASSERT_NE(dataset, nullptr);
      const auto& kept = std::get<std::vector<double>>(dataset->values);
      ASSERT_EQ(kept.size(), 6u);
      for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(seconds[i], kept[i]);
      EXPECT_FALSE(has_journal());
    }
}

// Scripts run in order by what stands for sbatch and srun: together they measure the whole study.
TEST_F(ProgramStudy, ScriptsMeasureTheWholeStudy) {
  const std::string more =
      "--set 'study.targets=[\"hop\"]' --set slurm.ranks_per_node=4 --set slurm.partition=gpu --set "
      "'slurm.setup=[\"export OMP_NUM_THREADS=1\"]' --set 'slurm.launcher=" +
      std::string(PLAQ_MPIRUN) + " -np $SLURM_NTASKS' ";
  const auto outcome = box_.plaq("run study.toml --generate \"it's here/jobs\" " + more);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto jobs = box_ / "it's here" / "jobs";
  EXPECT_EQ(outcome.out, (jobs / "submit.sh").string() + "\n");
  const std::string script = contents(jobs / "ranks-2.sh");
  for (const char* line : {"#SBATCH --ntasks=2\n", "#SBATCH --nodes=1\n", "#SBATCH --partition=gpu\n",
                           "#SBATCH --time=00:30:00\n", "export OMP_NUM_THREADS=1\n"})
    EXPECT_NE(script.find(line), std::string::npos) << line << script;
  EXPECT_EQ(script.find("gpus"), std::string::npos) << script;  // location = "host"
  EXPECT_NE(contents(jobs / "collect.sh").find(" plot 'study.h5' --output 'study.pdf'"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(jobs / "ranks-3.sh"));
  EXPECT_FALSE(std::filesystem::exists(box_ / "study.h5"));

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
  EXPECT_NE(contents(box_ / "ranks-1.sh.out").find("2 of 4 tasks are missing"), std::string::npos);
  EXPECT_FALSE(has_journal()) << contents(box_ / "ranks-2.sh.out");
  std::vector<int> ranks;
  for (const Json& row : rows()) ranks.push_back(row["ranks"]);
  EXPECT_EQ(ranks, (std::vector<int>{1, 1, 2, 2, 1, 1, 2, 2}));

  expect_failure(box_.plaq("run study.toml --generate x --set slurm.ranks=4"), 3, {"[study]"});
  const auto gpu = box_.plaq(
      "run study.toml --generate gpu --set run.location=gpu --set study.ranks=[1,12] --set "
      "study.lattices=[]");
  ASSERT_EQ(gpu.code, 0) << gpu.err;
  const std::string twelve = contents(box_ / "gpu" / "ranks-12.sh");
  for (const char* line : {"--nodes=2\n", "--ntasks=12\n", "--ntasks-per-node=8\n", "--gpus-per-node=8\n"})
    EXPECT_NE(twelve.find(line), std::string::npos) << line << twelve;
  // Without numbers of ranks it is one batch job.
  const auto alone = box_.plaq("run study.toml --generate one --set study.ranks=[] --set slurm.ranks=2");
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_TRUE(std::filesystem::exists(box_ / "one" / "job.sh"));
}

}  // namespace
}  // namespace plaq::program_study_test
