// Propagator jobs from end to end: the numbers of another program, the same files on any ranks, sources and
// configurations alone and together, and what is wrong with a job.
#include <algorithm>
#include <cmath>

#include "tests/jobs/program/propagator_program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::everything;
using test::expect_failure;
using test::Numbers;
using test::pion;

class ProgramPropagator : public test::PropagatorProgram {};

// An anisotropic action and a smeared source: numbers in single precision by another program.
TEST_F(ProgramPropagator, CorrelatorOfAnotherProgram) {
  const std::string fields = test::foreign_fields();
  if (fields.empty()) GTEST_SKIP() << "PLAQ_DATA_DIR is not set";
  constexpr double expected[8] = {0.749881744,  0.127559099,  0.0488181504, 0.0261706815,
                                  0.0205313155, 0.0261869591, 0.0488589315, 0.127618686};
  box_.write("propagator.toml", "job = \"propagator\"\n[gauge]\nfiles = [\"" + fields + R"(weak_field.lime"]
[action]
kappa = 0.135
xi = 2.464
nu = 0.95
[quark_smearing]
steps = 5
sigma = 2.0
allow_unstable = true
[output]
file = "pion.h5"
[run]
location = "host"
threads = 1
)");
  std::string alone;
  const std::string everywhere = "--set 'comms.force_partition=[\"x\", \"y\", \"z\", \"t\"]' ";
  for (const auto& [ranks, more] :
       {std::pair{1, std::string()}, {1, everywhere}, {2, std::string()}, {4, everywhere}}) {
    SCOPED_TRACE(std::to_string(ranks) + more);
    const Numbers found = run("pion", more + "--set output.overwrite=true", ranks);
    ASSERT_TRUE(found.contains(pion));
    const auto& c = found.at(pion);
    ASSERT_EQ(c.extents, (std::vector<std::size_t>{1, 1, 8, 2}));
    for (std::size_t t = 0; t < 8; ++t) {
      EXPECT_NEAR(c.values[2 * t] / expected[t], 1, 5e-6) << "t " << t;
      EXPECT_NEAR(c.values[2 * t + 1] / expected[t], 0, 1e-15) << "t " << t;
    }
    for (const double residual : found.at("/solves/true_residual").values) EXPECT_LE(residual, 1.000001e-10);
    const std::string bytes = contents(box_ / "pion.h5");
    if (alone.empty()) alone = bytes;
    EXPECT_TRUE(bytes == alone) << "other bytes";
  }
}

TEST_F(ProgramPropagator, SameFilesOnAnyRanks) {
  const std::string more = everything() + "--set source.position=[1,2,3,5] --set source.count=2 " +
                           "--set source.shift=[1,0,2,3] --set output.overwrite=true ";
  std::string alone;
  for (const auto& [ranks, comms] :
       {std::pair{1, ""},
        {2, ""},
        {4, ""},
        {4, "--set comms.process_grid=[2,1,2,1]"},
        {1, "--set 'comms.force_partition=[\"y\", \"t\"]' --set run.threads=2"}}) {
    SCOPED_TRACE(std::to_string(ranks) + comms);
    const Numbers found = run("pion", more + comms, ranks);
    // Eleven channels, seven momenta, two sinks; residuals, iterations, updates and attempts; trajectories.
    EXPECT_EQ(found.size(), 11u * 7 * 2 + 4 + 1 + 1);
    const std::string bytes = contents(box_ / "pion.h5");
    if (alone.empty()) alone = bytes;
    EXPECT_TRUE(bytes == alone) << "other bytes";
  }
}

TEST_F(ProgramPropagator, SourcesAndConfigurationsAloneAreTheSame) {
  const std::string at = "--set source.position=";
  const Numbers all =
      run("all", everything() + at + "[3,0,1,6] --set source.count=3 --set source.shift=[2,1,-2,3]", 2);
  const char* const positions[] = {"[3,0,1,6]", "[1,1,3,1]", "[3,2,1,4]"};
  const char* const files[] = {"field.000002.nersc", "field.000004.nersc"};
  for (std::size_t file = 0; file < 2; ++file)
    for (std::size_t source = 0; source < 3; ++source) {
      const std::string name = "one" + std::to_string(file) + std::to_string(source);
      const Numbers one =
          run(name, everything() + at + positions[source] + " --set gauge.files=" + files[file]);
      ASSERT_EQ(one.size(), all.size());
      for (const auto& [path, numbers] : all)
        if (!path.starts_with("/configurations/")) {
          EXPECT_EQ(numbers.at(file).at(source), one.at(path).at(0).at(0)) << path << " of " << name;
        }
    }
  EXPECT_NE(all.at(pion).at(0).at(0), all.at(pion).at(0).at(1));
  EXPECT_NE(all.at(pion).at(0), all.at(pion).at(1));
}

