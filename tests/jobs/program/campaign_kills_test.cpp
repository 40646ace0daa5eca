// Workers of a campaign that are killed or stopped at any moment.
#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <set>

#include "tests/jobs/program/launched.hpp"

namespace plaq {
namespace {

using test::contents;
constexpr int left_out = 10;  // exit code: of the fields that are damaged
using test::Launched;
namespace fs = std::filesystem;

constexpr const char* pion = R"(job = "propagator"
[gauge]
files = ["x"]
[action]
kappa = 0.11
[source]
count = 4
shift = [0, 0, 0, 2]
[solver]
tolerance = 1e-9
max_iterations = 60
[output]
file = "x.h5"
[run]
location = "host"
threads = 1
tuning = "off"
)";
constexpr const char* campaign = R"([ensemble]
files = "field.{trajectory}.nersc"
[task.measure]
job = "measure.toml"
[task.pion]
job = "pion.toml"
[workers]
heartbeat = 0.2
lease_timeout = 2
[retry]
lost = 1000
)";

// PLAQ_CAMPAIGN_KILLS of the environment, else few.
int kills() {
  const char* text = std::getenv("PLAQ_CAMPAIGN_KILLS");
  return text != nullptr ? std::atoi(text) : 8;
}

int fields() { return kills() > 20 ? 40 : 8; }

void make_ensemble(const test::Sandbox& box) {
  box.write("generate.toml", test::generate_job);
  ASSERT_EQ(box.plaq("run generate.toml --set update.configurations=" + std::to_string(fields())).code, 0);
  // Two that are damaged.
  for (const char* name : {"field.000006.nersc", "field.000012.nersc"}) {
    std::string bytes = contents(box / name);
    bytes[bytes.size() - 100] ^= 4;
    box.write(name, bytes);
  }
  box.write("measure.toml", test::measure_job);
  box.write("pion.toml", pion);
  box.write("campaign.toml", campaign);
}

std::vector<nlohmann::json> events_of(const test::Sandbox& box) {
  std::vector<nlohmann::json> events;
  for (const auto& file : fs::directory_iterator(box / "log")) {
    if (file.path().extension() != ".jsonl") continue;
    std::istringstream lines(contents(file.path()));
    for (std::string line; std::getline(lines, line);)
      if (auto json = nlohmann::json::parse(line, nullptr, false); json.is_object()) events.push_back(json);
  }
  return events;
}

TEST(KilledWorkers, LeaveWhatOneUndisturbedWorkerMakes) {
  const test::Sandbox box, calm;
  make_ensemble(box);
  make_ensemble(calm);
  ASSERT_EQ(calm.plaq("campaign run .").code, left_out);

  constexpr int workers = 4;
  std::mt19937 random(7);
  std::vector<std::unique_ptr<Launched>> running(workers);
  for (int killed = 0; killed < kills();) {
    for (auto& one : running)
      if (!one) one = std::make_unique<Launched>(box, "campaign run .", 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(10 + random() % 250));
    auto& victim = running[random() % workers];
    if (!victim->ends_within(0)) ++killed;  // one that ended of itself is started again
    if (victim->code() != 0 && victim->code() != left_out && victim->ends_within(0))
      ADD_FAILURE() << victim->code() << victim->err();
    victim.reset();
    // All is done before the kills are: some of it is undone.
    if (fs::exists(box / "results/pion.h5")) {
      for (const char* task : {"measure", "pion"})
        for (const char* name : {"000002.h5", "000004.h5", "000008.h5"})
          fs::remove(box / ("rows/" + std::string(task) + '/' + name));
      fs::remove(box / "results/pion.h5");
    }
  }
  running.clear();
  const test::Outcome last = box.plaq("campaign run .");
  ASSERT_EQ(last.code, left_out) << last.err;

  std::size_t rows = 0;
  for (const char* task : {"measure", "pion"}) {
    EXPECT_EQ(contents(box / ("results/" + std::string(task) + ".h5")),
              contents(calm / ("results/" + std::string(task) + ".h5")));
    for (const auto& row : fs::directory_iterator(calm / ("rows/" + std::string(task)))) {
      ++rows;
      EXPECT_EQ(contents(row.path()),
                contents(box / ("rows/" + std::string(task) + '/' + row.path().filename().string())));
    }
  }
  EXPECT_EQ(rows, 2 * static_cast<std::size_t>(fields() - 2));
  const std::string quarantine = contents(box / "quarantine.toml");
  for (const char* name : {"[all.000006]", "[all.000012]"})
    EXPECT_NE(quarantine.find(name), std::string::npos) << quarantine;
  EXPECT_TRUE(fs::is_empty(box / "leases"));
  // What is left in work/ is of nothing that is done.
  for (const auto& file : fs::recursive_directory_iterator(box / "work"))
    EXPECT_TRUE(file.is_directory() || file.path().string().find("000006") != std::string::npos ||
                file.path().string().find("000012") != std::string::npos)
        << file.path();
}

