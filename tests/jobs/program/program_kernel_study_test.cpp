// Kernel studies from end to end: what is in the file, tables, the same curves as plaq bench, a job that is
// stopped or killed and goes on. No time is expected to be anything but positive.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "io/bytes/byte_stream.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/results.hpp"
#include "tests/jobs/program/launched.hpp"
#include "tests/jobs/results/result_data.hpp"

namespace plaq {
namespace {

using Json = nlohmann::json;
using test::contents;
using test::expect_failure;
using test::Launched;
using Numbers = std::map<std::string, test::StoredNumbers>;
using Extents = std::vector<std::size_t>;

constexpr const char* study_job = R"(job = "kernel_study"
[lattice]
extents = [4, 4, 4, 8]
[action]
mass = 0.5
[rates]
temporal_extents = [4, 8]
storages = ["double 18", "single 12", "half 8"]
right_hand_sides = [1, 3]
samples = 1
bandwidth = false
[solvers]
storages = ["double 18", "half 12"]
iterations = 10
[output]
file = "kernels.h5"
[run]
location = "host"
threads = 1
)";

class ProgramKernelStudy : public testing::Test {
 protected:
  void SetUp() override { box_.write("study.toml", study_job); }
  test::Outcome study(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run study.toml " + more, ranks);
  }
  Numbers numbers() const { return test::read_numbers((box_ / "kernels.h5").string()); }
  std::size_t known_pieces() const {
    std::size_t known = 0;
    for (const auto& record : jobs::look_into_journal((box_ / "kernels.h5.journal").string()))
      known += record.kind != 0;
    return known;
  }

