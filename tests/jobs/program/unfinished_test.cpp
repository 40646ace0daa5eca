// What a run does with what it finds: complete outputs, journals of this job and of others, damaged journals.
#include "tests/jobs/program/launched.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Launched;

namespace fs = std::filesystem;

class Unfinished : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", std::string(test::generate_job));
    box_.write("measure.toml", test::measure_job);
  }
  test::Outcome generate(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run generate.toml " + more, ranks);
  }
  test::Outcome measure(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run measure.toml " + more, ranks);
  }
  // A generate job that was stopped once `file` was there, with a checkpoint. Where the machine is so busy
  // that the job ends before the signal comes, its files go and it is run again.
  void stop_generate(const std::string& more, const std::string& file = "field.000002.nersc") const {
    for (int attempt = 0; attempt < 50; ++attempt) {
      Launched run(box_, "run generate.toml --set output.checkpoint_minutes=0 " + more, 1);
      while (!fs::exists(box_ / file) && !run.ends_within(0))
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
      run.signal(SIGUSR1);
      ASSERT_TRUE(run.ends_within(60));
      if (run.code() == 0) {
        for (const auto& entry : fs::directory_iterator(box_ / ""))
          if (entry.path().filename().string().starts_with("field.")) fs::remove(entry.path());
        continue;
      }
      ASSERT_EQ(run.code(), 9) << run.err();
      ASSERT_TRUE(fs::exists(box_ / "field.checkpoint"));
      return;
    }
    FAIL() << "no signal came in time";
  }
  // One of another chain.
  void add_field(const std::string& name) const {
    const auto made =
        generate("--set update.seed=12 --set update.configurations=1 --set output.prefix=other");
    ASSERT_EQ(made.code, 0) << made.err;
    fs::rename(box_ / "other.000002.nersc", box_ / name);
  }
  // A measure job that fails at the second of its fields: a journal with one.
  void fail_measure() const {
    const std::string good = contents(box_ / "field.000004.nersc");
    std::string bad = good;
    bad[bad.size() - 1000] = static_cast<char>(bad[bad.size() - 1000] ^ 1);
    box_.write("field.000004.nersc", bad);
    expect_failure(measure("", 2), 4,
                   {"field.000004.nersc", "checksum", "1 of 2 fields are done", "goes on"});
    EXPECT_TRUE(fs::exists(box_ / "measured.h5.journal"));
    box_.write("field.000004.nersc", good);
  }
  test::Sandbox box_;
};

TEST_F(Unfinished, CompleteJobsAreLeftAlone) {
  ASSERT_EQ(generate().code, 0);
  ASSERT_EQ(measure().code, 0);
  for (const char* file : {"field.000002.nersc", "field.history.h5", "measured.h5"})
    fs::last_write_time(box_ / file, fs::file_time_type{});
  for (const int ranks : {1, 2}) {
    const auto again = generate("--set run.threads=2", ranks);
    EXPECT_EQ(again.code, 0);
    EXPECT_NE(again.err.find("field.history.h5 is complete: nothing to do"), std::string::npos) << again.err;
    EXPECT_NE(measure("", ranks).err.find("measured.h5 is complete: nothing to do"), std::string::npos);
  }
  for (const char* file : {"field.000002.nersc", "field.history.h5", "measured.h5"})
    EXPECT_EQ(fs::last_write_time(box_ / file), fs::file_time_type{}) << file;
  const std::string before = contents(box_ / "measured.h5");
  ASSERT_EQ(measure("--set output.overwrite=true").code, 0);
  EXPECT_NE(fs::last_write_time(box_ / "measured.h5"), fs::file_time_type{});
  EXPECT_TRUE(contents(box_ / "measured.h5") == before);

  expect_failure(measure("--set 'measure.observables=[\"plaquette\"]'"), 5,
                 {"measured.h5", "exists", "overwrite"});
  add_field("field.000003.nersc");
  const auto grown = measure();  // the pattern means one more
  EXPECT_EQ(grown.code, 0);
  EXPECT_NE(grown.err.find("2 of 3 fields are done"), std::string::npos) << grown.err;
  fs::remove(box_ / "field.000002.nersc");
  expect_failure(generate(), 5, {"field.000002.nersc is missing", "overwrite = true"});
}

TEST_F(Unfinished, AFailedMeasurementGoesOn) {
  ASSERT_EQ(generate().code, 0);
  ASSERT_EQ(measure().code, 0);
  const std::string calm = contents(box_ / "measured.h5");
  fs::remove(box_ / "measured.h5");
  fail_measure();
  // Of another job: the keys are named.
  expect_failure(
      measure("--set 'measure.observables=[\"plaquette\"]'"), 5,
      {"measured.h5.journal", "[measure] observables", "[\"plaquette\"] here", "[gauge] files", "Deleting"});
  const auto on = measure("--set 'comms.force_partition=[\"t\"]' --set output.overwrite=true", 2);
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_NE(on.err.find("1 of 2 fields are done and kept"), std::string::npos) << on.err;
  EXPECT_EQ(on.err.find("field.000002.nersc: plaquette"), std::string::npos) << on.err;  // not read again
  EXPECT_TRUE(contents(box_ / "measured.h5") == calm);
  EXPECT_FALSE(fs::exists(box_ / "measured.h5.journal"));
}

