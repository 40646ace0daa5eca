// Tuning files on disk: several writers, damage, places that cannot be written; and the tuners of many ranks.
#include "io/tuning/tuning_file.hpp"

#include <sys/wait.h>

#include <fmt/format.h>

#include "comms/communicator/collective.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/tuning/tuning_text.hpp"
#include "tests/io/tuning/tuning_entries.hpp"

namespace plaq::test {
namespace {

// What a call says on standard error, line by line.
template <class F>
std::vector<std::string> messages(F&& f) {
  testing::internal::CaptureStderr();
  f();
  const std::string all = testing::internal::GetCapturedStderr();
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < all.size();) {
    const auto end = all.find('\n', at);
    lines.push_back(all.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

std::vector<TuneEntry> entries_of(const std::string& path) {
  return parse_tuning(path, read_bytes(path)).entries;
}

// One process does these alone, also among many.
class TuningFiles : public testing::Test {
 protected:
  void SetUp() override {
    if (world_rank() != 0) GTEST_SKIP() << "one rank is enough";
  }
  TuningFolder folder_;
};

TEST_F(TuningFiles, AreAddedTo) {
  const TuneEntry a = tune_entry("a"), b = tune_entry("b"), b2 = tune_entry("b", {64, 1});
  EXPECT_TRUE(read_tuning_file(folder_.tuning_file()).empty());
  EXPECT_TRUE(add_to_tuning_file(folder_.tuning_file(), {&b, 1}));
  EXPECT_TRUE(add_to_tuning_file(folder_.tuning_file(), {&a, 1}));
  EXPECT_EQ(read_tuning_file(folder_.tuning_file()), (std::vector<TuneEntry>{a, b}));
  EXPECT_TRUE(add_to_tuning_file(folder_.tuning_file(), {&b2, 1}));
  EXPECT_EQ(read_tuning_file(folder_.tuning_file()), (std::vector<TuneEntry>{a, b2}));
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"tuning.jsonl"});

  const std::string deep = (folder_.path() / "new" / "folders" / "file").string();
  EXPECT_TRUE(add_to_tuning_file(deep, {&a, 1}));
  EXPECT_EQ(read_tuning_file(deep), std::vector<TuneEntry>{a});
}

TEST_F(TuningFiles, TakeManyWritersAtOnce) {
  constexpr int writers = 4, rounds = 25;
  std::vector<pid_t> children;
  for (int w = 0; w < writers; ++w) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      int failures = 0;
      for (int i = 0; i < rounds; ++i) {
        const TuneEntry mine = tune_entry(fmt::format("writer {} round {}", w, i));
        try {
          if (!add_to_tuning_file(folder_.tuning_file(), {&mine, 1})) ++failures;
          if (parse_tuning("", folder_.text()).state != TuningText::State::good) ++failures;
        } catch (const Error&) {
          ++failures;
        }
      }
      ::_exit(failures);
    }
    children.push_back(pid);
  }
  for (const pid_t pid : children) {
    int status = -1;
    ASSERT_EQ(::waitpid(pid, &status, 0), pid);
    EXPECT_TRUE(WIFEXITED(status));
    EXPECT_EQ(WEXITSTATUS(status), 0);
  }
  EXPECT_EQ(entries_of(folder_.tuning_file()).size(), static_cast<std::size_t>(writers * rounds));
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"tuning.jsonl"});
}

TEST_F(TuningFiles, DamagedOnesAreSetAside) {
  const TuneEntry a = tune_entry("a"), b = tune_entry("b");
  const std::string good = tuning_text({&a, 1}), damaged = good + good.substr(good.find('\n') + 1, 60);
  folder_.put(damaged);
  const auto said = messages([&] { EXPECT_TRUE(read_tuning_file(folder_.tuning_file()).empty()); });
  ASSERT_EQ(said.size(), 1u);
  expect_parts(said[0], {folder_.tuning_file() + ":3: the line is cut off; the tuning file is ignored"});
  EXPECT_EQ(folder_.text(), damaged);  // reading changes nothing

  messages([&] { EXPECT_TRUE(add_to_tuning_file(folder_.tuning_file(), {&b, 1})); });
  EXPECT_EQ(entries_of(folder_.tuning_file()), std::vector<TuneEntry>{b});
  const auto names = folder_.names();
  ASSERT_EQ(names.size(), 2u);
  EXPECT_TRUE(names[1].starts_with("tuning.jsonl.20") && names[1].ends_with("Z.bad")) << names[1];
  EXPECT_EQ(read_bytes(folder_.path() / names[1]), damaged);
}

