// Plans of studies of whole solves against the studies themselves.
#include "tests/jobs/plan/planned.hpp"

namespace plaq::jobs::test {
namespace {

class PlannedSolves : public Planned {
 protected:
  std::string study_job() const {
    return write("study.toml", "job = \"study\"\n[gauge]\nfiles = [\"" + at("field.000001.nersc") +
                                   "\"]\n[action]\nkappas = [0.08, 0.1]\n[study]\ntargets = []\nmemory_limit "
                                   "= false\ntolerance = 1e-5\n"
                                   "solvers = [\"cg, double 18\"]\n[output]\noverwrite = true\nfile = \"" +
                                   at("study.h5") + "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  }
};

constexpr const char* several =
    "study.solvers=[\"bicgstab, double 18\", \"bicgstab, half 12 in double 18, reliable updates 0.1\", "
    "\"gcr(4), single 8 in double 12, defect correction 1e-3\", \"mr, single 18\"]";
const std::string clover = "action.type=clover", c_sw = "action.c_sw=1";

TEST_F(PlannedSolves, MemoryIsThatOfTheStudy) {
  for (const char* extents : {"[4, 4, 8, 8]", "[8, 8, 8, 16]"}) {
    SCOPED_TRACE(extents);
    if (ranks_ > 1 && std::string(extents) != "[4, 4, 8, 8]")
      continue;  // what volume takes is seen on one rank
    ASSERT_EQ(run_job({generate_job(extents), {}}), 0);
    const std::string job = study_job();
    const std::vector<JobFile::Overrides> kinds = {
        {},
        {"study.right_hand_sides=[4]"},
        {several, "study.right_hand_sides=[2]"},
        {several, "study.sources=4", "study.right_hand_sides=[2]", "study.samples=2"},
        {several, clover, c_sw},
        {several, clover, c_sw, "study.preconditioning=even-odd-asymmetric", force_all},
        {several, "study.preconditioning=none", "study.right_hand_sides=[3]"},
        {several, "gauge.files=" + at("field.*.nersc"), clover, c_sw, force_all},
    };
    expect_each_as_planned(job, kinds);
  }
}

// Staggered and domain-wall quarks: vectors, faces and links of their own.
TEST_F(PlannedSolves, MemoryIsThatOfEveryAction) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 16]"), {}}), 0);
  const std::string job = study_job(),
                    solvers =
                        "study.solvers=[\"cg, double 18\", \"cg, half 12 in double 18, reliable updates "
                        "0.1\", \"cg, single 8 in "
                        "double 12, defect correction 1e-3\"]",
                    none = "study.preconditioning=none";
  const auto action = [](const char* type) {
    return JobFile::Overrides{std::string("action.type=") + type, "action.kappas=", "action.masses=[0.3]"};
  };
  const auto with = [](JobFile::Overrides all, const JobFile::Overrides& more) {
    all.insert(all.end(), more.begin(), more.end());
    return all;
  };
  const auto wall = with(action("domain_wall"), {"action.n_s=4", "study.tolerance=1e-3"});
  const std::vector<JobFile::Overrides> kinds = {
      with(action("staggered"), {solvers, "study.right_hand_sides=[3]"}),
      with(action("staggered"), {solvers, none}),
      with(action("asqtad"), {solvers, force_all}),
      with(action("asqtad"), {"action.u0=0.9", none}),
      with(wall, {solvers}),
      with(wall, {solvers, "study.right_hand_sides=[2]", force_all}),
      with(wall, {none}),
      with(wall, {"action.variant=optimal"}),
  };
  expect_each_as_planned(job, kinds);
}

// Each solver alone: the most of all is no average.
TEST_F(PlannedSolves, MemoryIsThatOfTheLargestSolver) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  const std::string job = study_job();
  const auto alone = [&](const char* solver) {
    return planned_bytes({job, {std::string("study.solvers=[\"") + solver + "\"]"}});
  };
  const std::size_t largest =
      std::max({alone("bicgstab, double 18"), alone("bicgstab, half 12 in double 18, reliable updates 0.1"),
                alone("gcr(4), single 8 in double 12, defect correction 1e-3"), alone("mr, single 18")});
  EXPECT_EQ(planned_bytes({job, {several}}), largest);
  EXPECT_LT(alone("mr, single 18"), largest);
}

TEST_F(PlannedSolves, FilesAreThoseOfTheStudy) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  const std::string job = study_job();
  expect_files({job, {}});
  expect_files({job, {several, "study.sources=24", "study.right_hand_sides=[2]", "study.max_iterations=3"}});
  expect_files({job, {several, "gauge.files=" + at("field.*.nersc"), "action.kappas=[0.06, 0.07, 0.08]"}});
}

TEST_F(PlannedSolves, WhatIsThereDecidesWhatARunWouldDo) {
  using Kind = Outlook::Kind;
  const std::string job = study_job(), careful = "output.overwrite=false";
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {}}), 0);
  EXPECT_EQ(outlook_of({job, {careful}}).kind, Kind::begins);
  expect_holds(text_, "2 of 2 tasks can be measured");
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_EQ(run_job({job, {}}), 0);
  EXPECT_EQ(outlook_of({job, {careful}}).kind, Kind::complete);
  EXPECT_EQ(outlook_of({job, {careful, "study.seed=2"}}).kind, Kind::stops);
}

}  // namespace
}  // namespace plaq::jobs::test