TEST_F(Unfinished, AFieldThatChangedIsMeasuredAgain) {
  ASSERT_EQ(generate().code, 0);
  fail_measure();
  add_field("field.000002.nersc");
  const auto on = measure();
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_NE(on.err.find("field.000002.nersc: plaquette"), std::string::npos) << on.err;
}

TEST_F(Unfinished, TheFirstFieldThatFailsLeavesNoJournal) {
  ASSERT_EQ(generate().code, 0);
  std::string bad = contents(box_ / "field.000002.nersc");
  bad[bad.size() - 1000] = static_cast<char>(bad[bad.size() - 1000] ^ 1);
  box_.write("field.000002.nersc", bad);
  expect_failure(measure(), 4, {"checksum"});
  EXPECT_FALSE(fs::exists(box_ / "measured.h5.journal"));
}

// One that is going away is waited for.
TEST_F(Unfinished, ARunThatEndsIsWaitedFor) {
  ASSERT_NO_FATAL_FAILURE(stop_generate("--set update.separation=1000"));
  Launched running(box_, "run generate.toml --set update.separation=1000 --set update.configurations=1000",
                   1);
  while (running.err().find("going on after") == std::string::npos && !running.ends_within(0))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(1500));
    running.kill();
  });
  ::setenv("PLAQ_LOCK_SECONDS", "30", 1);
  // Found when that one has ended: not in use, but of a job of more configurations.
  expect_failure(generate("--set update.separation=1000"), 5, {"configurations = 1000", "raised"});
  ::setenv("PLAQ_LOCK_SECONDS", "0", 1);
  end.join();
}

TEST_F(Unfinished, TwoRunsAtOnce) {
  ASSERT_NO_FATAL_FAILURE(stop_generate("--set update.separation=1000"));
  Launched first(box_, "run generate.toml --set update.separation=100000", 1);  // another job: fails at once
  ASSERT_TRUE(first.ends_within(60));
  EXPECT_EQ(first.code(), 5);
  Launched running(box_, "run generate.toml --set update.separation=1000 --set update.configurations=1000",
                   1);
  while (running.err().find("going on after") == std::string::npos && !running.ends_within(0))
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  expect_failure(box_.plaq("run generate.toml --set update.separation=1000", 2), 5,
                 {"field.journal", "another run of this job is using it"});
  running.kill();
}

TEST_F(Unfinished, ConfigurationsMayBeRaised) {
  const std::string more = "--set update.separation=30 --set update.configurations=";
  ASSERT_EQ(generate(more + "3 --set output.prefix=calm").code, 0);
  ASSERT_NO_FATAL_FAILURE(stop_generate(more + "2", "field.checkpoint"));
  expect_failure(generate(more + "1"), 5, {"field.journal", "configurations = 2", "raised"});
  box_.write("field.000062.nersc", "of somebody else");
  expect_failure(generate(more + "3"), 5, {"field.000062.nersc", "exists"});
  fs::remove(box_ / "field.000062.nersc");
  ASSERT_EQ(generate(more + "3", 2).code, 0);
  for (const char* number : {"000002", "000032", "000062"})
    EXPECT_TRUE(contents(box_ / (std::string("field.") + number + ".nersc")) ==
                contents(box_ / (std::string("calm.") + number + ".nersc")))
        << number;
}

TEST_F(Unfinished, DamagedStateIsComputedAgain) {
  const std::string more = "--set update.separation=60 ";
  ASSERT_EQ(generate(more + "--set output.prefix=calm").code, 0);
  const auto finish = [&](int ranks) {
    const auto outcome = generate(more, ranks);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    for (const std::string name : {".000002.nersc", ".000062.nersc"})
      EXPECT_TRUE(contents(box_ / ("field" + name)) == contents(box_ / ("calm" + name))) << name;
    EXPECT_FALSE(fs::exists(box_ / "field.journal"));
    EXPECT_FALSE(fs::exists(box_ / "field.checkpoint"));
    for (const std::string name : {".000002.nersc", ".000062.nersc", ".history.h5"})
      fs::remove(box_ / ("field" + name));
  };
  const auto damage = [&](const char* file) {
    std::string bytes = contents(box_ / file);
    ASSERT_FALSE(bytes.empty()) << file;
    bytes[bytes.size() / 2] = static_cast<char>(bytes[bytes.size() / 2] ^ 4);
    box_.write(file, bytes);
  };
  for (const std::string file : {"field.checkpoint", "field.journal", "field.000002.nersc"}) {
    SCOPED_TRACE(file);
    ASSERT_NO_FATAL_FAILURE(stop_generate(more));
    damage(file.c_str());
    if (file.ends_with(".nersc")) fs::remove(box_ / "field.checkpoint");
    ASSERT_NO_FATAL_FAILURE(finish(1));
  }
  ASSERT_NO_FATAL_FAILURE(stop_generate(more));
  fs::remove(box_ / "field.000002.nersc");
  ASSERT_NO_FATAL_FAILURE(finish(2));
  box_.write("field.journal", "not a journal");
  expect_failure(generate(), 5, {"field.journal", "is not a journal"});
}

}  // namespace
}  // namespace plaq
