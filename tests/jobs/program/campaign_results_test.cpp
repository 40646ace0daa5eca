// results/TASK.h5 of a campaign: made of just the rows that count now, whoever died with its lease.
#include <chrono>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;

namespace fs = std::filesystem;

constexpr const char* of_another_node =
    R"({"worker":"gone.1","node":"elsewhere","host":"elsewhere x y","process":1,"started":1})";
const std::vector<std::string> all = {"000002", "000004", "000006", "000008"};

class CampaignResults : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    box_.write("measure.toml", test::measure_job);
    write_campaign();
    ASSERT_EQ(box_.plaq("run generate.toml --set update.configurations=4").code, 0);
  }
  void write_campaign(const std::string& of_task = "", const std::string& of_workers = "") const {
    box_.write("campaign.toml",
               "[ensemble]\nfiles = \"field.{trajectory}.nersc\"\n[task.measure]\njob = \"measure.toml\"\n" +
                   of_task + "[workers]\nheartbeat = 0.2\n" + of_workers);
  }
  void expect_run() const {
    const auto outcome = box_.plaq("campaign run .");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  // results/measure.h5 is what plaq run makes of these fields.
  void expect_results_of(const std::vector<std::string>& names) const {
    std::string files;
    for (const std::string& name : names)
      files += (files.empty() ? "\"field." : ",\"field.") + name + ".nersc\"";
    const auto one = box_.plaq("run measure.toml --set 'gauge.files=[" + files +
                               "]' --set 'gauge.numbering=\"field.{trajectory}.nersc\"' --set "
                               "output.file=one.h5 --set output.overwrite=true");
    ASSERT_EQ(one.code, 0) << one.err;
    EXPECT_EQ(contents(box_ / "one.h5"), contents(box_ / "results/measure.h5"));
  }
  test::Sandbox box_;
};

TEST_F(CampaignResults, FollowWhatIsLeftOut) {
  expect_run();
  expect_results_of(all);
  const auto written = fs::last_write_time(box_ / "results/measure.h5");
  ASSERT_EQ(box_.plaq("campaign quarantine . 000004").code, 0);
  // Clocks of nodes differ: what was written last may look old.
  fs::last_write_time(box_ / "quarantine.toml", written - std::chrono::hours(1));
  box_.plaq("campaign run .");
  expect_results_of({"000002", "000006", "000008"});
  fs::remove(box_ / "quarantine.toml");
  expect_run();
  expect_results_of(all);
  // Nobody changes a file that is right.
  fs::last_write_time(box_ / "results/measure.h5", written - std::chrono::hours(2));
  expect_run();
  const auto again = fs::last_write_time(box_ / "results/measure.h5");
  expect_run();
  EXPECT_EQ(fs::last_write_time(box_ / "results/measure.h5"), again);
}

TEST_F(CampaignResults, FollowTheFieldsThatAreWanted) {
  write_campaign("every = 4\n");
  expect_run();
  expect_results_of({"000004", "000008"});
  write_campaign();
  expect_run();
  expect_results_of(all);
  write_campaign("every = 4\n");
  expect_run();
  expect_results_of({"000004", "000008"});
}

// A row that was computed again, or came from elsewhere with its old time.
TEST_F(CampaignResults, FollowTheirRows) {
  expect_run();
  const auto row = box_ / "rows/measure/000006.h5";
  const std::string right = contents(row);
  const auto before = fs::last_write_time(row);
  fs::copy_file(box_ / "rows/measure/000008.h5", row, fs::copy_options::overwrite_existing);
  fs::last_write_time(row, before - std::chrono::hours(1));
  expect_failure(box_.plaq("campaign run ."), 4, {"rows/measure/000006.h5", "rows/measure/000008.h5"});
  box_.write("rows/measure/000006.h5", right);
  expect_run();
  expect_results_of(all);
}

TEST_F(CampaignResults, GoWhenNoRowCounts) {
  expect_run();
  ASSERT_EQ(box_.plaq("campaign quarantine . measure").code, 0);
  const auto outcome = box_.plaq("campaign run .");
  EXPECT_NE(outcome.err.find("results/measure.h5 is removed"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(box_ / "results/measure.h5"));
}

// Nobody on this node knows that the holder is dead: its lease is watched until it is stale.
TEST_F(CampaignResults, WaitForTheLeaseOfTheDead) {
  write_campaign("", "lease_timeout = 1\n");
  expect_run();
  for (const char* holder : {of_another_node, ""}) {
    fs::remove(box_ / "results/measure.h5");
    box_.write("leases/results@measure.0", holder);
    expect_run();
    expect_results_of(all);
    EXPECT_TRUE(fs::is_empty(box_ / "leases"));
    box_.write("leases/results@measure.3", holder);
    const auto snapshot = box_.plaq("campaign snapshot .");
    EXPECT_EQ(snapshot.code, 0) << snapshot.err;
    EXPECT_TRUE(fs::is_empty(box_ / "leases"));
  }
}

TEST_F(CampaignResults, SayThatTheyAreNotWritten) {
  write_campaign("", "lease_timeout = 1000\nreserve = 0\n");
  expect_run();
  fs::remove(box_ / "results/measure.h5");
  box_.write("leases/results@measure.0", of_another_node);
  expect_failure(box_.plaq("campaign run . --time 2"), 9,
                 {"results/measure.h5 is not written", "gone.1", "leases/results@measure"});
}

}  // namespace
}  // namespace plaq
