// Leases among processes: one holder at a time, whoever dies or sleeps.
#include "jobs/campaign/lease.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

class LeaseTest : public testing::Test {
 protected:
  LeaseTest() {
    std::string name = (fs::temp_directory_path() / "plaq-lease-XXXXXX").string();
    EXPECT_NE(::mkdtemp(name.data()), nullptr);
    directory_ = name;
  }
  ~LeaseTest() override { fs::remove_all(directory_); }
  Leases leases(const std::string& worker, double timeout = 60) const {
    return {directory_.string(), Holder::of_this_process(worker), timeout};
  }
  std::size_t files() const {
    return static_cast<std::size_t>(
        std::distance(fs::directory_iterator(directory_), fs::directory_iterator()));
  }
  fs::path directory_;
};

// The exit code of `work` in a process of its own.
pid_t in_a_process(const std::function<int()>& work) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(work());
  return child;
}
int code_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST_F(LeaseTest, OneHolderAtATime) {
  Leases one = leases("one"), two = leases("two");
  auto held = one.take("landau@000120");
  ASSERT_TRUE(held);
  EXPECT_TRUE(held->taken_from.empty());
  EXPECT_FALSE(two.take("landau@000120"));
  EXPECT_TRUE(two.held("landau@000120"));
  EXPECT_EQ(two.look().at("landau@000120").worker, "one");
  EXPECT_TRUE(two.take("landau@000140"));
  held->release();
  EXPECT_TRUE(two.take("landau@000120"));
  EXPECT_EQ(files(), 0u);
}

// Names may end like numbers of leases.
TEST_F(LeaseTest, NamesWithDots) {
  Leases one = leases("one");
  const auto first = one.take("landau@r01.000120"), second = one.take("landau@r01.000121");
  ASSERT_TRUE(first && second);
  EXPECT_FALSE(one.take("landau@r01.000120"));
  EXPECT_EQ(one.look().size(), 2u);
}

TEST_F(LeaseTest, TwoAtTheSameInstant) {
  constexpr int rounds = 100, processes = 4;
  for (int round = 0; round < rounds; ++round) {
    // All wait for the end of a pipe, and holders for that of another, when all have tried.
    int gate[2] = {}, tried[2] = {}, release[2] = {};
    for (int* ends : {gate, tried, release}) ASSERT_EQ(::pipe(ends), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < processes; ++i)
      children.push_back(in_a_process([&] {
        Leases mine = leases("w" + std::to_string(i));
        for (const int end : {gate[1], tried[0], release[1]}) ::close(end);
        char unused = 0;
        if (::read(gate[0], &unused, 1) != 0) return 2;
        const auto lease = mine.take("item@" + std::to_string(round));
        if (::write(tried[1], "x", 1) != 1 || ::read(release[0], &unused, 1) != 0) return 2;
        if (!lease) return 0;
        return lease->held() ? 1 : 3;
      }));
    for (const int end : {gate[0], gate[1], tried[1], release[0]}) ::close(end);
    for (int i = 0; i < processes; ++i) {
      char one = 0;
      ASSERT_EQ(::read(tried[0], &one, 1), 1);
    }
    for (const int end : {tried[0], release[1]}) ::close(end);
    int holders = 0;
    for (const pid_t child : children) {
      const int code = code_of(child);
      ASSERT_LE(code, 1);
      holders += code;
    }
    ASSERT_EQ(holders, 1) << "round " << round;
  }
}

TEST_F(LeaseTest, AProcessThatDied) {
  ASSERT_EQ(code_of(in_a_process([&]() -> int {
              Leases theirs = leases("dead");
              const auto lease = theirs.take("item@1");
              std::_Exit(lease ? 7 : 0);  // it is not released
            })),
            7);
  ASSERT_EQ(files(), 1u);
  // At once: the process is known to be dead.
  Leases mine = leases("alive", 1e6);
  const auto lease = mine.take("item@1");
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->taken_from, "dead");
  EXPECT_EQ(files(), 1u);
  EXPECT_FALSE(leases("other", 1e6).take("item@1"));
}