TEST_F(TuningFiles, OthersAndNewerOnesAreLeftAlone) {
  const TuneEntry a = tune_entry("a");
  for (const std::string& text : {std::string("job = \"measure\"\n"),
                                  std::string("{\"format\":\"plaq tuning\",\"version\":7}\n{}\n")}) {
    folder_.put(text);
    EXPECT_EQ(messages([&] { EXPECT_TRUE(read_tuning_file(folder_.tuning_file()).empty()); }).size(), 1u);
    EXPECT_TRUE(messages([&] { EXPECT_FALSE(add_to_tuning_file(folder_.tuning_file(), {&a, 1})); }).empty());
    EXPECT_EQ(folder_.text(), text);
    EXPECT_EQ(folder_.names().size(), 1u);
  }
  folder_.put("");  // an empty one is nobody's
  EXPECT_TRUE(add_to_tuning_file(folder_.tuning_file(), {&a, 1}));
  EXPECT_EQ(entries_of(folder_.tuning_file()), std::vector<TuneEntry>{a});
}

TEST_F(TuningFiles, AreNotWrittenWhereTheyCannotBeRead) {
  TuneEntry odd = tune_entry("a");
  odd.device = "two\nlines";
  EXPECT_THROW(add_to_tuning_file(folder_.tuning_file(), {&odd, 1}), Error);
  EXPECT_TRUE(folder_.names().empty());
}

TEST_F(TuningFiles, ImpossiblePlacesAreSaid) {
  const TuneEntry a = tune_entry("a");
  folder_.put("a file");
  for (const std::string& path : {folder_.tuning_file() + "/file", std::string("/proc/plaq/tuning.jsonl"),
                                  std::string("/proc/tuning.jsonl")}) {
    EXPECT_TRUE(messages([&] { EXPECT_TRUE(read_tuning_file(path).empty()); }).empty()) << path;
    expect_error(
        [&] {
          add_to_tuning_file(path, {&a, 1});
        },
        ErrorKind::output_file, {"cannot write " + path});
  }
  // A folder in its place.
  EXPECT_EQ(messages([&] { EXPECT_TRUE(read_tuning_file(folder_.path().string()).empty()); }).size(), 1u);
  EXPECT_THROW(add_to_tuning_file(folder_.path().string(), {&a, 1}), Error);
}

TEST_F(TuningFiles, AreFound) {
  const char* const names[] = {"PLAQ_TUNING_FILE", "XDG_CACHE_HOME", "HOME"};
  std::vector<std::string> kept;
  for (const char* name : names) kept.emplace_back(std::getenv(name) ? std::getenv(name) : "");
  ::setenv(names[0], "here.jsonl", 1);
  ::setenv(names[1], "/cache", 1);
  ::setenv(names[2], "/home/me", 1);
  EXPECT_EQ(tuning_file_path("asked"), "asked");
  EXPECT_EQ(tuning_file_path(), "here.jsonl");
  ::setenv(names[0], "", 1);
  EXPECT_EQ(tuning_file_path(), "/cache/plaq/tuning.jsonl");
  ::setenv(names[1], "relative", 1);
  EXPECT_EQ(tuning_file_path(), "/home/me/.cache/plaq/tuning.jsonl");
  ::unsetenv(names[1]);
  ::unsetenv(names[2]);
  EXPECT_EQ(tuning_file_path(), "");
  EXPECT_EQ(tuning_file_path("asked"), "asked");
  for (std::size_t i = 0; i < 3; ++i)
    if (!kept[i].empty()) ::setenv(names[i], kept[i].c_str(), 1);
}

// All ranks, one file.

class TuningOfRanks : public testing::Test {
 protected:
  void SetUp() override {
    if (world_rank() == 0) folder_.emplace();
    path_ = broadcast(MPI_COMM_WORLD, folder_ ? folder_->tuning_file() : "");
  }
  void TearDown() override {
    MPI_Barrier(MPI_COMM_WORLD);  // nobody needs the folder any more
  }
  std::optional<TuningFolder> folder_;
  std::string path_;
};

const Machine here{Location::host, "a processor", "none", "0.1 flags"};
const std::vector<Launch> three = {{0, 1}, {0, 2}, {0, 3}};

TuneKey key_of(std::string_view kernel) { return {kernel, "double", {4, 4, 4, 4}, 0, 1}; }

Launch choose(Tuner& tuner, std::string_view kernel, int& runs) {
  return tuner.choose(key_of(kernel), three, Queue(Location::host), [&](const Launch&) { ++runs; });
}

