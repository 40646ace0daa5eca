// main of the tests that run on MPI ranks: rank 0 reports as usual, the others report failures only, and
// every rank exits with an error when a test failed on any of them.
#include <gtest/gtest.h>
#include <mpi.h>

#include <iostream>
#include <sstream>
#include <string>

#include "comms/placement/launch_site.hpp"
#include "comms/watchdog/watchdog.hpp"
#include "core/system/log.hpp"
#include "jobs/common/failure.hpp"
#include "jobs/program/single_process.hpp"

namespace {

class FailuresOnly : public testing::EmptyTestEventListener {
 public:
  explicit FailuresOnly(int rank) : rank_(rank) {}

 private:
  void OnTestStart(const testing::TestInfo& test) override {
    test_ = std::string(test.test_suite_name()) + '.' + test.name() + ": ";
  }
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

}  // namespace

int main(int argc, char** argv) {
  const plaq::jobs::SingleProcess alone;  // tests run side by side
  int provided = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);

  testing::InitGoogleTest(&argc, argv);
  plaq::log::set_rank(rank, 2);                         // warnings once
  plaq::choose_launch_site(MPI_COMM_WORLD, "auto", 0);  // a GPU for each rank, as far as there are any
  if (rank != 0) {
    auto& listeners = testing::UnitTest::GetInstance()->listeners();
    delete listeners.Release(listeners.default_result_printer());
    listeners.Append(new FailuresOnly(rank));
  }

  // Ranks that wait for one that failed say for what, before the test's time is over.
  const plaq::Watchdog watchdog(200, plaq::jobs::end_all_ranks);
  int failed = RUN_ALL_TESTS(), failed_anywhere = 1;
  MPI_Allreduce(&failed, &failed_anywhere, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (rank == 0 && failed == 0 && failed_anywhere != 0) std::cerr << "failed on another rank\n";
  MPI_Finalize();
  return failed_anywhere;
}