// If several see it dead at the same instant, one gets it.
TEST_F(LeaseTest, ManyWantWhatADeadOneHad) {
  for (int round = 0; round < 25; ++round) {
    code_of(in_a_process([&]() -> int {
      Leases theirs = leases("dead");
      const auto lease = theirs.take("item@1");
      std::_Exit(0);
    }));
    // All begin together, and who has the item keeps it until all have tried.
    int gate[2] = {}, tried[2] = {}, leave[2] = {};
    for (int* ends : {gate, tried, leave}) ASSERT_EQ(::pipe(ends), 0);
    std::vector<pid_t> children;
    for (int i = 0; i < 4; ++i)
      children.push_back(in_a_process([&] {
        Leases mine = leases("w" + std::to_string(i), 1e6);
        ::close(gate[1]);
        ::close(leave[1]);
        char unused = 0;
        if (::read(gate[0], &unused, 1) != 0) return 2;
        const auto lease = mine.take("item@1");
        if (::write(tried[1], "t", 1) != 1 || ::read(leave[0], &unused, 1) != 0) return 2;
        return lease ? lease->held() ? 1 : 3 : 0;
      }));
    for (const int end : {gate[0], gate[1], tried[1], leave[0]}) ::close(end);
    char unused = 0;
    for (std::size_t i = 0; i < children.size(); ++i) ASSERT_EQ(::read(tried[0], &unused, 1), 1);
    for (const int end : {tried[0], leave[1]}) ::close(end);
    int holders = 0;
    for (const pid_t child : children) {
      const int code = code_of(child);
      ASSERT_LE(code, 1);
      holders += code;
    }
    ASSERT_LE(holders, 1);
    // Nobody may have got it, each seeing another come; then the next who asks does.
    ASSERT_TRUE(leases("last", 1e6).take("item@1")) << "round " << round;
    fs::remove_all(directory_);
    fs::create_directory(directory_);
  }
}

TEST_F(LeaseTest, AHolderThatSleeps) {
  constexpr double timeout = 0.2;
  // Its process lives; that of another host cannot be asked.
  Leases sleeping = leases("sleeping"), waiting = leases("waiting", timeout);
  auto lost = sleeping.take("item@1");
  ASSERT_TRUE(lost && lost->beat());
  EXPECT_FALSE(waiting.take("item@1"));
  for (int i = 0; i < 4; ++i) {  // signs of life keep it
    std::this_thread::sleep_for(std::chrono::milliseconds(120));
    ASSERT_TRUE(lost->beat());
    EXPECT_FALSE(waiting.take("item@1"));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(300));
  // One who looks for the first time has not watched it.
  EXPECT_FALSE(leases("new", timeout).take("item@1"));
  const auto taken = waiting.take("item@1");
  ASSERT_TRUE(taken);
  EXPECT_EQ(taken->taken_from, "sleeping");
  EXPECT_FALSE(lost->held());
  EXPECT_FALSE(lost->beat());
  lost->release();  // does no harm
  EXPECT_TRUE(taken->held());
  EXPECT_TRUE(taken->beat());
}

// File of a process that died while it made it.
TEST_F(LeaseTest, AnEmptyFile) {
  std::ofstream(directory_ / "item@1.0").flush();
  Leases mine = leases("mine", 0.1);
  EXPECT_FALSE(mine.take("item@1"));
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  const auto lease = mine.take("item@1");
  ASSERT_TRUE(lease);
  EXPECT_EQ(lease->taken_from, "?");
}

// A file of anybody else is no lease of a living process. It goes stale without a wait.
TEST_F(LeaseTest, FilesThatAreNoLeases) {
  const auto write = [&](const char* name, const std::string& text) {
    std::ofstream(directory_ / name) << text;
  };
  write("typed@1.0", R"({"worker": 7, "node": ["n"], "process": "12"})");
  write("huge@1.0", R"({"worker": "w", "process": 18446744073709551615})");
  write("list@1.0", "[1, 2]");
  write("long@1.0", std::string(1 << 20, 'x'));
  ASSERT_EQ(::mkfifo((directory_ / "pipe@1.0").c_str(), 0600), 0);
  fs::create_symlink("/dev/zero", directory_ / "link@1.0");
  write("number@1.99999999999999999999999", "{}");
  const auto names = {"typed@1", "huge@1", "list@1", "long@1", "pipe@1", "link@1"};
  Leases mine = leases("mine", 0.1);
  for (const char* name : names) EXPECT_FALSE(mine.take(name)) << name;
  for (const auto& [name, holder] : mine.look()) EXPECT_EQ(holder.process, 0) << name;
  EXPECT_TRUE(mine.take("number@1"));
  std::this_thread::sleep_for(std::chrono::milliseconds(150));
  for (const char* name : names) EXPECT_TRUE(mine.take(name)) << name;
}

}  // namespace
}  // namespace plaq::jobs