  test::Sandbox box_;
};

TEST_F(ProgramKernelStudy, EveryNumberIsThere) {
  for (const auto& [ranks, comms] : {std::pair{1, ""},
                                     {2, ""},
                                     {2, "--set comms.process_grid=[1,1,2,1]"},
                                     {1, "--set 'comms.force_partition=[\"x\", \"t\"]'"}}) {
    SCOPED_TRACE(std::to_string(ranks) + comms);
    const auto outcome = study(
        "--set output.overwrite=true --set 'accuracy.epsilons=[1e-7, 1e-3]' " + std::string(comms), ranks);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_FALSE(std::filesystem::exists(box_ / "kernels.h5.journal"));
    const Numbers found = numbers();
    EXPECT_EQ(found.size(), 7u + 5 + 3);
    for (const auto& [path, data] : found) {
      if (path.starts_with("/rates/")) {
        EXPECT_EQ(data.extents, (Extents{2, 2, 3, 2})) << path;
      }
      if (path.starts_with("/accuracy") || path.ends_with("difference")) continue;
      for (const double x : data.values) EXPECT_TRUE(x > 0 && std::isfinite(x)) << path << " " << x;
    }
    EXPECT_EQ(found.at("/solvers/gflops").extents, (Extents{2, 2}));
    EXPECT_EQ(found.at("/solvers/operator_gflops").extents, (Extents{2}));
    EXPECT_EQ(found.at("/accuracy/proportion").extents, (Extents{9, 2}));
    EXPECT_EQ(found.at("/accuracy/epsilon").values, (std::vector<double>{1e-7, 1e-3}));
    // The fewest bytes of the hopping term of one right-hand side: eight links and two spinors for each site
    // of one parity, on all ranks.
    const auto& bytes = found.at("/rates/bytes").values;
    EXPECT_EQ(bytes[0], 128 * 8.0 * (8 * 18 + 2 * 24));
    EXPECT_EQ(bytes[1], 2 * bytes[0]);
    EXPECT_EQ(bytes[2], 128 * 4.0 * (8 * 12 + 2 * 24));
    EXPECT_EQ(bytes[4], 128 * (2.0 * (8 * 8 + 2 * 24) + 2 * 4));
    // Twice as long, both hopping terms and what is added.
    EXPECT_EQ(bytes[6], 128 * 8.0 * (2 * 8 * 18 + 5 * 24));
    const auto &gflops = found.at("/rates/gflops").values, &us = found.at("/rates/microseconds").values;
    for (std::size_t i = 0; i < gflops.size(); ++i) {
      const double sites = i % 2 == 0 ? 128 : 256, rhs = i < 12 ? 1 : 3;
      const double flops = i / 6 % 2 == 0 ? 1320 : 2 * 1320 + 48;
      EXPECT_NEAR(gflops[i] * us[i], 1e-3 * sites * rhs * flops, 1e-9 * gflops[i] * us[i]) << i;
      EXPECT_LE(found.at("/rates/microseconds_least").values[i], us[i]);
      EXPECT_GE(found.at("/rates/microseconds_most").values[i], us[i]);
    }
    for (const char* part : {"wilson_hop", "wilson_schur", "half 8", "T =", "bicgstab", "largest"})
      EXPECT_NE(outcome.out.find(part), std::string::npos) << part << '\n' << outcome.out;
  }
}

// Accuracy is no matter of time: the same numbers as the benchmark's, on any number of ranks.
TEST_F(ProgramKernelStudy, CurvesAreThoseOfTheBenchmark) {
  const auto bench = box_.plaq("bench accuracy --lattice 4x4x4x8 --location host --repeats 1 --json b.json");
  ASSERT_EQ(bench.code, 0) << bench.err;
  const Json rows = Json::parse(contents(box_ / "b.json"))["rows"];
  ASSERT_EQ(rows.size(), 9u);
  for (const int ranks : {1, 2}) {
    ASSERT_EQ(
        study("--set rates.temporal_extents=[] --set solvers.methods=[] --set lattice.extents=[4,4,4,4] "
              "--set accuracy.temporal_extent=8 --set output.overwrite=true",
              ranks)
            .code,
        0);
    const Numbers found = numbers();
    ASSERT_EQ(found.size(), 3u);
    const auto& proportion = found.at("/accuracy/proportion");
    for (std::size_t s = 0; s < rows.size(); ++s) {
      const auto curve = rows[s]["proportion_off_by"].get<std::vector<std::pair<double, double>>>();
      ASSERT_EQ(proportion.extents, (Extents{9, curve.size()}));
      for (std::size_t e = 0; e < curve.size(); ++e) {
        EXPECT_EQ(found.at("/accuracy/epsilon").values[e], curve[e].first);
        EXPECT_EQ(proportion.at(s).values[e], curve[e].second)
            << rows[s]["precision"] << " " << curve[e].first;
      }
    }
    EXPECT_EQ(found.at("/accuracy/largest").values[0], 0);
    EXPECT_GT(found.at("/accuracy/largest").values[8], 1e-5);
  }
}

// Rates with checksums of faces are other rates, and said to be so.
TEST_F(ProgramKernelStudy, ChecksFaces) {
  const std::string checked = "--set comms.halo_checksums=true --set 'accuracy.storages=[\"half 8\"]' ",
                    plain = "--set comms.halo_checksums=false --set 'accuracy.storages=[\"half 8\"]' ";
  const auto outcome = study(checked, 2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("measured with checksums of all faces"), std::string::npos) << outcome.out;
  const auto halo_checksums = [&] {
    const Json said = Json::parse(box_.plaq("info kernels.h5 --json").out);
    for (const Json& object : said["objects"])
      if (object["path"] == "/machine") return object["attributes"]["halo_checksums"].get<int>();
    return -1;
  };
  EXPECT_EQ(halo_checksums(), 1);
  const auto curves = numbers().at("/accuracy/proportion").values;
  EXPECT_NE(study(checked, 2).err.find("complete: nothing to do"), std::string::npos);
  expect_failure(study(plain, 2), 5, {"kernels.h5", "exists", "overwrite"});
  const auto other = study(plain + "--set output.overwrite=true", 2);
  ASSERT_EQ(other.code, 0) << other.err;
  EXPECT_EQ(other.out.find("checksums"), std::string::npos) << other.out;
  EXPECT_EQ(halo_checksums(), 0);
  EXPECT_EQ(numbers().at("/accuracy/proportion").values, curves);
}

TEST_F(ProgramKernelStudy, EachPartMayBeLeftOut) {
  const std::string no_rates = "--set rates.temporal_extents=[] ", no_solvers = "--set solvers.methods=[] ",
                    no_accuracy = "--set accuracy.storages=[] ", again = "--set output.overwrite=true ";
  const auto groups = [&](const std::string& more) {
    const auto outcome = study(again + more);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::string all;
    for (const auto& [path, data] : numbers())
      if (const std::string group = path.substr(1, path.find('/', 1)); all.find(group) == std::string::npos)
        all += group;
    return all;
  };
  EXPECT_EQ(groups(no_solvers + no_accuracy), "rates/");
  EXPECT_EQ(groups(no_rates + no_accuracy), "solvers/");
  EXPECT_EQ(groups(no_rates + no_solvers + "--set 'accuracy.storages=[\"half 8\"]'"), "accuracy/");
  expect_failure(study(again + no_rates + no_solvers + no_accuracy, 2), 3,
                 {"temporal_extents", "methods", "storages", "nothing is left"});
  // Copy and triad of this very run.
  ASSERT_EQ(study(again + no_solvers + no_accuracy + "--set rates.bandwidth=true").code, 0);
  const Numbers found = numbers();
  const double stream = found.at("/rates/stream_bytes_per_second").values.at(1);
  EXPECT_GT(stream, 0);
  for (std::size_t i = 0; i < 24; ++i)
    EXPECT_NEAR(found.at("/rates/share").values.at(i),
                found.at("/rates/bytes_per_second").values.at(i) / stream, 1e-12);
}

TEST_F(ProgramKernelStudy, CloverAndAsymmetric) {
  const auto outcome = study(
      "--set action.type=clover --set action.c_sw=1 --set accuracy.storages=[] --set "
      "rates.temporal_extents=[4] "
      "--set 'rates.operators=[\"schur\", \"schur_asymmetric\"]'",
      2);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("clover_schur_asy"), std::string::npos) << outcome.out;
  const auto off = numbers().at("/rates/difference").values;
  ASSERT_EQ(off.size(), 12u);
  for (std::size_t i = 0; i < off.size(); ++i) {
    const double most = i % 3 == 0 ? 1e-14 : i % 3 == 1 ? 5e-6 : 5e-3;
    EXPECT_LT(off[i], most) << i;
    EXPECT_EQ(off[i] == 0, i % 3 == 0) << i;
  }
}

