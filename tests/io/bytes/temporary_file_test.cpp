// Files that appear whole: leftovers of killed programs, two writers of one name.
#include "io/bytes/temporary_file.hpp"

#include <signal.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <set>

#include "tests/support/files.hpp"

namespace {
bool can_reserve = true;
}

// In place of the C library's: a file system that cannot reserve, as NFS before 4.2.
extern "C" int fallocate(int descriptor, int mode, off_t offset, off_t bytes) {
  if (can_reserve) return static_cast<int>(::syscall(SYS_fallocate, descriptor, mode, offset, bytes));
  errno = EOPNOTSUPP;
  return -1;
}

namespace plaq::test {
namespace {

namespace fs = std::filesystem;

class TemporaryFiles : public testing::Test {
 protected:
  std::vector<std::string> names() const { return names_in(folder_.path()); }
  static void append(TemporaryFile& file, const std::string& text) {
    file.append(std::as_bytes(std::span(text)));
  }
  // A process that begins to write `path_` and waits; returns when it has begun.
  pid_t begin_writing() const {
    int ready[2];
    EXPECT_EQ(::pipe(ready), 0);
    const pid_t pid = ::fork();
    if (pid == 0) {
      TemporaryFile file(path_);
      append(file, "half");
      EXPECT_EQ(::write(ready[1], "x", 1), 1);
      for (;;) ::pause();
    }
    char byte = 0;
    EXPECT_EQ(::read(ready[0], &byte, 1), 1);
    ::close(ready[0]);
    ::close(ready[1]);
    return pid;
  }
  static void kill(pid_t pid) {
    ::kill(pid, SIGKILL);
    ::waitpid(pid, nullptr, 0);
  }
  const TemporaryFolder folder_;
  const std::string path_ = folder_ / "out";
};

TEST_F(TemporaryFiles, AppearWholeOrNotAtAll) {
  {
    TemporaryFile file(path_);
    append(file, "first ");
    append(file, "second");
    EXPECT_EQ(names().size(), 2u);  // the temporary and its lock
    EXPECT_FALSE(fs::exists(path_));
    file.publish();
    EXPECT_EQ(read_bytes(path_), "first second");
    EXPECT_EQ(names(), std::vector<std::string>{"out"});
    expect_error([&] { append(file, "more"); }, ErrorKind::internal, {"after its end"});
  }
  EXPECT_EQ(read_bytes(path_), "first second");
  {
    TemporaryFile file(path_);
    append(file, "given up");
  }
  EXPECT_EQ(read_bytes(path_), "first second");
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

TEST_F(TemporaryFiles, MustHaveTheReservedSize) {
  TemporaryFile file(path_, 10);
  append(file, "twelve bytes");
  expect_error([&] { file.publish(); }, ErrorKind::output_file, {path_, "10 bytes", "has 12"});
  EXPECT_TRUE(names().empty());
}

TEST_F(TemporaryFiles, HaveTheirSizeWhereNothingCanBeReserved) {
  for (const bool reserves : {true, false}) {
    can_reserve = reserves;
    TemporaryFile file(path_, 100000);
    EXPECT_EQ(fs::file_size(file.name()), 100000u);
    struct stat status {};
    EXPECT_EQ(::stat(file.name().c_str(), &status), 0);
    EXPECT_EQ(status.st_blocks > 0, reserves);
    file.resize(200000);
    EXPECT_EQ(fs::file_size(file.name()), 200000u);
    file.publish();
  }
  expect_error([&] { TemporaryFile(path_, std::uint64_t{1} << 60); }, ErrorKind::output_file,
               {"cannot write " + path_, std::to_string(std::uint64_t{1} << 60)});
  can_reserve = true;
}

TEST_F(TemporaryFiles, LeftoversOfKilledProgramsGo) {
  for (int i = 0; i < 3; ++i) {
    kill(begin_writing());
    EXPECT_EQ(names().size(), 2u) << "the lock and one leftover";
  }
  std::ofstream(folder_ / ".other.12.part") << "of another file";
  std::ofstream(folder_ / ".out.12.part.locktest.0") << "of an MPI library";
  std::ofstream(folder_ / ".out.12x.part") << "not of plaq";
  write_atomically(path_, "whole", false);
  EXPECT_EQ(names(), (std::vector<std::string>{".other.12.part", ".out.12x.part", "out"}));
}

// In a directory that others may write to, a link under the name of a file to
// come would send its bytes elsewhere.
TEST_F(TemporaryFiles, HaveNamesThatNobodyCanGuess) {
  std::set<std::string> temporaries;
  for (int i = 0; i < 10; ++i) {
    TemporaryFile file(path_);
    temporaries.insert(file.name());
    EXPECT_EQ(file.name().find(std::to_string(::getpid()) + ".part"), std::string::npos);
  }
  EXPECT_EQ(temporaries.size(), 10u);
}

TEST_F(TemporaryFiles, NoLockFollowsALink) {
  const std::string victim = folder_ / "victim";
  fs::create_symlink(victim, folder_ / ".out.lock");
  expect_error([&] { write_atomically(path_, "whole", true); }, ErrorKind::output_file,
               {"cannot write " + path_});
  EXPECT_FALSE(fs::exists(victim));
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(TemporaryFiles, AWriterThatIsEndingIsWaitedFor) {
  const pid_t pid = begin_writing();
  ::setenv("PLAQ_LOCK_SECONDS", "30", 1);
  std::thread end([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    kill(pid);
  });
  EXPECT_NO_THROW(check_output(path_, true));
  ::setenv("PLAQ_LOCK_SECONDS", "0", 1);
  end.join();
  EXPECT_TRUE(names().empty());
}

TEST_F(TemporaryFiles, AWriterAtWorkIsNotDisturbed) {
  const pid_t pid = begin_writing();
  expect_error([&] { check_output(path_, true); }, ErrorKind::output_file,
               {path_, "another process is writing it"});
  EXPECT_EQ(names().size(), 2u);
  kill(pid);
  check_output(path_, true);
  EXPECT_TRUE(names().empty());
}

TEST_F(TemporaryFiles, OfManyThreadsOfWritersOneWins) {
  constexpr int writers = 8;
  std::vector<pid_t> pids;
  for (int i = 0; i < writers; ++i) {
    const pid_t pid = ::fork();
    if (pid == 0) {
      for (int k = 0; k < 50; ++k) error_of([&] { write_atomically(path_, std::string(1000, 'a'), true); });
      ::_exit(0);
    }
    pids.push_back(pid);
  }
  for (const pid_t pid : pids) ::waitpid(pid, nullptr, 0);
  EXPECT_EQ(read_bytes(path_), std::string(1000, 'a'));
  EXPECT_EQ(names(), std::vector<std::string>{"out"});
}

}  // namespace
}  // namespace plaq::test
