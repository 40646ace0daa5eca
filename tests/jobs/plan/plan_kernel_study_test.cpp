// Plans of kernel studies against the studies themselves.
#include "tests/jobs/plan/planned.hpp"

namespace plaq::jobs::test {
namespace {

class PlannedKernelStudy : public Planned {
 protected:
  std::string job(const std::string& extents) const {
    return write("kernels.toml", "job = \"kernel_study\"\n[lattice]\nextents = " + extents +
                                     "\n[action]\nmass = 0.5\n[rates]\ntemporal_extents = [8]\nsamples = 1\n"
                                     "bandwidth = false\n[solvers]\niterations = 2\n[output]\n"
                                     "overwrite = true\nfile = \"" +
                                     at("kernels.h5") + "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  }
};

TEST_F(PlannedKernelStudy, MemoryIsThatOfTheJob) {
  const std::string study = job("[4, 4, 8, 8]"), no_rates = "rates.temporal_extents=[]",
                    no_solvers = "solvers.methods=[]", no_accuracy = "accuracy.storages=[]",
                    clover = "action.type=clover", c_sw = "action.c_sw=1", hop = "rates.operators=[\"hop\"]",
                    one = "rates.right_hand_sides=[1]", asymmetric = "rates.operators=[\"schur_asymmetric\"]",
                    half = "rates.storages=[\"half 8\"]", three = "rates.right_hand_sides=[3]";
  const std::vector<JobFile::Overrides> kinds = {
      {},
      {force_all},
      {force_all, "comms.halo_checksums=true"},
      {no_solvers, no_accuracy, hop, one},
      {no_solvers, no_accuracy, hop, three, half, force_all},
      {no_solvers, no_accuracy, asymmetric},
      {no_solvers, no_accuracy, asymmetric, clover, c_sw, one},
      {no_solvers, no_accuracy, "rates.operators=[\"schur\"]", clover, c_sw, half, three},
      {no_rates, no_accuracy},
      {no_rates, no_accuracy, "solvers.methods=bicgstab", "solvers.storages=half 12"},
      {no_rates, no_accuracy, clover, c_sw, force_all},
      {no_rates, no_accuracy, clover, c_sw, "solvers.storages=half 8", "solvers.methods=cg"},
      {no_rates, no_solvers},
      {no_rates, no_solvers, "accuracy.storages=half 8", "accuracy.temporal_extent=16", force_all},
  };
  for (const auto& overrides : kinds) {
    std::string trace;
    for (const auto& setting : overrides) trace += setting + ' ';
    SCOPED_TRACE(trace);
    // More ranks than one add faces, and nothing else.
    if (ranks_ > 1 && !overrides.empty() && trace.find(force_all) == std::string::npos) continue;
    expect_as_planned({study, overrides});
  }
  if (ranks_ > 1) return;
  expect_as_planned({job("[8, 8, 8, 8]"), {"rates.temporal_extents=[8, 16]"}});
  // Copy and triad take the most, whatever the lattice.
  expect_as_planned({study, {no_solvers, no_accuracy, hop, one, half, "rates.bandwidth=true"}});
}

// The comparison can fail: a vector more is seen.
TEST_F(PlannedKernelStudy, AnotherNumberOfRightHandSidesIsSeen) {
  const std::string study = job("[4, 4, 8, 8]"), alone = "solvers.methods=[]", hop = "rates.operators=hop";
  EXPECT_FALSE(near(planned_bytes({study, {alone, hop, "rates.right_hand_sides=[12]"}}),
                    used_bytes({study, {alone, hop, "rates.right_hand_sides=[11]"}})));
}

// Rank 0 alone writes them, and nothing in them depends on the number of ranks.
TEST_F(PlannedKernelStudy, FilesAreThoseOfTheJob) {
  if (ranks_ > 1) GTEST_SKIP() << "one rank is enough";
  const std::string study = job("[4, 4, 8, 8]");
  expect_files({study, {}});
  expect_files({study, {"rates.temporal_extents=[]", "accuracy.storages=[]"}});
  expect_files({study, {"solvers.methods=[]", "rates.temporal_extents=[]", "rates.bandwidth=true"}});
  expect_files({study, {"accuracy.storages=[]", "rates.temporal_extents=[2, 4, 6, 8]"}});
  expect_files({study, {"solvers.methods=[]", "accuracy.storages=half 8", "rates.storages=half 8"}});
}

TEST_F(PlannedKernelStudy, WhatIsThereDecidesWhatARunWouldDo) {
  using Kind = Outlook::Kind;
  const std::string study = job("[4, 4, 8, 8]"), careful = "output.overwrite=false",
                    one = "rates.storages=half 8";
  EXPECT_EQ(outlook_of({study, {careful, one}}).kind, Kind::begins);
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_EQ(run_job({study, {one}}), 0);
  EXPECT_EQ(outlook_of({study, {careful, one}}).kind, Kind::complete);
  expect_holds(text_, "plaq run would do nothing");
  EXPECT_EQ(outlook_of({study, {one}}).kind, Kind::begins);
  expect_holds(text_, "will be replaced");
  EXPECT_EQ(outlook_of({study, {careful, one, "rates.samples=2"}}).kind, Kind::stops);
  // Of another process grid, and so of other times.
  EXPECT_EQ(outlook_of({study, {careful, one, force_all}}).kind, Kind::stops);
}

TEST_F(PlannedKernelStudy, ErrorsAreThoseOfTheJob) {
  const RunOptions options{job("[4, 4, 8, 8]"), {"comms.process_grid=[2, 2, 2, 1]"}};
  const std::string planned = message_of(ErrorKind::job_file, [&] { planned_bytes(options); });
  EXPECT_EQ(planned, message_of(ErrorKind::job_file, [&] { run_job(options); }));
}

}  // namespace
}  // namespace plaq::jobs::test