TEST_F(ProgramPropagator, ChannelsHangTogether) {
  const Numbers found = run("all", everything());
  const auto c = [&](const std::string& channel, const std::string& p = "0_0_0",
                     const std::string& sink = "point") {
    return found.at("/correlators/" + channel + "/p_" + p + "/" + sink).values;
  };
  const auto point = c("pion"), smeared = c("pion", "0_0_0", "smeared"), moving = c("pion", "1_0_0");
  const auto rho = c("rho"), x = c("rho_x"), y = c("rho_y"), z = c("rho_z");
  ASSERT_EQ(point.size(), 2u * 8 * 2);
  for (std::size_t i = 0; i < point.size(); i += 2) {
    EXPECT_GT(point[i], 0);
    EXPECT_GT(smeared[i], 0);
    EXPECT_NEAR(point[i + 1] / point[i], 0, 1e-15);
    EXPECT_NE(point[i], smeared[i]);
    EXPECT_LT(std::hypot(moving[i], moving[i + 1]), point[i]);  // the same positive terms, with phases
    EXPECT_NEAR(rho[i], (x[i] + y[i] + z[i]) / 3, 1e-14 * point[i]);
    EXPECT_LE(std::abs(x[i]), point[i] * (1 + 1e-12));  // Weingarten's inequality
  }
  const auto back = c("pion", "-1_0_0");
  for (std::size_t i = 0; i < back.size(); i += 2) {  // |S|^2 is real
    EXPECT_NEAR(back[i], moving[i], 1e-13 * point[i]);
    EXPECT_NEAR(back[i + 1], -moving[i + 1], 1e-13 * point[i]);
  }
}

TEST_F(ProgramPropagator, SinglePrecisionAndOtherMethods) {
  const Numbers exact = run("exact", "");
  for (const char* more :
       {"--set solver.precision=single --set solver.tolerance=1e-6",
        "--set solver.precision=single --set solver.tolerance=1e-6 --set solver.method=bicgstab",
        "--set solver.method=bicgstab", "--set solver.preconditioning=none"}) {
    SCOPED_TRACE(more);
    const bool single = std::string(more).find("single") != std::string::npos;
    const Numbers found = run("other", std::string(more) + " --set output.overwrite=true", 2);
    ASSERT_TRUE(found.contains(pion));
    for (const double residual : found.at("/solves/true_residual").values)
      EXPECT_LE(residual, 1.000001 * (single ? 1e-6 : 1e-9));
    EXPECT_NE(found.at(pion), exact.at(pion));
    for (std::size_t i = 0; i < exact.at(pion).values.size(); i += 2)
      EXPECT_NEAR(found.at(pion).values[i] / exact.at(pion).values[i], 1, single ? 1e-4 : 1e-7);
  }
}

TEST_F(ProgramPropagator, AMissedToleranceKeepsWhatWasFound) {
  // The field that takes fewer iterations first; the other one misses by one.
  const auto iterations = run("calm", "").at("/solves/iterations");
  const auto most = [&](std::size_t file) {
    const auto all = iterations.at(file).values;
    return static_cast<int>(*std::max_element(all.begin(), all.end()));
  };
  const bool swap = most(0) > most(1);
  ASSERT_NE(most(0), most(1));
  const std::string first = swap ? "field.000004.nersc" : "field.000002.nersc",
                    second = swap ? "field.000002.nersc" : "field.000004.nersc",
                    files = "--set 'gauge.files=[\"" + first + "\", \"" + second + "\"]' ";
  const auto enough = std::string("--set solver.max_iterations=") + std::to_string(most(swap ? 0 : 1)) + " ",
             short_of =
                 std::string("--set solver.max_iterations=") + std::to_string(most(swap ? 0 : 1) - 1) + " ";
  run("pion", files + enough);
  const std::string calm = contents(box_ / "pion.h5");
  std::filesystem::remove(box_ / "pion.h5");
  expect_failure(propagator(files + short_of, 2), 6, {second, "1e-09", "1 of 2 fields are done", "goes on"});
  EXPECT_FALSE(exists("pion.h5"));
  EXPECT_TRUE(exists("pion.h5.journal"));
  expect_failure(propagator(files + enough + "--set action.kappa=0.12"), 5, {"pion.h5.journal", "kappa"});
  const auto on = propagator(files + enough);
  ASSERT_EQ(on.code, 0) << on.err;
  EXPECT_NE(on.err.find("going on: 1 of 2 fields"), std::string::npos) << on.err;
  EXPECT_TRUE(contents(box_ / "pion.h5") == calm);
  EXPECT_FALSE(exists("pion.h5.journal"));
  // The very first: nothing is left.
  expect_failure(propagator("--set output.file=none.h5 --set solver.max_iterations=2", 2), 6,
                 {"after 2 iterations"});
  EXPECT_FALSE(exists("none.h5"));
  EXPECT_FALSE(exists("none.h5.journal"));
}

