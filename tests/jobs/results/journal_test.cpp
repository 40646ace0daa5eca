// Journals: what is cut off, damaged or in use.
#include "jobs/results/journal.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "jobs/schema/job_file.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

namespace fs = std::filesystem;

const std::vector<JournalRecord> records = {{0, "0.1.0", "job = \"measure\"\n"},
                                            {1, "a.nersc", std::string("\0\1\2", 3)},
                                            {7, "", ""},
                                            {1, "b", "last"}};

class Journals : public testing::Test {
 protected:
  void SetUp() override {
    directory_ =
        fs::path(testing::TempDir()) /
        (std::string("plaq_journal_") + testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(directory_);
    fs::create_directories(directory_);
    path_ = (directory_ / "out.journal").string();
  }
  void TearDown() override { fs::remove_all(directory_); }
  std::string bytes() const {
    std::ifstream stream(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  void put(const std::string& bytes) const { std::ofstream(path_, std::ios::binary) << bytes; }
  // Where each of the sample's records ends; first: the head.
  std::vector<std::size_t> write_sample() const {
    std::vector<std::size_t> ends;
    Journal journal(path_);
    for (const auto& record : records) {
      journal.append(record);
      ends.push_back(bytes().size());
    }
    return ends;
  }
  fs::path directory_;
  std::string path_;
};

TEST_F(Journals, ComeBack) {
  write_sample();
  {
    Journal journal(path_);
    EXPECT_EQ(journal.records(), records);
    journal.truncate(2);
    EXPECT_EQ(journal.records().size(), 2u);
    journal.append({3, "new", "x"});
  }
  {
    Journal journal(path_);
    EXPECT_EQ(journal.records(), (std::vector<JournalRecord>{records[0], records[1], {3, "new", "x"}}));
    journal.remove();
  }
  EXPECT_TRUE(fs::is_empty(directory_));
}

TEST_F(Journals, WithoutRecordsLeaveNoFile) {
  {
    Journal journal(path_);
    EXPECT_TRUE(journal.records().empty());
  }
  EXPECT_FALSE(fs::exists(path_));
  write_sample();
  { Journal(path_).truncate(0); }
  EXPECT_FALSE(fs::exists(path_));
}

TEST_F(Journals, CutOffAnywhere) {
  const auto ends = write_sample();
  const std::string whole = bytes();
  for (std::size_t length = 0; length < whole.size(); ++length) {
    put(whole.substr(0, length));
    const auto kept = static_cast<std::size_t>(
        std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= length; }));
    testing::internal::CaptureStderr();
    Journal journal(path_);
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "") << length;  // a killed run is nothing to warn of
    ASSERT_EQ(journal.records().size(), kept) << length;
    for (std::size_t i = kept; i < records.size(); ++i) journal.append(records[i]);
    EXPECT_TRUE(bytes() == whole) << length;
  }
}

TEST_F(Journals, DamagedAnywhere) {
  const auto ends = write_sample();
  const std::string whole = bytes();
  for (std::size_t at = 0; at < whole.size(); ++at)
    for (int bit = 0; bit < 8; ++bit) {
      std::string damaged = whole;
      damaged[at] = static_cast<char>(damaged[at] ^ (1 << bit));
      put(damaged);
      if (at < 12) {  // the head
        expect_holds(message_of(ErrorKind::output_file, [&] { Journal journal(path_); }), "is not a journal");
        continue;
      }
      const auto kept = static_cast<std::size_t>(
          std::count_if(ends.begin(), ends.end(), [&](std::size_t end) { return end <= at; }));
      testing::internal::CaptureStderr();
      {
        Journal journal(path_);
        ASSERT_EQ(journal.records(), std::vector(records.begin(), records.begin() + static_cast<int>(kept)))
            << at << " " << bit;
      }
      expect_holds(testing::internal::GetCapturedStderr(), "out.journal: damaged at byte");
    }
}

TEST_F(Journals, OneRunAtATime) {
  Journal journal(path_);
  const pid_t pid = ::fork();
  if (pid == 0) {
    try {
      Journal second(path_);
    } catch (const Error& error) {
      ::_exit(std::string(error.what()).find("another run of this job is using it") != std::string::npos ? 5
                                                                                                         : 1);
    }
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  EXPECT_EQ(WEXITSTATUS(status), 5);
  EXPECT_TRUE(fs::exists(path_));
}

TEST_F(Journals, FullDiskLeavesWhatWasThere) {
  write_sample();
  const std::string before = bytes();
  rlimit limit{};
  getrlimit(RLIMIT_FSIZE, &limit);
  const auto handler = std::signal(SIGXFSZ, SIG_IGN);
  {
    Journal journal(path_);
    rlimit small = limit;
    small.rlim_cur = before.size() + 40;
    setrlimit(RLIMIT_FSIZE, &small);
    const auto message = message_of(ErrorKind::output_file, [&] {
      journal.append({1, "key", std::string(1000, 'x')});
    });
    setrlimit(RLIMIT_FSIZE, &limit);
    expect_holds(message, "out.journal: writing: File too large");
    EXPECT_TRUE(bytes() == before);
    EXPECT_EQ(journal.records(), records);
    journal.append({1, "key", "after room was made"});
  }
  std::signal(SIGXFSZ, handler);
  EXPECT_EQ(Journal(path_).records().size(), records.size() + 1);
}

TEST_F(Journals, PlacesThatCannotBeWritten) {
  for (const char* place : {"/nowhere/out.journal", "/proc/out.journal", "/dev/null"})
    expect_holds(message_of(ErrorKind::output_file, [&] { Journal journal(place); }), place);
  expect_holds(message_of(ErrorKind::output_file, [&] { Journal journal(directory_.string()); }),
               "not a regular file");
}

// Neither a pipe that nobody writes to is waited for, nor a sparse file of any size read.
TEST_F(Journals, FilesThatHaveNoEnd) {
  ASSERT_EQ(::mkfifo(path_.c_str(), 0600), 0);
  expect_holds(message_of(ErrorKind::output_file, [&] { look_into_journal(path_); }), "not a regular file");
  fs::remove(path_);
  fs::create_symlink("/dev/zero", path_);
  expect_holds(message_of(ErrorKind::output_file, [&] { look_into_journal(path_); }), "not a regular file");
  fs::remove(path_);
  put("");
  fs::resize_file(path_, std::uintmax_t{1} << 38);
  expect_holds(message_of(ErrorKind::output_file, [&] { look_into_journal(path_); }), "not a journal");
  fs::remove(path_);
  write_sample();
  fs::resize_file(path_, std::uintmax_t{1} << 38);
  EXPECT_EQ(look_into_journal(path_), records);
}

TEST(JobDifferences, NameKeysAndValues) {
  const std::string a = "job = \"x\"\n\n[gauge]\nbeta = 6.0\nfile = \"a = b\"\n\n[update]\nseed = 1\n";
  EXPECT_TRUE(compare_jobs(a, a).empty());
  const auto found = compare_jobs(a, "job = \"x\"\n\n[gauge]\nbeta = 5.0\n\n[update]\nseed = 1\nheat = 2\n");
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found[0].key, (KeyName{"gauge", "beta"}));
  EXPECT_EQ(found[0].first, "6.0");
  EXPECT_EQ(found[0].second, "5.0");
  EXPECT_EQ(found[1].first, "\"a = b\"");
  EXPECT_EQ(found[1].second, "");
  EXPECT_EQ(found[2].key, (KeyName{"update", "heat"}));
}

}  // namespace
}  // namespace plaq::jobs::test
