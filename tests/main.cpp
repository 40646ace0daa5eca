// main of all tests.
//
//   tests/test_comms --gtest_filter=Halo.*                 what the filter names, on one rank
//   mpirun -np 4 tests/test_comms --gtest_filter=Halo.*    and on four
//   mpirun -np 4 tests/test_comms --run=np4                all files that run on four ranks, as CTest does
//   tests/test_comms --run=plain                           all files that run on no ranks: MPI is not started
//   tests/test_comms --file=comms/watchdog/device_waits    one file; --mpi: on ranks; --seconds=900: a longer
//                                                          limit a case
//
// Rank 0 reports as usual, the others report failures only, and every rank exits with an error when a test
// failed on any of them. A case that takes too long ends them all.
#include <gtest/gtest.h>
#include <mpi.h>

#include <chrono>
#include <condition_variable>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <mutex>
#include <optional>
#include <sstream>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "comms/communicator/mpi_session.hpp"
#include "comms/placement/launch_site.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/system/log.hpp"
#include "tests/support/single_process.hpp"
#include "tests/test_files.hpp"

namespace plaq::test {
namespace {

std::string name_of(const testing::TestInfo& test) {
  return std::string(test.test_suite_name()) + '.' + test.name();
}

class FailuresOnly : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOnly(int rank) : rank_(rank) {}

 private:
  void OnTestStart(const testing::TestInfo& test) override { test_ = name_of(test) + ": "; }
  void OnTestEnd(const testing::TestInfo&) override { test_.clear(); }

  void OnTestPartResult(const testing::TestPartResult& result) override {
    if (!result.failed()) return;
    std::ostringstream line;  // written in one piece: the ranks share the terminal
    line << "rank " << rank_ << ": " << test_ << (result.file_name() ? result.file_name() : "?") << ':'
         << result.line_number() << ": " << result.message() << '\n';
    std::cerr << line.str() << std::flush;
  }

  int rank_;
  std::string test_;
};

// The usual report without the filter, which names hundreds of tests, and with how to run alone what failed.
class Report : public testing::TestEventListener {
 public:
  Report(testing::TestEventListener* usual, std::string command)
      : usual_(usual), command_(std::move(command)) {}

 private:
  using Program = testing::UnitTest;
  void OnTestProgramStart(const Program& program) override { usual_->OnTestProgramStart(program); }
  void OnTestIterationStart(const Program&, int) override {}
  void OnEnvironmentsSetUpStart(const Program& program) override {
    usual_->OnEnvironmentsSetUpStart(program);
  }
  void OnEnvironmentsSetUpEnd(const Program& program) override { usual_->OnEnvironmentsSetUpEnd(program); }
  void OnTestSuiteStart(const testing::TestSuite& suite) override { usual_->OnTestSuiteStart(suite); }
  void OnTestStart(const testing::TestInfo& test) override { usual_->OnTestStart(test); }
  void OnTestPartResult(const testing::TestPartResult& result) override { usual_->OnTestPartResult(result); }
  void OnTestEnd(const testing::TestInfo& test) override {
    usual_->OnTestEnd(test);
    if (test.result()->Failed())
      std::cout << "  alone: " << command_ << " '--gtest_filter=" << name_of(test) << "'" << std::endl;
  }
  void OnTestSuiteEnd(const testing::TestSuite& suite) override { usual_->OnTestSuiteEnd(suite); }
  void OnEnvironmentsTearDownStart(const Program& program) override {
    usual_->OnEnvironmentsTearDownStart(program);
  }
  void OnEnvironmentsTearDownEnd(const Program& program) override {
    usual_->OnEnvironmentsTearDownEnd(program);
  }
  void OnTestIterationEnd(const Program& program, int iteration) override {
    usual_->OnTestIterationEnd(program, iteration);
  }
  void OnTestProgramEnd(const Program& program) override { usual_->OnTestProgramEnd(program); }

  const std::unique_ptr<testing::TestEventListener> usual_;
  const std::string command_;
};

// Ends the program when a case has run for too long, and says which.
class CaseLimit : public testing::EmptyTestEventListener {
 public:
  CaseLimit(double seconds, void (*end)()) : seconds_(seconds), end_(end), thread_([this] { watch(); }) {}
  ~CaseLimit() override {
    {
      const std::lock_guard lock(mutex_);
      over_ = true;
    }
    changed_.notify_one();
    thread_.join();
  }

 private:
  using Clock = std::chrono::steady_clock;
  void OnTestStart(const testing::TestInfo& test) override { set(name_of(test)); }
  void OnTestEnd(const testing::TestInfo&) override { set({}); }
  void set(std::string test) {
    const std::lock_guard lock(mutex_);
    test_ = std::move(test);
    since_ = Clock::now();
  }
  void watch() {
    std::unique_lock lock(mutex_);
    while (!over_) {
      changed_.wait_for(lock, std::chrono::seconds(1));
      if (test_.empty() || std::chrono::duration<double>(Clock::now() - since_).count() < seconds_) continue;
      std::ostringstream line;
      line << test_ << " has run for " << seconds_ << " s: it hangs or is too slow; the rest is not run\n";
      std::cerr << line.str() << std::flush;
      end_();
      return;
    }
  }

