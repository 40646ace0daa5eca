// gaugefix jobs from end to end: fixed fields, copies, transformations, what is gone on from.
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using Json = nlohmann::json;
using test::contents;
using test::expect_failure;

namespace fs = std::filesystem;

constexpr const char* job = R"(job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
copies = 3
theta = 1e-13
measure_every = 10
[output]
file = "fixed.h5"
transformations = true
[run]
location = "host"
threads = 1
)";

class GaugeFixJob : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    box_.write("fix.toml", job);
    ASSERT_EQ(box_.plaq("run generate.toml").code, 0);
  }
  test::Outcome fix(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run fix.toml " + more, ranks);
  }
  Json info(const std::string& file) const {
    const auto outcome = box_.plaq("info --json " + file);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out, nullptr, false);
  }
  std::map<std::string, std::string> header(const std::string& file) const {
    std::map<std::string, std::string> found;
    const Json all = info(file);
    for (const auto& entry : all["header"]["entries"]) found[entry["key"]] = entry["value"];
    return found;
  }
  test::Sandbox box_;
};

TEST_F(GaugeFixJob, SameFilesOnAnyRanksAndGroups) {
  const char* const files[] = {"fixed.h5", "landau.field.000002.nersc", "landau.field.000004.nersc",
                               "landau.field.000002.g.lime", "landau.field.000004.g.lime"};
  std::map<std::string, std::string> alone;
  struct Launch {
    int ranks;
    const char* more;
  };
  for (const auto& [ranks, more] : {Launch{1, ""}, Launch{2, "--set fixing.groups=1"},
                                    Launch{2, "--set fixing.groups=2"}, Launch{4, "--set fixing.groups=2"}}) {
    SCOPED_TRACE(ranks);
    for (const char* file : files) fs::remove(box_ / file);
    const auto outcome = fix(more, ranks);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("converged copies  3 of 3"), std::string::npos) << outcome.out;
    for (const char* file : files) {
      std::string found = contents(box_ / file);
      EXPECT_FALSE(found.empty()) << file;
      if (std::string(file) == "fixed.h5") continue;  // says the job, groups included
      if (ranks == 1) alone[file] = found;
      EXPECT_TRUE(found == alone[file]) << file;
    }
  }
}

TEST_F(GaugeFixJob, FilesSayHowTheyWereFixed) {
  for (const char* gauge : {"landau", "coulomb", "maximally_abelian"}) {
    SCOPED_TRACE(gauge);
    ASSERT_EQ(fix(std::string("--set output.overwrite=true --set fixing.gauge=") + gauge).code, 0);
    const std::string name = std::string(gauge) + ".field.000004.nersc";
    const Json before = info("field.000004.nersc"), after = info(name);
    EXPECT_TRUE(after["verified"]);
    EXPECT_NEAR(after["links"]["plaquette"].get<double>(), before["links"]["plaquette"].get<double>(), 1e-13);
    auto said = header(name);
    EXPECT_EQ(said["BETA"], "5.7");  // what the original says stays
    EXPECT_LT(std::stod(said["GAUGE_THETA"]), 1e-13);
    const double functional = std::stod(said["GAUGE_FUNCTIONAL"]);
    if (std::string(gauge) == "landau") {
      EXPECT_NEAR(functional, after["links"]["link_trace"].get<double>(), 1e-12);
      EXPECT_EQ(said["GAUGE_FIXED"], "Landau");
    }
    EXPECT_EQ(said.count("GAUGE_THETA_WORST_SLICE"), std::string(gauge) == "coulomb" ? 1u : 0u);
    // Applying g to the original gives the field again.
    const std::string g = std::string(gauge) + ".field.000004.g.lime";
    ASSERT_EQ(
        box_.plaq("convert field.000004.nersc again.nersc --format nersc --overwrite --transform " + g).code,
        0);
    EXPECT_NEAR(info("again.nersc")["links"]["link_trace"].get<double>(),
                after["links"]["link_trace"].get<double>(), 1e-12);
    auto again = header("again.nersc");
    EXPECT_EQ(again["GAUGE_FIXED"], said["GAUGE_FIXED"]);
  }
}