// The results say that the job is complete, and a propagator is missing: the way out that the error names is one.
TEST_F(ProgramPropagator, AMissingPropagatorIsComputedAgain) {
  const std::string stored = "--set output.propagators=hdf5 ", missing = "field.000004.nersc.s0.prop.h5";
  run("pion", stored);
  const std::string calm = contents(box_ / missing);
  ASSERT_FALSE(calm.empty());
  std::filesystem::remove(box_ / missing);
  expect_failure(propagator(stored), 5, {missing, "overwrite = true"});
  const auto again = propagator(stored + "--set output.overwrite=true");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_TRUE(contents(box_ / missing) == calm);
}

TEST_F(ProgramPropagator, EachRuleIsOneError) {
  struct Wrong {
    const char* more;
    std::vector<std::string> parts;
  };
  const std::vector<Wrong> all = {
      {"--set action.kappa=", {"mass", "kappa", "missing"}},
      {"--set action.mass=0.1", {"kappa", "mass"}},
      {"--set action.boundary=[1,1,0,1]", {"boundary", "1 or -1"}},
      {"--set source.position=[0,4,0,0] --set lattice.extents=[4,4,4,8]", {"position", "y = 4"}},
      {"--set source.position=[0,0,0,8]", {"position", "outside the lattice"}},
      {"--set source.type=z2", {"seed", "z2"}},
      {"--set source.type=z4 --set source.seed=1 --set 'correlators.channels=[\"proton\"]'",
       {"proton", "noise"}},
      {"--set source.type=z2 --set source.seed=1 --set correlators.max_momentum_squared=1",
       {"max_momentum_squared", "noise"}},
      {"--set correlators.max_momentum_squared=9", {"|n| = 3", "L/2 = 2", "set it to 8 or less"}},
      {"--set source.type=momentum --set 'source.momentum=[0,3,0]'", {"n_y = 3", "n_y = -1", "4x4x4x8"}},
      {"--set quark_smearing.steps=3", {"sigma"}},
      {"--set 'correlators.sinks=[\"smeared\"]'", {"smeared", "quark_smearing"}},
      {"--set solver.precision=single", {"tolerance", "single precision"}},
      {"--set lattice.extents=[4,4,4,4]", {"extents", "4x4x4x4", "4x4x4x8"}},
      {"--set comms.process_grid=[3,1,1,1] --set lattice.extents=[4,4,4,8]", {"process_grid", "3"}},
      {"--set 'correlators.channels=[\"poin\"]'", {"poin", "pion"}},
      {"--set 'correlators.channels=[]'", {"channels"}},
      {"--set source.count=0", {"count"}},
      {"--set output.propagators=nersc", {"propagators", "hdf5"}},
      {"--set gauge.file=field.000002.nersc", {"'file'", "[gauge]"}},
  };
  for (const auto& wrong : all) {
    SCOPED_TRACE(wrong.more);
    expect_failure(propagator(wrong.more), 3, wrong.parts);
  }
  expect_failure(propagator("--set source.type=z2", 2), 3, {"seed"});
  expect_failure(propagator("--set gauge.files=none.nersc", 2), 4, {"none.nersc"});
  EXPECT_FALSE(exists("pion.h5"));
  EXPECT_FALSE(exists("pion.h5.journal"));
}

}  // namespace
}  // namespace plaq
