// Jobs that are killed at any moment and run again end with the very files of a run that nobody disturbed.
// PLAQ_KILLS=100 kills each job a hundred times instead of a few; it says in which phases.
#include <map>
#include <random>

#include "tests/jobs/program/launched.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Launched;

// Six fields of 4x4x4x8, a checkpoint after every sweep.
constexpr const char* chain_job = R"(job = "generate"
[lattice]
extents = [4, 4, 4, 8]
[gauge]
beta = 5.7
[update]
seed = 11
overrelaxation = 1
thermalization = 10
separation = 6
configurations = 6
reunitarize_every = 3
[output]
prefix = "field"
measure_every = 2
checkpoint_minutes = 0
[run]
location = "host"
threads = 1
)";

constexpr const char* many_fields =
    "--set update.thermalization=0 --set update.separation=1 "
    "--set update.configurations=40 --set output.measure_every=0 "
    "--set output.checkpoint_minutes=10 ";
// Two fields, two sources on each, their propagators too.
constexpr const char* two_fields =
    "--set update.thermalization=1 --set update.separation=1 --set update.configurations=2 "
    "--set output.measure_every=0 --set output.checkpoint_minutes=10 ";
constexpr const char* solve_job = R"(job = "propagator"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.13
[source]
count = 2
shift = [1, 2, 3, 3]
[solver]
tolerance = 1e-11
[output]
file = "pion.h5"
propagators = "scidac"
[run]
location = "host"
threads = 1
)";
constexpr const char* flow =
    "--set 'measure.observables=[\"plaquette\", \"clover\", \"flow\"]' --set flow.t_max=0.8 ";
constexpr double patience = 300;  // seconds for a run that nobody disturbs

int kills(int otherwise) {
  const char* text = std::getenv("PLAQ_KILLS");
  return text && *text ? std::atoi(text) : otherwise;
}

using Files = std::map<std::string, std::string>;

// What a job is for: no journal, checkpoint or hidden file.
bool is_output(const std::string& name) {
  return name.front() != '.' &&
         (name.ends_with(".nersc") || name.ends_with(".h5") || name.ends_with(".lime"));
}
Files outputs(const test::Sandbox& box) {
  Files files;
  for (const auto& entry : std::filesystem::directory_iterator(box / ""))
    if (const std::string name = entry.path().filename().string(); is_output(name))
      files[name] = contents(entry.path());
  return files;
}

// Nothing but output, job files and what the test itself leaves.
void expect_nothing_else(const test::Sandbox& box) {
  for (const auto& entry : std::filesystem::directory_iterator(box / "")) {
    const std::string name = entry.path().filename().string();
    EXPECT_TRUE(is_output(name) || name.ends_with(".toml") || name == ".out" || name == ".err" ||
                name == ".tmp" || name.starts_with(".launched"))
        << name;
  }
}

void expect_same(const Files& found, const Files& expected) {
  EXPECT_EQ(found.size(), expected.size());
  for (const auto& [name, bytes] : found) {
    ASSERT_TRUE(expected.contains(name)) << name;
    EXPECT_TRUE(bytes == expected.at(name)) << name << " has other bytes";
  }
}

// Where a run was when it was killed, by what it had said and what is in its directory.
std::string phase_of(const test::Sandbox& box, const std::string& err) {
  for (const auto& entry : std::filesystem::directory_iterator(box / ""))
    if (const std::string name = entry.path().filename().string(); name.ends_with(".part"))
      return name.find("checkpoint") != std::string::npos ? "writing a checkpoint"
             : name.find(".h5.") != std::string::npos     ? "writing results"
                                                          : "writing a field";
  if (err.find("process grid") == std::string::npos) return "starting";
  return "computing";
}