// Each item has one start that was neither lost nor failed nor stopped.
TEST(KilledWorkers, ComputeNothingTwiceButWhatWasInHand) {
  const test::Sandbox box;
  make_ensemble(box);
  {
    std::vector<std::unique_ptr<Launched>> running;
    for (int i = 0; i < 4; ++i) running.push_back(std::make_unique<Launched>(box, "campaign run .", 1));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    running[1]->kill();
    for (auto& one : running) ASSERT_TRUE(one->ends_within(60)) << one->err();
  }
  const auto later = box.plaq("campaign run .");
  ASSERT_EQ(later.code, left_out) << later.err;
  std::map<std::string, int> starts, done, excused;
  for (const auto& event : events_of(box)) {
    const std::string item = event.value("item", ""), kind = event.at("event");
    if (kind == "start") ++starts[item];
    if (kind == "done") ++done[item];
    if (kind == "lost" || kind == "failed" || kind == "stopped") ++excused[item];
  }
  for (const auto& [item, count] : starts) {
    EXPECT_LE(done[item], 1) << item;
    EXPECT_EQ(count, done[item] + excused[item]) << item;
  }
}

TEST(KilledWorkers, OneThatSleepsDoesNoHarm) {
  const test::Sandbox box, calm;
  make_ensemble(calm);
  make_ensemble(box);
  ASSERT_EQ(calm.plaq("campaign run .").code, left_out);
  std::string sleeper_err;
  {
    Launched sleeper(box, "campaign run . --task pion", 1);
    while (!fs::exists(box / "rows/pion/000002.h5") && !sleeper.ends_within(0))
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
    for (const pid_t process : sleeper.processes()) ::kill(process, SIGSTOP);
    sleeper.signal(SIGSTOP);
    const test::Outcome other = box.plaq("campaign run . --task pion");
    EXPECT_EQ(other.code, left_out) << other.err;
    // What it had in hand is taken over when it gave no sign of life for two seconds.
    std::this_thread::sleep_for(std::chrono::milliseconds(2500));
    EXPECT_EQ(box.plaq("campaign run . --task pion").code, left_out);
    for (const pid_t process : sleeper.processes()) ::kill(process, SIGCONT);
    sleeper.signal(SIGCONT);
    EXPECT_TRUE(sleeper.ends_within(sleeper.age() + 60));
    sleeper_err = sleeper.err();
  }
  EXPECT_EQ(box.plaq("campaign run .").code, left_out);
  EXPECT_EQ(contents(box / "results/pion.h5"), contents(calm / "results/pion.h5")) << sleeper_err;
  EXPECT_EQ(contents(box / "results/measure.h5"), contents(calm / "results/measure.h5"));
  EXPECT_TRUE(fs::is_empty(box / "leases"));
}

}  // namespace
}  // namespace plaq
