// Errors on all ranks: one message for each different text, and the same exit code everywhere.
#include "jobs/common/failure.hpp"

#include <gtest/gtest.h>
#include <mpi.h>

#include "core/system/log.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

class Failing : public testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
    MPI_Comm_size(MPI_COMM_WORLD, &size_);
    log::set_rank(rank_, size_);
  }
  // What this rank prints.
  std::string report(const Failure& failure, int& code) {
    FailureReporter reporter;
    testing::internal::CaptureStderr();
    code = reporter.report(failure);
    return testing::internal::GetCapturedStderr();
  }
  int rank_ = 0, size_ = 1;
};

TEST_F(Failing, TheSameErrorEverywhereIsPrintedOnce) {
  int code = 0;
  const std::string printed = report({3, "job.toml:1:1: wrong"}, code);
  EXPECT_EQ(code, 3);
  if (rank_ == 0) {
    expect_holds(printed, "job.toml:1:1: wrong");
    EXPECT_EQ(printed.find("[rank"), std::string::npos);
  } else {
    EXPECT_EQ(printed, "");
  }
}

TEST_F(Failing, DifferentErrorsAreAllPrinted) {
  int code = 0;
  const std::string mine = rank_ == 0 ? "a" : "b";  // ranks 1, 2, ... agree
  const std::string printed = report({rank_ == 0 ? 4 : 5, "problem " + mine}, code);
  EXPECT_EQ(code, 4);
  if (rank_ <= 1) {
    expect_holds(printed, "problem " + mine);
  } else {
    EXPECT_EQ(printed, "");
  }
}

}  // namespace
}  // namespace plaq::jobs::test
