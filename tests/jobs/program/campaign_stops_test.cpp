// A worker of a campaign that is killed at each of its operations on files, one run for each.
#include <cstdlib>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using test::contents;
namespace fs = std::filesystem;

// Its first rung misses the tolerance, and the second is another job.
constexpr const char* stopped_campaign = R"([ensemble]
files = "field.{trajectory}.nersc"
[task.pion]
job = "propagator.toml"
ladder = ["solver.max_iterations=500"]
[workers]
heartbeat = 0.2
lease_timeout = 0.5
)";

void prepare(const test::Sandbox& box) {
  box.write("generate.toml", test::generate_job);
  ASSERT_EQ(box.plaq("run generate.toml --set update.configurations=1").code, 0);
  box.write("campaign.toml", stopped_campaign);
  std::string job = test::propagator_job;
  job.replace(job.find("tolerance"), 0, "max_iterations = 1\n");
  box.write("propagator.toml", job);
}

void forget(const test::Sandbox& box) {
  for (const char* made : {"rows", "log", "work", "leases", "results", "quarantine.toml"})
    fs::remove_all(box / made);
}

// Each start of an item has one end: done, failed, or lost with its worker.
void expect_ends_of_starts(const test::Sandbox& box) {
  int starts = 0, ends = 0;
  for (const auto& file : fs::directory_iterator(box / "log")) {
    std::istringstream lines(contents(file.path()));
    for (std::string line; std::getline(lines, line) && !lines.eof();) {
      const auto is = [&](const std::string& event) {
        return line.starts_with("{\"event\":\"" + event + '"');
      };
      starts += is("start") ? 1 : 0;
      ends += is("done") || is("failed") || is("lost") ? 1 : 0;
    }
  }
  EXPECT_EQ(starts, ends);
  EXPECT_GE(starts, 2);  // one of each rung
}

int run_until(const test::Sandbox& box, int stop) {
  const std::string directory = fs::canonical(box / "").string();
  return box
      .plaq_with("LD_PRELOAD='" PLAQ_STOP_AT_OPERATION "' PLAQ_STOP_AT=" + std::to_string(stop) +
                     " PLAQ_STOP_BELOW='" + directory + "' PLAQ_STOP_COUNT='" + directory + "/count'",
                 "campaign run .")
      .code;
}

// One field, which the second rung of a ladder solves. Every operation with PLAQ_CAMPAIGN_STOPS in the environment; else each of
// those at the end, where the row is published, and every sixth before.
TEST(StoppedWorkers, LoseNothingAtAnyOperationOnFiles) {
  if (!std::string(PLAQ_SANITIZE).empty()) GTEST_SKIP() << "a sanitizer must be loaded before all others";
  constexpr int at_the_end = 24, step = 6;
  const test::Sandbox box;
  ASSERT_NO_FATAL_FAILURE(prepare(box));
  ASSERT_EQ(run_until(box, 0), 0);
  const int operations = std::stoi(contents(box / "count"));
  ASSERT_GT(operations, at_the_end);
  const std::string row = contents(box / "rows/pion/000002.h5"), results = contents(box / "results/pion.h5");
  EXPECT_NE(box.plaq("info --all results/pion.h5").out.find("/configurations/rung"), std::string::npos);
  const bool all = std::getenv("PLAQ_CAMPAIGN_STOPS") != nullptr;
  for (int stop = 1; stop <= operations; stop += all || stop > operations - at_the_end ? 1 : step) {
    SCOPED_TRACE("stopped at operation " + std::to_string(stop) + " of " + std::to_string(operations));
    forget(box);
    ASSERT_NE(run_until(box, stop), 0);
    const auto after = box.plaq("campaign run .");
    ASSERT_EQ(after.code, 0) << after.err;
    EXPECT_TRUE(contents(box / "rows/pion/000002.h5") == row);
    EXPECT_TRUE(contents(box / "results/pion.h5") == results);
    EXPECT_TRUE(fs::is_empty(box / "leases"));
    expect_ends_of_starts(box);
    for (const auto& file : fs::recursive_directory_iterator(box / "work"))
      EXPECT_TRUE(file.is_directory()) << file.path();
  }
}

}  // namespace
}  // namespace plaq