TEST_F(GaugeFixJob, IsNotDoneAgainAndGoesOn) {
  ASSERT_EQ(fix().code, 0);
  const auto last = fs::last_write_time(box_ / "landau.field.000002.nersc");
  const std::string results = contents(box_ / "fixed.h5"),
                    field = contents(box_ / "landau.field.000004.nersc");
  // The fixed fields match the pattern, and are left out.
  auto again = fix();
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("complete"), std::string::npos) << again.err;
  EXPECT_EQ(fs::last_write_time(box_ / "landau.field.000002.nersc"), last);
  fs::remove(box_ / "landau.field.000004.nersc");
  expect_failure(fix(), 5, {"landau.field.000004.nersc is missing", "overwrite"});
  // A damaged second field stops the job; what is done is kept.
  fs::remove(box_ / "fixed.h5");
  fs::remove(box_ / "landau.field.000002.nersc");
  fs::remove(box_ / "landau.field.000002.g.lime");
  fs::remove(box_ / "landau.field.000004.g.lime");
  const std::string good = contents(box_ / "field.000004.nersc");
  std::string bad = good;
  bad[bad.size() - 1000] = static_cast<char>(bad[bad.size() - 1000] ^ 1);
  box_.write("field.000004.nersc", bad);
  expect_failure(fix("", 2), 4, {"field.000004.nersc", "3 of 6 copies of all fields are done", "goes on"});
  const auto done = fs::last_write_time(box_ / "landau.field.000002.nersc");
  box_.write("field.000004.nersc", good);
  again = fix();
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(fs::last_write_time(box_ / "landau.field.000002.nersc"), done);
  EXPECT_TRUE(contents(box_ / "fixed.h5") == results);
  EXPECT_TRUE(contents(box_ / "landau.field.000004.nersc") == field);
}

TEST_F(GaugeFixJob, StagesAreThoseOfTheJob) {
  const auto outcome = fix(
      "--set annealing.steps=20 --set annealing.hottest=2 --set stochastic.sweeps=30 "
      "--set overrelaxation.method=subgroups --set overrelaxation.omega=1.5 --set fixing.precision=single "
      "--set output.fields=false --set output.transformations=false");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(fs::exists(box_ / "landau.field.000002.nersc"));
  const Json results = info("fixed.h5");
  std::map<std::string, Json> objects;
  for (const auto& object : results["objects"]) objects[object["path"]] = object;
  EXPECT_EQ(objects["/copies/functional"]["extents"], Json({2, 3}));
  EXPECT_EQ(objects["/history/theta"]["extents"], Json({2, 3, 256}));
  EXPECT_EQ(objects["/fixing"]["attributes"]["gauge"], "landau");
}

TEST_F(GaugeFixJob, WhatCannotBeFixedIsOneError) {
  expect_failure(fix("--set overrelaxation.max_sweeps=10 --set overrelaxation.restarts=0"), 6,
                 {"field.000002.nersc", "theta"});
  // With more sweeps the same job goes on, also with the copies that were not fixed.
  const auto again = fix("--set overrelaxation.restarts=0");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(again.out.find("converged copies  1 of 3"), std::string::npos) << again.out;
  EXPECT_NE(again.out.find("converged copies  3 of 3"), std::string::npos) << again.out;
}

// What is finished stays so with another theta, where it reaches that too; a theta that is smaller takes more.
TEST_F(GaugeFixJob, AnotherThetaKeepsWhatIsFinished) {
  const std::string cold =
      "run generate.toml --set gauge.start=cold --set update.configurations=1 "
      "--set update.thermalization=0 --set output.prefix=cold";
  ASSERT_EQ(box_.plaq(cold).code, 0);
  const std::string two =
      "--set 'gauge.files=[\"cold.000000.nersc\", \"field.000004.nersc\"]' "
      "--set fixing.copies=1 --set overrelaxation.restarts=0 "
      "--set overrelaxation.patience=100 --set overrelaxation.max_sweeps=1000 ";
  expect_failure(
      fix(two + "--set fixing.theta=1e-33"), 6,
      {"field.000004.nersc", "1 of 2 fields are done and kept", "without this field in [gauge] files"});
  // Another gauge is another job, and cannot go on from there.
  expect_failure(fix(two + "--set fixing.gauge=coulomb"), 5,
                 {"fixed.h5.journal", "[fixing] gauge", "[fixing] theta", "left out of [gauge] files",
                  "Deleting fixed.h5.journal loses 1 finished result"});
  const auto done = fs::last_write_time(box_ / "landau.cold.000000.nersc");
  const auto again = fix(two + "--set fixing.theta=1e-8");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("1 of 2 fields are done and kept"), std::string::npos) << again.err;
  EXPECT_EQ(fs::last_write_time(box_ / "landau.cold.000000.nersc"), done);
}

TEST_F(GaugeFixJob, WrongJobsAreRefused) {
  expect_failure(fix("--set fixing.gauge=axial"), 3, {"'gauge' in [fixing]"});
  expect_failure(fix("--set annealing.hottest=1 --set annealing.coldest=2"), 3, {"coldest"});
  expect_failure(fix("--set fixing.groups=4"), 3, {"groups"});
  expect_failure(fix("--set fixing.groups=3", 4), 3, {"groups"});
  // Two fields of one name, from two directories.
  std::filesystem::create_directory(box_ / "other");
  box_.write("other/field.000002.nersc", contents(box_ / "field.000004.nersc"));
  expect_failure(fix("--set 'gauge.files=[\"field.000002.nersc\", \"other/field.000002.nersc\"]'"), 3,
                 {"would both write"});
}

}  // namespace
}  // namespace plaq
