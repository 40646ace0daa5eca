// plaq run --profile: every application is counted, nothing that is computed changes.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using Json = nlohmann::json;
using test::contents;

class ProgramProfile : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    box_.write("propagator.toml", test::propagator_job);
  }
  test::Outcome run(const std::string& arguments, int ranks) {
    const auto outcome = box_.plaq("run " + arguments, ranks);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome;
  }
  Json profile() const { return Json::parse(contents(box_ / "profile.json")); }

  test::Sandbox box_;
};

double most(const Json& number) { return number["most"].get<double>(); }

TEST_F(ProgramProfile, CountsExchangesOfUpdates) {
  run("generate.toml --set output.prefix=plain", 1);
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(ranks);
    const auto outcome = run("generate.toml --profile-json profile.json --set output.overwrite=true", ranks);
    EXPECT_NE(outcome.out.find("profile of "), std::string::npos) << outcome.out;
    EXPECT_TRUE(contents(box_ / "field.000004.nersc") == contents(box_ / "plain.000004.nersc"));
    const Json all = profile();
    EXPECT_EQ(all["ranks"], ranks);
    if (ranks == 1) {
      EXPECT_FALSE(all["operators"].contains("heatbath, extended_halo"));
      continue;
    }
    // Four sweeps of eight sets of links; t is split, and 32 links travel to either side.
    const Json& found = all["operators"]["heatbath, extended_halo"];
    EXPECT_EQ(most(found["applications"]), 32.0) << found;
    EXPECT_EQ(most(found["bytes_sent"]["host"]), 32.0 * 2 * 32 * 18 * 8) << found;
    EXPECT_EQ(most(all["operators"]["overrelaxation, extended_halo"]["applications"]), 32.0);
    EXPECT_GT(most(found["gigabytes_per_second"]), 0);
    EXPECT_NE(outcome.out.find("heatbath, extended_halo"), std::string::npos) << outcome.out;
    const Json& seconds = found["seconds"];
    EXPECT_LE(most(seconds["exposed"]), most(seconds["total"]));
    EXPECT_LE(most(seconds["total"]), most(all["seconds"]));
  }
}

TEST_F(ProgramProfile, CountsHoppingTermsOfSolves) {
  run("generate.toml", 1);
  const std::string job = "propagator.toml --set gauge.files=field.000002.nersc --set solver.mixed=none ";
  run(job, 1);
  const std::string plain = contents(box_ / "pion.h5");
  EXPECT_FALSE(plain.empty());
  double applications = 0;
  for (const int ranks : {1, 2, 4}) {
    SCOPED_TRACE(ranks);
    const auto outcome =
        run(job + "--profile --profile-json profile.json --set output.overwrite=true", ranks);
    EXPECT_TRUE(contents(box_ / "pion.h5") == plain);
    const Json all = profile(), hop = all["operators"]["wilson_hop double 18"];
    if (ranks == 1) applications = most(hop["applications"]);
    EXPECT_GT(applications, 0);
    EXPECT_EQ(most(hop["applications"]), applications);
    EXPECT_EQ(hop["applications"]["mean"].get<double>(), applications);
    const Json& seconds = hop["seconds"];
    for (const char* step : {"pack", "exposed", "boundary", "moving"})
      EXPECT_EQ(most(seconds[step]) > 0, ranks > 1) << step;
    EXPECT_GT(most(seconds["interior"]), 0);
    EXPECT_EQ(hop["bytes_sent"].is_null() || hop["bytes_sent"].empty(), ranks == 1) << hop;
    const Json& solves = all["solves"];
    EXPECT_EQ(most(solves["count"]), 1);
    EXPECT_GT(most(solves["operators"]), 0);
    EXPECT_LT(most(solves["operators"]), most(solves["seconds"]));
    EXPECT_NE(outcome.out.find("1 solve(s) in "), std::string::npos) << outcome.out;
  }
}

// Cycles of setups and of solves have lines for each lattice, whose parts add up to the whole.
TEST_F(ProgramProfile, ShowsTheLatticesOfMultigrid) {
  run("generate.toml", 1);
  const std::string job =
      "propagator.toml --set gauge.files=field.000002.nersc --set solver.preconditioner=multigrid "
      "--set multigrid.vectors=[4] --set 'multigrid.blocks=[\"2x2x2x2\", \"1x1x2x2\"]' ";
  run(job, 1);
  const std::string plain = contents(box_ / "pion.h5");
  for (const int ranks : {1, 2}) {
    SCOPED_TRACE(ranks);
    const auto outcome =
        run(job + "--profile --profile-json profile.json --set output.overwrite=true", ranks);
    EXPECT_TRUE(contents(box_ / "pion.h5") == plain);
    const Json levels = profile()["levels"];
    for (const char* occasion : {"setup", "solve"}) {
      SCOPED_TRACE(occasion);
      const Json& all = levels[occasion];
      ASSERT_EQ(all.size(), 3u) << all;
      const Json &finest = all["0 4x4x4x8"], &middle = all["1 2x2x2x4"], &last = all["2 2x2x1x2"];
      double parts = 0;
      for (const char* part : {"smoothing", "residual", "restriction", "prolongation"}) {
        // What fits a smoother has none yet.
        const double times = most(finest[part]["times"]), cycles = most(finest["cycle"]["times"]);
        EXPECT_TRUE(times == cycles || (std::string(occasion) == "setup" && times < cycles)) << part;
        EXPECT_GT(most(middle[part]["seconds"]), 0) << part;
        parts += most(finest[part]["seconds"]);
      }
      parts += most(middle["coarse solve"]["seconds"]);
      EXPECT_GT(parts, 0.5 * most(finest["cycle"]["seconds"]));
      EXPECT_LT(parts, 2 * most(finest["cycle"]["seconds"]));  // of different ranks
      EXPECT_EQ(most(last["coarse solve"]["times"]), most(middle["cycle"]["times"]));
      EXPECT_FALSE(last.contains("smoothing"));
    }
    EXPECT_NE(outcome.out.find("cycles of multigrid, solve"), std::string::npos) << outcome.out;
    EXPECT_NE(outcome.out.find("1     2x2x2x4"), std::string::npos) << outcome.out;
  }
}

TEST_F(ProgramProfile, WithoutItNothingIsPrinted) {
  const auto outcome = run("generate.toml", 2);
  EXPECT_EQ(outcome.out.find("profile"), std::string::npos) << outcome.out;
}

}  // namespace
}  // namespace plaq
