// schema, explain and plan as users run them: printed once on any number of ranks, with the right exit code.
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using Json = nlohmann::json;
using test::contents;
using test::expect_failure;

TEST(ProgramPrints, OnceOnAnyRanks) {
  const test::Sandbox box;
  for (const char* command :
       {"schema", "schema generate", "schema measure --example", "explain", "explain 137", "model"}) {
    const auto alone = box.plaq(command), three = box.plaq(command, 3);
    EXPECT_EQ(alone.code, 0) << alone.err;
    EXPECT_EQ(three.code, 0) << three.err;
    EXPECT_FALSE(alone.out.empty());
    EXPECT_EQ(alone.out, three.out) << command;
  }
}

// A reader who would miss something is told so.
TEST(ProgramPrints, AFullDiskIsAnError) {
  if (!std::filesystem::exists("/dev/full")) GTEST_SKIP() << "no /dev/full";
  const test::Sandbox box;
  box.write("generate.toml", test::generate_job);
  ASSERT_EQ(box.plaq("run generate.toml").code, 0);
  for (const char* command :
       {"info field.000002.nersc", "info field.000002.nersc --json", "info field.history.h5", "schema"}) {
    SCOPED_TRACE(command);
    const std::string line = std::string("'") + PLAQ_PROGRAM + "' " + command + " > /dev/full";
    box.write("full.sh", line + "\n");
    const int status = std::system(("cd '" + (box / "").string() + "' && sh full.sh 2> .err").c_str());
    expect_failure({WIFEXITED(status) ? WEXITSTATUS(status) : -1, "", contents(box / ".err")}, 5,
                   {"cannot write to standard output", "No space left"});
  }
}

TEST(ProgramPrints, SchemaKeepsNamesAndTextsApart) {
  const test::Sandbox box;
  const std::string text = box.plaq("schema").out;
  EXPECT_NE(text.find("\n  multigrid_setup  Set"), std::string::npos) << text.substr(0, 1500);
}

TEST(ProgramPrints, MistakesOnce) {
  const test::Sandbox box;
  for (const int ranks : {1, 3}) {
    expect_failure(box.plaq("schema genrate", ranks), 2, {"genrate", "generate"});
    expect_failure(box.plaq("explain 77", ranks), 2, {"77"});
    expect_failure(box.plaq("plan none.toml", ranks), 4, {"none.toml", "No such file"});
    expect_failure(box.plaq("paln none.toml", ranks), 2, {"did you mean 'plan'"});
  }
}

TEST(ProgramPrints, PlansAreForTheRanksThatWereStarted) {
  const test::Sandbox box;
  box.write("generate.toml", test::generate_job);
  const auto alone = box.plaq("plan generate.toml --ranks 2 --json"),
             two = box.plaq("plan generate.toml --json", 2);
  ASSERT_EQ(alone.code, 0) << alone.err;
  EXPECT_EQ(alone.out, two.out);
  const Json plan = Json::parse(two.out);
  EXPECT_EQ(plan["ranks"], 2);
  EXPECT_EQ(plan["process_grid"], Json({1, 1, 1, 2}));
  EXPECT_EQ(plan["local_lattice"], Json({4, 4, 4, 4}));
  EXPECT_EQ(plan["partitioned"], Json({"t"}));
  EXPECT_EQ(plan["location"], "host");
  EXPECT_GT(plan["memory_of_a_rank"]["host"]["buffer_bytes"], 0);
  ASSERT_EQ(plan["files"].size(), 5u);
  EXPECT_EQ(plan["files"][0]["name"], "field.000002.nersc");
  EXPECT_EQ(plan["files"][0]["exists"], false);
  EXPECT_EQ(plan["files"][0]["temporary"], false);
  EXPECT_EQ(plan["files"][3]["name"], "field.checkpoint");
  EXPECT_EQ(plan["files"][3]["temporary"], true);
  EXPECT_EQ(plan["files"][4]["name"], "field.journal");
  EXPECT_EQ(plan["outlook"]["kind"], "begins");
  for (const auto& entry : std::filesystem::directory_iterator(box / ""))
    EXPECT_NE(entry.path().extension(), ".nersc") << entry.path();

  expect_failure(box.plaq("plan generate.toml --ranks 3"), 3, {"3 ranks", "4x4x4x8"});
  ASSERT_EQ(box.plaq("run generate.toml").code, 0);
  const auto again = box.plaq("plan generate.toml");
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.out.find("plaq run would do nothing"), std::string::npos) << again.out;
  const auto other = box.plaq("plan generate.toml --set update.seed=99");
  EXPECT_NE(other.out.find("plaq run would stop"), std::string::npos) << other.out;
  EXPECT_NE(box.plaq("plan generate.toml --set output.overwrite=true").out.find("will be replaced"),
            std::string::npos);
}