TEST_F(TuningOfRanks, IsSavedByOneAndKnownToAll) {
  const std::string own = fmt::format("of rank {:03}", world_rank());
  int runs = 0;
  Launch common, mine;
  {
    Tuner tuner(TuneMode::on, here);
    load_tuning(MPI_COMM_WORLD, path_, tuner);
    common = choose(tuner, "of all", runs);
    mine = choose(tuner, own, runs);
    EXPECT_GT(runs, 0);
    save_tuning(MPI_COMM_WORLD, path_, tuner);
    save_tuning(MPI_COMM_WORLD, path_, tuner);  // nothing new
  }
  const Launch firsts{0, std::stoi(broadcast(MPI_COMM_WORLD, std::to_string(common.width)))};
  if (world_rank() == 0) {
    EXPECT_EQ(entries_of(path_).size(), static_cast<std::size_t>(world_size() + 1));
    EXPECT_EQ(folder_->names(), std::vector<std::string>{"tuning.jsonl"});
  }
  for (const TuneMode mode : {TuneMode::on, TuneMode::read_only}) {
    Tuner tuner(mode, here);
    load_tuning(MPI_COMM_WORLD, path_, tuner);
    runs = 0;
    EXPECT_EQ(choose(tuner, "of all", runs), firsts);
    EXPECT_EQ(choose(tuner, own, runs), mine);
    EXPECT_EQ(runs, 0);
  }
}

TEST_F(TuningOfRanks, OnlyWritesWhenOn) {
  for (const TuneMode mode : {TuneMode::off, TuneMode::read_only}) {
    Tuner tuner(mode, here);
    load_tuning(MPI_COMM_WORLD, path_, tuner);
    int runs = 0;
    EXPECT_EQ(choose(tuner, "of all", runs), three[0]);
    EXPECT_EQ(runs, 0);
    save_tuning(MPI_COMM_WORLD, path_, tuner);
  }
  Tuner on(TuneMode::on, here);
  save_tuning(MPI_COMM_WORLD, path_, on);  // nothing was timed
  int runs = 0;
  choose(on, "of all", runs);
  load_tuning(MPI_COMM_WORLD, "", on);
  save_tuning(MPI_COMM_WORLD, "", on);  // there is no place
  if (world_rank() == 0) {
    EXPECT_TRUE(folder_->names().empty());
  }
}

TEST_F(TuningOfRanks, SomeMayHaveTimedNothing) {
  Tuner tuner(TuneMode::on, here);
  int runs = 0;
  if (world_rank() == world_size() - 1) choose(tuner, "of the last", runs);
  save_tuning(MPI_COMM_WORLD, path_, tuner);
  if (world_rank() == 0) {
    const auto entries = entries_of(path_);
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].kernel, "of the last");
  }
}

TEST_F(TuningOfRanks, OtherBuildsStayOut) {
  Machine other = here;
  other.build = "0.2 flags";
  int runs = 0;
  Tuner first(TuneMode::on, here), second(TuneMode::on, other);
  choose(first, "kernel", runs);
  save_tuning(MPI_COMM_WORLD, path_, first);
  load_tuning(MPI_COMM_WORLD, path_, second);
  runs = 0;
  choose(second, "kernel", runs);
  EXPECT_GT(runs, 0);
  save_tuning(MPI_COMM_WORLD, path_, second);
  if (world_rank() == 0) {
    EXPECT_EQ(entries_of(path_).size(), 2u);
  }
}

TEST_F(TuningOfRanks, FailuresAreOneWarning) {
  Tuner tuner(TuneMode::on, here);
  int runs = 0;
  choose(tuner, "kernel", runs);
  const std::string nowhere = "/proc/plaq/tuning.jsonl";
  const auto said = messages([&] {
    load_tuning(MPI_COMM_WORLD, nowhere, tuner);
    save_tuning(MPI_COMM_WORLD, nowhere, tuner);
  });
  if (world_rank() != 0) {
    EXPECT_TRUE(said.empty());
    return;
  }
  ASSERT_EQ(said.size(), 1u);
  expect_parts(said[0], {"cannot write " + nowhere, "; what was tuned is not kept"});
}

TEST_F(TuningOfRanks, ForeignFilesAreOneWarning) {
  if (world_rank() == 0) folder_->put("mine\n");
  Tuner tuner(TuneMode::on, here);
  int runs = 0;
  const auto said = messages([&] {
    load_tuning(MPI_COMM_WORLD, path_, tuner);
    choose(tuner, "kernel", runs);
    save_tuning(MPI_COMM_WORLD, path_, tuner);
  });
  EXPECT_EQ(said.size(), world_rank() == 0 ? 1u : 0u);
  if (world_rank() == 0) {
    EXPECT_EQ(folder_->text(), "mine\n");
  }
}

}  // namespace
}  // namespace plaq::test