TEST_F(ProgramKernelStudy, MistakesAreNamed) {
  const auto wrong = [&](const std::string& set, const std::vector<std::string>& parts) {
    SCOPED_TRACE(set);
    expect_failure(study("--set '" + set + "'"), 3, parts);
  };
  wrong("rates.storages=[\"half 16\"]", {"storages", "half 16", "half 8"});
  wrong("rates.storages=[]", {"storages", "empty"});
  wrong("rates.temporal_extents=[4, 8, 4]", {"temporal_extents", "4 is listed twice"});
  wrong("rates.temporal_extents=[4, 7]", {"temporal_extents", "even"});
  wrong("rates.right_hand_sides=[0]", {"right_hand_sides", "1 to 256"});
  wrong("rates.operators=[\"full\"]", {"operators", "schur"});
  wrong("solvers.methods=[\"gcr\"]", {"methods", "bicgstab"});
  wrong("solvers.iteration=3", {"iteration", "iterations"});
  wrong("accuracy.epsilons=[0.0]", {"epsilons", "greater than 0"});
  wrong("comms.process_grid=[1,1,1,3]", {"process_grid"});
  wrong("action.kappa=0.1", {"kappa", "mass"});
  expect_failure(study("--set rates.temporal_extents=[6] --set comms.process_grid=[1,1,1,2]", 2), 3,
                 {"temporal_extents", "cannot share 6"});
  // No grid of five ranks.
  expect_failure(study("--set lattice.extents=[4,4,4,20]", 5), 3, {"4x4x4x4", "ranks"});
}