  const double seconds_;
  void (*const end_)();
  std::mutex mutex_;
  std::condition_variable changed_;
  bool over_ = false;
  std::string test_;
  Clock::time_point since_;
  std::thread thread_;
};

const TestFile& file_of(const testing::TestInfo& test) {
  const std::string_view path = test.file();
  for (const TestFile& file : test_files)
    if (path.ends_with('/' + file.name + "_test.cpp")) return file;
  std::cerr << name_of(test) << " is in " << path << ", which is no *_test.cpp of this executable\n";
  std::exit(2);
}

// Leaves out, by the filter, all tests of files that `wanted` does not want.
template <class Wanted>
void select(Wanted&& wanted) {
  std::string others;
  int selected = 0;
  const auto& program = *testing::UnitTest::GetInstance();
  for (int s = 0; s < program.total_test_suite_count(); ++s) {
    const auto& suite = *program.GetTestSuite(s);
    int left_out = 0;
    std::string names;
    for (int t = 0; t < suite.total_test_count(); ++t) {
      const auto& test = *suite.GetTestInfo(t);
      if (wanted(file_of(test))) continue;
      ++left_out;
      names += ':' + name_of(test);
    }
    others += left_out == suite.total_test_count() ? std::string(":") + suite.name() + ".*" : names;
    selected += suite.total_test_count() - left_out;
  }
  if (selected == 0) {
    std::cerr << "no test is selected\n";
    std::exit(2);
  }
  if (others.empty()) return;
  const std::string filter = GTEST_FLAG_GET(filter);
  GTEST_FLAG_SET(filter, filter + (filter.find('-') == std::string::npos ? "-" : ":") + others.substr(1));
}

void end_this_process() { std::_Exit(1); }

struct Arguments {
  std::optional<std::string> run, file;
  bool mpi = false;
  double seconds = 300;
};

Arguments read(int argc, char** argv) {
  Arguments read;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.starts_with("--run=")) {
      read.run = word.substr(6);
    } else if (word.starts_with("--file=")) {
      read.file = word.substr(7);
    } else if (word.starts_with("--seconds=")) {
      read.seconds = std::stod(word.substr(10));
    } else if (word == "--mpi") {
      read.mpi = true;
    } else {
      std::cerr << "what is " << word << "? tests/main.cpp says how tests are run\n";
      std::exit(2);
    }
  }
  return read;
}

int run(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  const Arguments arguments = read(argc, argv);
  const bool listed = GTEST_FLAG_GET(list_tests);
  const bool filtered = GTEST_FLAG_GET(filter) != "*";
  if (!arguments.run && !arguments.file && !filtered && !listed) {
    std::cerr << "which tests? --gtest_filter=, --run= or --file=: tests/main.cpp\n";
    return 2;
  }
  if (arguments.run)
    select([&](const TestFile& file) {
      return (' ' + file.runs + ' ').find(' ' + *arguments.run + ' ') != std::string::npos;
    });
  if (arguments.file) select([&](const TestFile& file) { return file.name == *arguments.file; });
  if (listed) return RUN_ALL_TESTS();

  auto& listeners = testing::UnitTest::GetInstance()->listeners();
  const auto report = [&](int ranks) {
    std::string command = std::string(argv[0]) + (arguments.mpi || ranks > 1 ? " --mpi" : "");
    if (ranks > 1) command = "mpirun -np " + std::to_string(ranks) + ' ' + command;
    listeners.Append(new Report(listeners.Release(listeners.default_result_printer()), command));
  };
  // A case that is named alone may belong to ranks.
  const bool mpi = arguments.mpi || has_launcher() || (!arguments.run && !arguments.file) ||
                   (arguments.run && arguments.run->starts_with("np"));
  if (!mpi) {
    report(0);
    listeners.Append(new CaseLimit(arguments.seconds, end_this_process));
    return RUN_ALL_TESTS();
  }

  const SingleProcess alone;  // tests run side by side
  int provided = 0, rank = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  log::set_rank(rank, 2);                         // warnings once
  choose_launch_site(MPI_COMM_WORLD, "auto", 0);  // a GPU for each rank, as far as there are any
  if (rank == 0) {
    report(size);
  } else {
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly(rank));
  }
  listeners.Append(new CaseLimit(arguments.seconds, end_all_ranks));

  // Ranks that wait for one that failed say for what, before the case's time is over.
  const Watchdog watchdog(200, end_all_ranks);
  int failed = RUN_ALL_TESTS(), failed_anywhere = 1;
  MPI_Allreduce(&failed, &failed_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && failed == 0 && failed_anywhere != 0) std::cerr << "failed on another rank\n";
  MPI_Finalize();
  return failed_anywhere;
}

}  // namespace
}  // namespace plaq::test

int main(int argc, char** argv) { return plaq::test::run(argc, argv); }