class Resume : public testing::Test {
 protected:
  void SetUp() override {
    for (const test::Sandbox* box : {&calm_, &wild_}) {
      box->write("generate.toml", chain_job);
      box->write("measure.toml", test::measure_job);
      box->write("propagator.toml", solve_job);
    }
  }
  // The seconds that it took.
  double run(const test::Sandbox& box, const std::string& arguments, int ranks = 1, int code = 0) {
    const auto begin = std::chrono::steady_clock::now();
    Launched run(box, arguments, ranks);
    EXPECT_TRUE(run.ends_within(patience));
    EXPECT_EQ(run.code(), code) << run.err();
    out_ = run.out();
    err_ = run.err();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  }
  void copy_fields() const {
    for (const auto& [name, bytes] : outputs(calm_))
      if (name.ends_with(".nersc")) wild_.write(name, bytes);
  }
  // Every file under its final name is that of the undisturbed run, whenever it is there; a checkpoint is
  // whole. No more than one temporary is there: each run sweeps those of earlier ones.
  void expect_whole(const Files& expected) const {
    for (const auto& [name, bytes] : outputs(wild_)) EXPECT_TRUE(bytes == expected.at(name)) << name;
    std::map<std::string, int> temporaries;  // by the file that they would have become
    for (const auto& entry : std::filesystem::directory_iterator(wild_ / ""))
      if (const std::string name = entry.path().stem().string(); entry.path().extension() == ".part")
        ++temporaries[name.substr(0, name.rfind('.'))];
    for (const auto& [name, count] : temporaries) EXPECT_EQ(count, 1) << name;
    if (!std::filesystem::exists(wild_ / "field.checkpoint")) return;
    EXPECT_EQ(wild_.plaq("info field.checkpoint").code, 0) << contents(wild_ / ".err");
  }
  // Kills `count` runs at moments spread over `seconds`; ranks as given, in turn.
  void kill_and_finish(const std::string& arguments, const std::vector<int>& ranks, int count, double seconds,
                       const Files& expected) {
    std::mt19937 generator(20240607);
    std::uniform_real_distribution<double> moment(0.02, 0.95);
    int killed = 0, completed = 0;
    std::map<std::string, int> phases;
    const bool generates = arguments.find("generate.toml") != std::string::npos;
    for (int i = 0; killed < count; ++i) {
      Launched run(wild_, arguments, ranks[static_cast<std::size_t>(i) % ranks.size()]);
      if (i % 4 != 0)  // most of them while they work, and not while MPI starts
        while (run.err().find("process grid") == std::string::npos && !run.ends_within(0))
          std::this_thread::sleep_for(std::chrono::milliseconds(1));
      const double begin = i % 4 != 0 ? run.age() : 0;
      if (run.ends_within(begin + moment(generator) * std::max(0.02, seconds - begin))) {
        ASSERT_EQ(run.code(), 0) << run.err();
        expect_same(outputs(wild_), expected);
        ++completed;     // and the next one begins anew
        seconds *= 0.9;  // the machine was busier when they were taken
        for (const auto& [name, bytes] : expected)
          if (generates || !name.ends_with(".nersc")) std::filesystem::remove(wild_ / name);
        continue;
      }
      run.kill();
      ++phases[phase_of(wild_, run.err())];
      ++killed;
      seconds *= 1.03;
      expect_whole(expected);
      if (HasFailure()) return;
    }
    std::cout << killed << " runs killed, " << completed << " completed on the way;";
    for (const auto& [phase, count] : phases) std::cout << ' ' << phase << ": " << count << ';';
    std::cout << '\n';
    run(wild_, arguments, ranks.back());
    expect_same(outputs(wild_), expected);
    expect_nothing_else(wild_);
  }
  test::Sandbox calm_, wild_;
  std::string out_, err_;  // of the last run
};

TEST_F(Resume, GenerateIsKilled) {
  const double seconds = run(calm_, "run generate.toml");
  const Files expected = outputs(calm_);
  ASSERT_EQ(expected.size(), 7u);
  kill_and_finish("run generate.toml", {1}, kills(6), seconds, expected);
}

TEST_F(Resume, GenerateOnTwoRanksIsKilled) {
  run(calm_, "run generate.toml");
  const Files expected = outputs(calm_);
  const double seconds = run(wild_, "run generate.toml", 2);
  expect_same(outputs(wild_), expected);
  for (const auto& [name, bytes] : expected) std::filesystem::remove(wild_ / name);
  kill_and_finish("run generate.toml", {2, 1, 2}, kills(3), seconds, expected);
}

TEST_F(Resume, MeasureIsKilled) {
  run(calm_, std::string("run generate.toml ") + many_fields);
  copy_fields();
  std::filesystem::remove(calm_ / "field.history.h5");
  const double seconds = run(calm_, "run measure.toml");
  const std::string lines = out_;
  kill_and_finish("run measure.toml", {1}, kills(6), seconds, outputs(calm_));
  // Unless the last kill came after the output was there.
  if (err_.find("nothing to do") == std::string::npos) {
    EXPECT_EQ(out_, lines);
  }
  const double longer = run(wild_, "run measure.toml --set output.overwrite=true", 2);
  std::filesystem::remove(wild_ / "measured.h5");
  kill_and_finish("run measure.toml", {2, 1, 2}, kills(3), longer, outputs(calm_));
}

TEST_F(Resume, MeasureWithFlowIsKilled) {
  run(calm_, std::string("run generate.toml ") + two_fields + "--set update.configurations=4");
  copy_fields();
  std::filesystem::remove(calm_ / "field.history.h5");
  const std::string command = std::string("run measure.toml ") + flow;
  const double seconds = run(calm_, command, 1);
  kill_and_finish(command, {1, 2, 1}, kills(4), seconds, outputs(calm_));
}

TEST_F(Resume, PropagatorIsKilled) {
  run(calm_, std::string("run generate.toml ") + two_fields);
  copy_fields();
  std::filesystem::remove(calm_ / "field.history.h5");
  const double seconds = run(calm_, "run propagator.toml");
  const Files expected = outputs(calm_);
  ASSERT_EQ(expected.size(), 2u + 1 + 4);
  kill_and_finish("run propagator.toml", {1, 2, 1}, kills(6), seconds, expected);
}