// A curve for each storage, that of double precision with 18 reals being where the others are compared to.
TEST(ProgramPrints, AccuracyOfStorages) {
  const test::Sandbox box;
  const auto ran = box.plaq("bench accuracy --lattice 4x4x4x4 --repeats 1 --location host --json out.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("proportion of components that are off by epsilon or more"), std::string::npos);
  std::ifstream file(box / "out.json");
  const Json rows = Json::parse(file)["rows"];
  ASSERT_EQ(rows.size(), 9u);
  EXPECT_EQ(rows[0]["precision"], "double 18");
  EXPECT_EQ(rows[8]["precision"], "half 8");
  for (const auto& row : rows) {
    const Json& curve = row["proportion_off_by"];
    ASSERT_GT(curve.size(), 30u);
    EXPECT_EQ(curve.back()[1], 0);
    EXPECT_EQ(curve.front()[1] > 0, row != rows[0]);
  }
}

// Every kernel of multigrid has rows, and each was checked.
TEST(ProgramPrints, RowsOfMultigrid) {
  const test::Sandbox box;
  const std::string bench =
      "bench multigrid --lattice 4x4x4x8 --vectors 4 --repeats 1 --location host --rhs 2 --untuned "
      "--json out.json";
  const auto names_of = [&](const std::string& arguments, int ranks) {
    const auto ran = box.plaq(bench + arguments, ranks);
    EXPECT_EQ(ran.code, 0) << ran.err;
    std::ifstream file(box / "out.json");
    const Json found = Json::parse(file);
    std::map<std::string, int> times;
    for (const Json& row : found["rows"]) {
      const std::string name = row["name"];
      ++times[name];
      EXPECT_FALSE(row["check"].get<std::string>().empty()) << name;
      EXPECT_GT(row["microseconds"]["median"], 0) << name;
      EXPECT_EQ(row["bytes_per_rank"] > 0, !name.starts_with("setup")) << name;
    }
    return times;
  };
  using Names = std::map<std::string, int>;
  const Names all = {{"restriction N 4", 4},   {"prolongation N 4", 4},       {"coarse_schur N 4", 18},
                     {"dense_product 128", 2}, {"smoothing_polynomial 4", 2}, {"smoothing_mr 4", 2},
                     {"setup N 4", 1},         {"galerkin N 4", 1},           {"cycle N 4", 1}};
  EXPECT_EQ(names_of("", 1), all);
  EXPECT_EQ(names_of(" --only restriction", 2), (Names{{"restriction N 4", 4}}));
  EXPECT_EQ(names_of(" --only setup", 2), (Names{{"setup N 4", 1}}));
}

// All that scaling studies measure has rows, in each storage that it takes.
TEST(ProgramPrints, RowsOfAllSubjects) {
  const test::Sandbox box;
  const std::string bench =
      "bench subjects --lattice 4x4x4x4 --repeats 1 --location host --precision single --links 12 --rhs 2 "
      "--json "
      "out.json";
  const auto ran = box.plaq(bench);
  ASSERT_EQ(ran.code, 0) << ran.err;
  const auto names = [&] {
    std::ifstream file(box / "out.json");
    const Json found = Json::parse(file);
    std::vector<std::string> all;
    for (const Json& row : found["rows"]) {
      EXPECT_EQ(row["right_hand_sides"], 2);
      EXPECT_EQ(row["samples"], 1);
      EXPECT_GT(row["flops_per_rank"], 0);
      all.push_back(row["name"].get<std::string>() + " " + row["precision"].get<std::string>());
    }
    return all;
  };
  const std::vector<std::string> expected = {
      "wilson_hop single",      "clover_schur single", "clover_schur_asy single",
      "gauge_fixing single",    "gauge_fixing mixed",  "gauge_fixing_su2 single",
      "gauge_fixing_su2 mixed", "cg single",           "cgne single",
      "bicgstab single",        "gcr single",          "mr single"};
  EXPECT_EQ(names(), expected);
  ASSERT_EQ(box.plaq(bench + " --only schur").code, 0);
  EXPECT_EQ(names(), (std::vector<std::string>{"clover_schur single", "clover_schur_asy single"}));
}

// A line for each look, and unitarity at rounding in each of six runs.
TEST(ProgramPrints, DriftOfGaugeFixing) {
  const test::Sandbox box;
  const auto ran =
      box.plaq("bench gaugefix_drift --lattice 4x4x4x4 --repeats 1 --location host --json out.json");
  ASSERT_EQ(ran.code, 0) << ran.err;
  EXPECT_NE(ran.out.find("# |g g^dagger - 1| of the stored rows"), std::string::npos) << ran.out;
  EXPECT_NE(ran.out.find("\n     400  "), std::string::npos) << ran.out;
  std::ifstream file(box / "out.json");
  const Json rows = Json::parse(file)["rows"];
  ASSERT_EQ(rows.size(), 6u);
  for (const auto& row : rows) {
    const Json& drift = row["drift"];
    ASSERT_EQ(drift.size(), 21u);
    EXPECT_EQ(drift[0]["largest_violation"], 0);
    EXPECT_EQ(drift[20]["sweeps"], 400);
    EXPECT_GT(drift[20]["functional"], drift[0]["functional"]);
    EXPECT_LT(drift[20]["largest_violation"], row["precision"] == "single" ? 1e-5 : 1e-13);
    EXPECT_LE(drift[20]["average_violation"], drift[20]["largest_violation"]);
  }
  EXPECT_EQ(rows[4]["drift"][20]["deviation_of_functional"], 0);  // double, as swept
}

}  // namespace
}  // namespace plaq
