// Plans of jobs with multigrid: they compute nothing, and their memory is that of the job.
#include <nlohmann/json.hpp>

#include "tests/jobs/plan/planned.hpp"

namespace plaq::jobs::test {
namespace {

class PlannedMultigrid : public Planned {
 protected:
  std::string multigrid_job() const {
    return write(
        "multigrid.toml",
        "job = \"propagator\"\n[gauge]\nfiles = [\"" + at("field.000001.nersc") +
            "\"]\n[action]\nkappa = 0.12\n[solver]\ntolerance = 1e-5\npreconditioner = \"multigrid\"\n"
            "[multigrid]\nvectors = [4]\n[output]\noverwrite = true\npropagator_directory = \"" +
            directory_ + "\"\nfile = \"" + at("pion.h5") + "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  }
  std::string study_job() const {
    return write(
        "study.toml",
        "job = \"study\"\n[gauge]\nfiles = [\"" + at("field.000001.nersc") +
            "\"]\n[action]\nkappas = [0.12]\n[study]\ntargets = []\nmemory_limit = false\ntolerance = 1e-5\n"
            "right_hand_sides = [2]\n"
            "solvers = [\"bicgstab, double 18\", \"gcr(8) with multigrid, single 12 in "
            "double 18, defect correction 1e-3\"]\n[multigrid]\nvectors = [4]\n"
            "[output]\noverwrite = true\nfile = \"" +
            at("study.h5") + "\"\n[run]\nlocation = \"host\"\nthreads = 1\n");
  }
  // Prediction for a lattice that is not there, on GPUs that are not there.
  static nlohmann::json prediction_of(const std::string& file, const JobFile::Overrides& overrides,
                                      const std::vector<std::string>& assumptions = {}) {
    PlanOptions options;
    options.run = {file, overrides};
    options.ranks = 1;
    options.gpu = "h200";
    options.assumptions = assumptions;
    options.json = true;
    return nlohmann::json::parse(text_of(options));
  }
};

constexpr const char* two_lattices = "multigrid.blocks=[\"2x2x2x2\"]";
constexpr const char* three_lattices = "multigrid.blocks=[\"2x2x2x2\", \"1x1x2x2\"]";

TEST_F(PlannedMultigrid, MemoryIsThatOfTheJob) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {"update.configurations=1"}}), 0);
  const std::string propagator = multigrid_job(), study = study_job();
  const std::vector<JobFile::Overrides> kinds = {
      {two_lattices},
      {three_lattices},
      {three_lattices, "multigrid.storage=single", "multigrid.smoothing_steps=3",
       "multigrid.local_smoother=true"},
      {two_lattices, "action.type=clover", "action.c_sw=1.5", "multigrid.rounds=0"},
      {two_lattices, "multigrid.precision=half"},
  };
  plaq::test::Turns turns(2);
  for (const std::string& job : {propagator, study})
    for (const auto& overrides : kinds) {
      if (!turns.mine()) continue;
      SCOPED_TRACE(job + testing::PrintToString(overrides));
      const RunOptions options{job, overrides};
      const std::size_t planned = planned_bytes(options), used = used_bytes(options);
      if (rank_ == 0) {
        EXPECT_EQ(planned, used);
      } else {
        EXPECT_LE(used, planned);  // coarse lattices are on fewer ranks
      }
    }
}

// What changes to other masses stays beside them, with the links as they were made.
TEST_F(PlannedMultigrid, MemoryOfOneSetupForManyMasses) {
  ASSERT_EQ(run_job({generate_job("[4, 4, 8, 8]"), {"update.configurations=1"}}), 0);
  const std::string study = study_job();
  for (const char* blocks : {two_lattices, three_lattices}) {
    SCOPED_TRACE(blocks);
    const RunOptions options{study,
                             {blocks, "action.kappas=[0.125, 0.12, 0.11]", "multigrid.setups=first mass"}};
    const std::size_t planned = planned_bytes(options), used = used_bytes(options);
    if (rank_ == 0) {
      EXPECT_EQ(planned, used);
    } else {
      EXPECT_LE(used, planned);
    }
  }
}

