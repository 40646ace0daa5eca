// A rank that no longer answers, or is gone, ends the job: everyone says what it waits for, and nothing is
// left half-written.
#include "tests/jobs/program/launched.hpp"

namespace plaq {
namespace {

using test::Launched;
namespace fs = std::filesystem;

class WatchdogOfAJob : public testing::Test {
 protected:
  void SetUp() override { box_.write("generate.toml", std::string(test::generate_job)); }
  // Long enough for whatever happens to it.
  static constexpr const char* job =
      "run generate.toml --set comms.watchdog=2 --set update.separation=200000 --set "
      "output.measure_every=200000";

  // The ranks of a run that updates by now, in the order of their ranks.
  std::vector<pid_t> ranks_of(Launched& run, std::size_t count) const {
    while (run.err().find("process grid") == std::string::npos && !run.ends_within(0))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    std::vector<std::pair<int, pid_t>> found;
    for (const pid_t pid : run.processes()) {
      const std::string variables = test::contents("/proc/" + std::to_string(pid) + "/environ");
      const std::string key = "OMPI_COMM_WORLD_RANK=";
      const auto at = variables.find(key);
      if (at != std::string::npos) found.emplace_back(std::stoi(variables.substr(at + key.size())), pid);
    }
    EXPECT_EQ(found.size(), count);
    std::sort(found.begin(), found.end());
    std::vector<pid_t> ranks;
    for (const auto& [rank, pid] : found) ranks.push_back(pid);
    return ranks;
  }
  void expect_nothing_half_written() const {
    for (const auto& entry : fs::directory_iterator(box_ / "")) {
      const std::string name = entry.path().filename().string();
      EXPECT_TRUE(!name.ends_with(".nersc") || box_.plaq("info " + name).code == 0) << name;
    }
  }
  test::Sandbox box_;
};

// Most often its neighbours wait for faces: some attempts, until they did, with all ranks' words each time.
TEST_F(WatchdogOfAJob, ARankThatStandsStill) {
  for (int attempt = 0; attempt < 10; ++attempt) {
    Launched run(box_, job, 4);
    const auto ranks = ranks_of(run, 4);
    ASSERT_EQ(ranks.size(), 4u);
    ::kill(ranks[1], SIGSTOP);
    const bool ended = run.ends_within(run.age() + 60);
    const std::string err = run.err();
    ASSERT_TRUE(ended) << err;
    EXPECT_NE(run.code(), 0) << err;
    for (const char* rank : {"[rank 0]", "[rank 2]", "[rank 3]"})
      EXPECT_NE(err.find(rank + std::string(" has waited for")), std::string::npos) << rank << "\n" << err;
    // Rank 1 may say something too: a launcher that ends the others wakes it first.
    expect_nothing_half_written();
    const bool faces =
        err.find("the face from") != std::string::npos || err.find("the face to") != std::string::npos;
    if (!faces) continue;
    EXPECT_NE(err.find("(rank 1)"), std::string::npos) << err;
    EXPECT_TRUE(err.find("(in overrelaxation, extended_halo)") != std::string::npos ||
                err.find("(in heatbath, extended_halo)") != std::string::npos)
        << err;
    return;
  }
  FAIL() << "nobody ever waited for a face";
}

// The first of the copies goes before the others: one rank works on it, for ever, and the other waits.
class WatchdogOfGroups : public WatchdogOfAJob {
 protected:
  void SetUp() override {
    WatchdogOfAJob::SetUp();
    ASSERT_EQ(box_.plaq("run generate.toml --set update.configurations=1").code, 0);
    box_.write("fix.toml", R"(job = "gaugefix"
[gauge]
files = ["field.000002.nersc"]
[fixing]
gauge = "landau"
copies = 2
groups = 2
theta = 1e-30
[overrelaxation]
max_sweeps = 1000000000
patience = 1000000000
[output]
file = "fixed.h5"
[comms]
watchdog = 2
[run]
location = "host"
threads = 1
)");
  }
};

// It is left alone for longer than the watchdog's time, while it works; not when it stands still.
TEST_F(WatchdogOfGroups, WorkIsNoHang) {
  Launched run(box_, "run fix.toml", 2);
  const auto ranks = ranks_of(run, 2);
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_FALSE(run.ends_within(run.age() + 5)) << run.err();
  EXPECT_EQ(run.err().find("has waited"), std::string::npos) << run.err();
  ::kill(ranks[1], SIGSTOP);
  ASSERT_TRUE(run.ends_within(run.age() + 60)) << run.err();
  EXPECT_NE(run.code(), 0) << run.err();
  EXPECT_NE(run.err().find("[rank 0] has waited for"), std::string::npos) << run.err();
  EXPECT_NE(run.err().find("a sign of life of rank 1"), std::string::npos) << run.err();
}

TEST_F(WatchdogOfAJob, ARankThatIsGone) {
  Launched run(box_, job, 4);
  const auto ranks = ranks_of(run, 4);
  ASSERT_EQ(ranks.size(), 4u);
  ::kill(ranks[2], SIGKILL);
  ASSERT_TRUE(run.ends_within(run.age() + 60)) << run.err();
  EXPECT_NE(run.code(), 0) << run.err();
  expect_nothing_half_written();
}

// A second's pause is none of its business.
TEST_F(WatchdogOfAJob, APauseIsNothing) {
  Launched run(box_, std::string(job) + " --set update.separation=400", 2);
  const auto ranks = ranks_of(run, 2);
  if (ranks.size() == 2) {
    ::kill(ranks[1], SIGSTOP);
    std::this_thread::sleep_for(std::chrono::milliseconds(800));
    ::kill(ranks[1], SIGCONT);
  }
  ASSERT_TRUE(run.ends_within(run.age() + 120)) << run.err();
  EXPECT_EQ(run.code(), 0) << run.err();
  EXPECT_EQ(run.err().find("has waited"), std::string::npos) << run.err();
}

}  // namespace
}  // namespace plaq
