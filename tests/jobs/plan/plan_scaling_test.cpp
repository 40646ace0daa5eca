// Plans of scaling studies against the studies themselves.
#include "tests/jobs/plan/planned.hpp"

namespace plaq::jobs::test {
namespace {

class PlannedScaling : public Planned {
 protected:
  std::string job() const {
    return write("scaling.toml",
                 "job = \"scaling\"\n[scaling]\nstrong = [\"4x4x8x8\"]\nranks = [1, 2, 4]\n"
                 "operators = [\"hop\"]\nstorages = [\"double 18\", \"half 12\"]\niterations = 2\n"
                 "samples = 1\n[action]\nmass = 0.5\n[output]\noverwrite = true\nfile = \"" +
                     at("scaling.h5") + "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  }
  // What an earlier study left would not be measured again.
  void clear() const {
    MPI_Barrier(MPI_COMM_WORLD);
    if (rank_ == 0) std::filesystem::remove(at("scaling.h5.journal"));
    MPI_Barrier(MPI_COMM_WORLD);
  }
};

// Rank 0 takes part in every point, and the others in some.
TEST_F(PlannedScaling, MemoryIsThatOfTheJob) {
  const std::string study = job(), schur = "scaling.operators=[\"schur\"]", none = "scaling.operators=[]",
                    clover = "action.type=clover", c_sw = "action.c_sw=1",
                    fixing = "scaling.operators=[\"gauge_fixing\"]", half = "scaling.storages=[\"half 12\"]",
                    three = "scaling.right_hand_sides=[3]", weak = "scaling.weak=[\"4x4x4x4\"]",
                    no_strong = "scaling.strong=[]";
  const std::vector<JobFile::Overrides> kinds = {
      {},
      {weak, no_strong, force_all},
      {force_all, "comms.halo_checksums=true"},
      {"scaling.transports=[\"host\"]", force_all},
      {schur, three, half},
      {"scaling.operators=[\"schur_asymmetric\"]", clover, c_sw},
      {none, "scaling.methods=[\"cg\"]", clover, c_sw, half},
      {none, "scaling.methods=[\"bicgstab\"]", three, "scaling.storages=[\"double 18\"]"},
      {none, "scaling.methods=[\"gcr\"]", half, force_all},
      {none, "scaling.methods=[\"gcr_multigrid\"]", "multigrid.blocks=[\"2x2x2x2\"]",
       "multigrid.vectors=[4]"},
      {"action.type=staggered", "scaling.operators=[\"hop\", \"schur\"]", three},
      {"action.type=asqtad", "scaling.operators=[\"schur\"]", "scaling.ranks=[1, 2]", half},
      {"action.type=asqtad", none, "scaling.methods=[\"cg\"]", "scaling.ranks=[1]", force_all},
      {"action.type=domain_wall", "action.n_s=4", schur, force_all},
      {"action.type=domain_wall", "action.n_s=3", none, "scaling.methods=[\"cg\"]", half},
      {fixing, three, "scaling.storages=[\"mixed 12\"]", force_all},
      {fixing, "scaling.storages=[\"single 12\", \"double 12\"]"},
      {"scaling.operators=[\"gauge_fixing_su2\", \"hop\"]", "scaling.storages=[\"single 12\"]"},
  };
  for (const auto& overrides : kinds) {
    std::string trace;
    for (const auto& setting : overrides) trace += setting + ' ';
    SCOPED_TRACE(trace);
    const RunOptions options{study, overrides};
    clear();
    const std::size_t planned = planned_bytes(options), used = used_bytes(options);
    if (rank_ == 0) {
      EXPECT_TRUE(near(planned, used)) << "planned " << planned << ", used " << used;
    }
  }
  clear();
  EXPECT_FALSE(near(planned_bytes({study, {"scaling.right_hand_sides=[12]"}}),
                    used_bytes({study, {"scaling.right_hand_sides=[11]"}})));
}

TEST_F(PlannedScaling, FilesAreThoseOfTheJob) {
  const std::vector<JobFile::Overrides> kinds = {
      {},
      {"scaling.weak=[\"4x4x4x4\"]", "scaling.right_hand_sides=[1, 2]",
       "scaling.process_grids=[\"1x1x1x1\"]"}};
  for (const auto& overrides : kinds) {
    clear();
    RunOptions options{job(), overrides};
    for (const char* key : {"json", "table"})
      options.overrides.push_back(std::string("output.") + key + "=" + at(std::string("scaling.") + key));
    ASSERT_EQ(run_job(options), 0);
    const JobFile file = JobFile::read(options.job_file, options.overrides);
    Plan plan(file, ranks_, Location::host);
    ASSERT_EQ(plan.files().size(), 4u);
    for (const DryFile& planned : plan.files()) {
      EXPECT_NE(std::filesystem::exists(planned.name), planned.temporary) << planned.name;
      if (planned.temporary) continue;
      const auto size = static_cast<double>(std::filesystem::file_size(planned.name));
      EXPECT_NEAR(static_cast<double>(planned.bytes), size, 0.2 * size) << planned.name;
    }
  }
}

TEST_F(PlannedScaling, WhatIsThereDecidesWhatARunWouldDo) {
  using Kind = Outlook::Kind;
  const RunOptions options{job(), {"output.overwrite=false", "scaling.storages=[\"half 12\"]"}};
  EXPECT_EQ(outlook_of(options).kind, Kind::begins);
  MPI_Barrier(MPI_COMM_WORLD);
  ASSERT_EQ(run_job(options), 0);
  EXPECT_EQ(outlook_of(options).kind, ranks_ == 4 ? Kind::complete : Kind::goes_on);
  if (ranks_ < 4) expect_holds(text_, "of 3 points are done");
  RunOptions other = options;
  other.overrides.push_back("scaling.samples=2");
  EXPECT_EQ(outlook_of(other).kind, Kind::stops);
}

TEST_F(PlannedScaling, ErrorsAreThoseOfTheJob) {
  const RunOptions options{job(), {"scaling.ranks=[8]"}};
  const std::string planned = message_of(ErrorKind::job_file, [&] { planned_bytes(options); });
  EXPECT_EQ(planned, message_of(ErrorKind::job_file, [&] { run_job(options); }));
  // Also of ranks that are not here.
  const RunOptions narrow{job(), {"action.type=asqtad", "scaling.process_grids=[\"2x1x1x1\"]"}};
  const std::string slices = message_of(ErrorKind::job_file, [&] { planned_bytes(narrow); });
  expect_holds(slices, "at least 4 slices");
  EXPECT_EQ(slices, message_of(ErrorKind::job_file, [&] { run_job(narrow); }));
}

}  // namespace
}  // namespace plaq::jobs::test