TEST_F(ProgramKernelStudy, PlanInfoAndSchemaKnowIt) {
  const auto plan = box_.plaq("plan study.toml --json");
  ASSERT_EQ(plan.code, 0) << plan.err;
  EXPECT_EQ(Json::parse(plan.out)["job"], "kernel_study");
  EXPECT_EQ(Json::parse(plan.out)["outlook"]["kind"], "begins");
  ASSERT_EQ(study().code, 0);
  const auto info = box_.plaq("info kernels.h5 --json");
  ASSERT_EQ(info.code, 0) << info.err;
  const Json said = Json::parse(info.out);
  EXPECT_EQ(said["job_type"], "kernel_study");
  EXPECT_TRUE(said["verified"]);
  std::map<std::string, Json> attributes;
  for (const Json& object : said["objects"]) attributes[object["path"]] = object["attributes"];
  EXPECT_EQ(attributes["/rates"]["operators"], Json({"wilson_hop", "wilson_schur"}));
  EXPECT_EQ(attributes["/rates"]["storages"], Json({"double 18", "single 12", "half 8"}));
  EXPECT_EQ(attributes["/rates"]["temporal_extents"], Json({4, 8}));
  EXPECT_EQ(attributes["/rates/gflops"]["axes"],
            Json({"right_hand_sides", "operator", "storage", "temporal_extent"}));
  EXPECT_EQ(attributes["/solvers"]["methods"], Json({"cg", "bicgstab"}));
  EXPECT_EQ(attributes["/solvers/gflops"]["axes"], Json({"method", "storage"}));
  EXPECT_EQ(attributes["/accuracy"]["extents"], Json({4, 4, 4, 8}));
  EXPECT_EQ(attributes["/machine"]["ranks"], 1);
  EXPECT_EQ(attributes["/machine"]["location"], "host");
  EXPECT_EQ(Json::parse(box_.plaq("plan study.toml --json").out)["outlook"]["kind"], "complete");
  EXPECT_NE(study().err.find("kernels.h5 is complete: nothing to do"), std::string::npos);
  // Another number of ranks or threads has other times.
  expect_failure(study("", 2), 5, {"kernels.h5", "exists", "overwrite"});
  expect_failure(study("--set run.threads=2"), 5, {"kernels.h5", "exists", "overwrite"});
  EXPECT_EQ(box_.plaq("schema kernel_study").code, 0);
}

// Killed or stopped behind a piece, it goes on with the next, and the times of those that were done stay.
TEST_F(ProgramKernelStudy, GoesOnBehindTheLastPiece) {
  // Samples enough that a signal comes in time also where the machine is busy.
  const std::string more = "--set 'rates.storages=[\"double 18\", \"half 8\"]' --set rates.samples=4 ";
  for (const int ranks : {1, 2})
    for (const bool kills : {true, false}) {
      SCOPED_TRACE(std::to_string(ranks) + (kills ? " killed" : " stopped"));
      std::size_t known = 0;
      for (int attempt = 0; attempt < 20 && known == 0; ++attempt) {
        for (const char* file : {"kernels.h5", "kernels.h5.journal"}) std::filesystem::remove(box_ / file);
        Launched run(box_, "run study.toml " + more, ranks);
        const auto begun = [&] {
          std::error_code ignored;
          return std::filesystem::file_size(box_ / "kernels.h5.journal", ignored) > 1500 && !ignored;
        };
        while (!begun() && !run.ends_within(0)) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        if (kills) {
          run.kill();
        } else {
          run.signal(SIGTERM);
          ASSERT_TRUE(run.ends_within(60));
        }
        if (std::filesystem::exists(box_ / "kernels.h5")) continue;  // it ended before
        known = known_pieces() < 5 ? known_pieces() : 0;
        if (!kills && ranks == 1) {
          EXPECT_EQ(run.code(), 9) << run.err();
        }
      }
      ASSERT_GE(known, 1u) << "no signal came in time";
      const auto journal = jobs::look_into_journal((box_ / "kernels.h5.journal").string());
      ByteReader payload(journal.at(1).payload);
      EXPECT_EQ(journal.at(1).key, "rates 4");
      EXPECT_TRUE(payload.text()->starts_with("location = host; ranks = " + std::to_string(ranks)));
      EXPECT_EQ(payload.number<std::uint32_t>(), 0u);  // part
      const auto first = jobs::results_from_bytes(*payload.text());
      ASSERT_TRUE(first.has_value());
      const std::string plan = "plan study.toml --json --ranks " + std::to_string(ranks) + " " + more;
      EXPECT_EQ(Json::parse(box_.plaq(plan).out)["outlook"]["kind"], "goes on");
      expect_failure(study(more + "--set solvers.iterations=11", ranks), 5,
                     {"kernels.h5.journal", "[solvers] iterations", "another unfinished job", "Deleting"});
      const auto on = study(more, ranks);
      ASSERT_EQ(on.code, 0) << on.err;
      EXPECT_NE(on.err.find(std::to_string(known) + " of 5 pieces are done and kept"), std::string::npos)
          << on.err;
      const auto us = numbers().at("/rates/microseconds").values;
      for (const auto& dataset : first->datasets) {
        if (dataset.path != "/rates/microseconds") continue;
        const auto& kept = std::get<std::vector<double>>(dataset.values);
        ASSERT_EQ(kept.size(), 8u);
        for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(us[2 * i], kept[i]);
      }
      EXPECT_FALSE(std::filesystem::exists(box_ / "kernels.h5.journal"));
    }
}

}  // namespace
}  // namespace plaq