// Sources enough that a signal comes in time, however late a launcher passes it on.
TEST_F(Resume, APropagatorJobIsStoppedAfterEachSource) {
  run(calm_, std::string("run generate.toml ") + two_fields);
  copy_fields();
  std::filesystem::remove(calm_ / "field.history.h5");
  const std::string job = "run propagator.toml --set source.count=16";
  run(calm_, job);
  const Files expected = outputs(calm_);
  int kept = 0;
  for (const int ranks : {1, 2, 1}) {
    Launched run(wild_, job, ranks);
    while (run.err().find("plaquette") == std::string::npos && !run.ends_within(0))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    run.signal(SIGUSR1);  // during a solve of this run
    ASSERT_TRUE(run.ends_within(patience));
    if (run.code() == 0) {  // a busy machine: the signal came too late, and there is nothing left to stop
      ASSERT_GT(kept, 0) << "no signal came in time";
      return expect_same(outputs(wild_), expected);
    }
    ASSERT_EQ(run.code(), 9) << run.err();
    const std::string err = run.err(), words = " of 32 sources of all fields are done and kept";
    const auto at = err.rfind(words);
    ASSERT_NE(at, std::string::npos) << err;
    const int now = std::stoi(err.substr(err.find_last_not_of("0123456789", at - 1) + 1));
    EXPECT_GT(now, kept) << err;
    EXPECT_LT(now, 32) << err;
    kept = now;
    EXPECT_FALSE(std::filesystem::exists(wild_ / "pion.h5"));
    expect_whole(expected);
  }
  // A propagator that is gone is computed again, the others are not.
  std::filesystem::remove(wild_ / "field.000001.nersc.s1.prop.lime");
  Launched last(wild_, job, 1);
  ASSERT_TRUE(last.ends_within(patience));
  EXPECT_EQ(last.code(), 0) << last.err();
  EXPECT_NE(last.err().find("going on: " + std::to_string(kept - 1) + " of 32 sources"), std::string::npos)
      << last.err();
  expect_same(outputs(wild_), expected);
  expect_nothing_else(wild_);
}

// A chain of a few seconds, so that signals come in time.
TEST_F(Resume, SignalsStopAndTheNextRunGoesOn) {
  const std::string job =
      "run generate.toml --set update.separation=600 --set update.configurations=2 --set "
      "output.measure_every=100 "
      "--set output.checkpoint_minutes=10";
  run(calm_, job);
  const Files expected = outputs(calm_);
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> moment(0.0, 0.5);
  int stopped = 0;
  // SIGTERM goes to single ranks only: a launcher ends itself by it.
  for (const auto& [signal, ranks] :
       {std::pair{SIGUSR1, 1}, {SIGTERM, 1}, {SIGUSR1, 2}, {SIGINT, 1}, {SIGUSR1, 1}}) {
    Launched run(wild_, job, ranks);
    while (run.err().find("process grid") == std::string::npos && !run.ends_within(0))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));  // before, a signal ends it as ever
    std::this_thread::sleep_for(std::chrono::milliseconds(20 + static_cast<int>(100 * moment(generator))));
    run.signal(signal);
    ASSERT_TRUE(run.ends_within(patience));
    const std::string err = run.err();
    if (run.code() == 0) break;
    ASSERT_EQ(run.code(), 9) << err;
    ++stopped;
    EXPECT_NE(err.find("stopped by SIG"), std::string::npos) << err;
    EXPECT_NE(err.find("goes on from there"), std::string::npos) << err;
    // The field that was saved last, of sweep 10 or 600, is as good as a checkpoint.
    EXPECT_TRUE(std::filesystem::exists(wild_ / "field.checkpoint") ||
                err.find("saved after 10 of") != std::string::npos ||
                err.find("saved after 600 of") != std::string::npos)
        << err;
    expect_whole(expected);
  }
  EXPECT_GE(stopped, 2);
  run(wild_, job, 2);
  expect_same(outputs(wild_), expected);
  expect_nothing_else(wild_);
}

TEST_F(Resume, AMeasurementIsStopped) {
  run(calm_, std::string("run generate.toml ") + many_fields);
  copy_fields();
  std::filesystem::remove(calm_ / "field.history.h5");
  run(calm_, "run measure.toml");
  for (int attempt = 0;; ++attempt) {
    ASSERT_LT(attempt, 50) << "no signal came in time";
    Launched run(wild_, "run measure.toml", 1);
    while (run.out().empty() && !run.ends_within(0))
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    run.signal(SIGUSR1);
    ASSERT_TRUE(run.ends_within(patience));
    if (run.code() == 0) {  // a busy machine: it ended before the signal came
      std::filesystem::remove(wild_ / "measured.h5");
      continue;
    }
    EXPECT_EQ(run.code(), 9) << run.err();
    EXPECT_NE(run.err().find("of 40 fields are done and kept"), std::string::npos);
    break;
  }
  EXPECT_FALSE(std::filesystem::exists(wild_ / "measured.h5"));
  run(wild_, "run measure.toml", 2);
  expect_same(outputs(wild_), outputs(calm_));
  expect_nothing_else(wild_);
}

}  // namespace
}  // namespace plaq