TEST_F(PlannedMultigrid, SaysWhatTakesMemoryAndWhatIsAssumed) {
  const JobFile job =
      JobFile::read(multigrid_job(), {"lattice.extents=[16, 16, 16, 32]", "multigrid.vectors=[24]"});
  const Plan plan(job, 1, Location::host);
  const std::string text = plan_text(plan);
  expect_holds(text, "multigrid");
  expect_holds(text, "16x16x16x32, 24 vectors to 4x4x4x8");
  expect_holds(text, "a coarse solve 1 iteration where");
}

// An iteration is one of the solver: the coarse ones are a part of it, and those of the setup of that.
TEST_F(PlannedMultigrid, IterationsHaveTheirCycles) {
  const std::string job = multigrid_job();
  const JobFile::Overrides fine = {"lattice.extents=[16, 16, 16, 32]", "multigrid.vectors=[24]",
                                   "multigrid.blocks=[\"4x4x4x4\", \"2x2x2x2\"]"};
  const auto plan = prediction_of(job, fine);
  const auto& sections = plan["prediction"]["sections"];
  std::vector<std::string> names;
  for (const auto& section : sections) names.push_back(section["name"]);
  ASSERT_EQ(names.size(), 2u) << plan["prediction"];
  EXPECT_EQ(names[1], "setup of multigrid");
  expect_holds(names[0], "with multigrid");
  expect_holds(names[0], "iteration, 12 right-hand sides");
  const auto count_of = [](const nlohmann::json& section, const std::string& name) {
    double count = 0;
    for (const auto& one : section["operations"])
      if (one["name"].get<std::string>().starts_with(name)) count += one["count"].get<double>();
    return count;
  };
  const auto& iteration = sections[0];
  // On the way from the finest lattice, and in each coarse iteration.
  EXPECT_EQ(count_of(iteration, "restriction"), 2);
  EXPECT_EQ(count_of(iteration, "prolongation"), 2);
  EXPECT_EQ(count_of(iteration, "dense_product"), 1);
  const auto more = prediction_of(job, fine, {"coarse_iterations=4"})["prediction"]["sections"][0];
  EXPECT_EQ(count_of(more, "restriction"), 5);
  EXPECT_GT(more["seconds"], iteration["seconds"]);
  EXPECT_GT(count_of(sections[1], "coarse_hop"), 0);
}

// What does not fit, and what would: plans of that say so themselves.
TEST_F(PlannedMultigrid, WhatDoesNotFitSaysWhatWould) {
  if (ranks_ > 1) GTEST_SKIP() << "one rank is enough";
  PlanOptions options;
  options.run = {multigrid_job(), {"lattice.extents=[32, 32, 32, 48]", "multigrid.vectors=[24]"}};
  options.ranks = 1;
  options.gpu = "titan";
  const auto text = [&] {
    std::string lines = text_of(options);
    std::replace(lines.begin(), lines.end(), '\n', ' ');
    return lines;
  };
  const std::string does_not = "A GPU of titan has 5.59 GiB: it does not fit. It would fit ", found = text();
  expect_holds(found, does_not);
  int ranks = 0;
  const std::string on = found.substr(found.find(does_not));
  ASSERT_EQ(std::sscanf(on.c_str() + on.find("on "), "on %d ranks", &ranks), 1) << on;
  for (options.ranks = ranks / 2; options.ranks <= ranks; options.ranks *= 2)
    EXPECT_EQ(text().find("does not fit") == std::string::npos, options.ranks == ranks) << options.ranks;
}

// A rank has 16 million sites like in other plans, and its lattices move to fewer ranks further down.
TEST_F(PlannedMultigrid, LargeLatticesOfManyRanksOnGpus) {
  if (ranks_ > 1) GTEST_SKIP() << "one rank is enough";
  const JobFile job =
      JobFile::read(multigrid_job(), {"lattice.extents=[128, 128, 128, 256]", "multigrid.vectors=[24]"});
  for (const int ranks : {32, 256}) {
    const Plan plan(job, ranks, Location::device);
    EXPECT_GT(plan.peak(Location::device).bytes, std::size_t{1} << 30);
  }
}

}  // namespace
}  // namespace plaq::jobs::test
