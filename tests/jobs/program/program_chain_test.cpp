// Chains of gauge fields that become longer: the fields, the history and the headers of one long run.
#include <nlohmann/json.hpp>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Outcome;
namespace fs = std::filesystem;

class ProgramChain : public testing::Test {
 protected:
  void SetUp() override {
    for (const test::Sandbox* box : {&long_, &grown_}) box->write("generate.toml", test::generate_job);
  }
  static Outcome generate(const test::Sandbox& box, int configurations, const std::string& more = "",
                          int ranks = 1) {
    return box.plaq(
        "run generate.toml --set update.configurations=" + std::to_string(configurations) + " " + more,
        ranks);
  }
  void expect_same_files(const std::vector<std::string>& but = {}) const {
    std::size_t compared = 0;
    for (const auto& entry : fs::directory_iterator(long_ / "")) {
      const std::string name = entry.path().filename().string();
      if (name.starts_with(".") || std::find(but.begin(), but.end(), name) != but.end()) continue;
      EXPECT_TRUE(contents(grown_ / name) == contents(entry.path())) << name;
      ++compared;
    }
    EXPECT_GE(compared, 6u);  // four fields, the history, the job
  }

  test::Sandbox long_, grown_;
};

TEST_F(ProgramChain, GoesOnWithTheBitsOfOneLongRun) {
  ASSERT_EQ(generate(long_, 4).code, 0);
  ASSERT_EQ(generate(grown_, 1, "", 2).code, 0);
  const std::string first = contents(grown_ / "field.000002.nersc");
  const auto written = fs::last_write_time(grown_ / "field.000002.nersc");
  for (const int configurations : {2, 4}) {
    const Outcome outcome = generate(grown_, configurations, "", configurations);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find("which goes on to " + std::to_string(configurations)), std::string::npos)
        << outcome.err;
  }
  EXPECT_TRUE(contents(grown_ / "field.000002.nersc") == first);
  EXPECT_EQ(fs::last_write_time(grown_ / "field.000002.nersc"), written);  // not computed again
  expect_same_files();
  expect_failure(generate(grown_, 3), 5, {"field.history.h5 has 4 fields", "can only be raised"});
  expect_same_files();
  const auto plan = grown_.plaq("plan generate.toml --set update.configurations=5");
  EXPECT_EQ(plan.code, 0) << plan.err;
  // Without its last field the chain goes on from the one before.
  fs::remove(grown_ / "field.000008.nersc");
  ASSERT_EQ(generate(long_, 5).code, 0);
  const Outcome again = generate(grown_, 5);
  EXPECT_EQ(again.code, 0) << again.err;
  EXPECT_NE(again.err.find("field.000008.nersc is missing"), std::string::npos) << again.err;
  expect_same_files();
}

// Fields in single precision are no links to go on from; the checkpoint is.
TEST_F(ProgramChain, GoesOnWhereFieldsAreRounded) {
  const std::string rounded = "--set output.precision=single --set output.rows=3x2 ";
  ASSERT_EQ(generate(long_, 4, rounded).code, 0);
  ASSERT_EQ(generate(grown_, 2, rounded).code, 0);
  EXPECT_TRUE(fs::exists(grown_ / "field.checkpoint"));
  Outcome outcome = generate(grown_, 4, rounded, 2);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("from field.checkpoint"), std::string::npos) << outcome.err;
  expect_same_files();
  fs::remove(grown_ / "field.checkpoint");
  ASSERT_EQ(generate(long_, 5, rounded).code, 0);
  outcome = generate(grown_, 5, rounded);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.err.find("begins anew"), std::string::npos) << outcome.err;
  expect_same_files();
}

// A run from a file counts on from its number, in names, headers and history.
TEST_F(ProgramChain, NumbersContinueFromAFile) {
  ASSERT_EQ(generate(grown_, 2).code, 0);
  const std::string on =
      "--set gauge.start=file --set gauge.file=field.000004.nersc --set lattice.extents= "
      "--set update.seed=12 ";
  ASSERT_EQ(generate(grown_, 2, on + "--set output.prefix=on").code, 0);
  EXPECT_NE(contents(grown_ / "on.000006.nersc").find("SEQUENCE_NUMBER = 6\n"), std::string::npos);
  EXPECT_TRUE(fs::exists(grown_ / "on.000008.nersc"));
  EXPECT_FALSE(fs::exists(grown_ / "on.000002.nersc"));
  ASSERT_EQ(generate(grown_, 3, on + "--set output.prefix=on").code, 0);
  EXPECT_TRUE(fs::exists(grown_ / "on.000010.nersc"));
  ASSERT_EQ(generate(grown_, 3, on + "--set output.prefix=at_once").code, 0);
  const auto links = [&](const std::string& name) { return contents(grown_ / name); };
  EXPECT_TRUE(links("on.000010.nersc") == links("at_once.000010.nersc"));
  const Outcome info = grown_.plaq("info --json --all on.history.h5");
  EXPECT_EQ(info.code, 0) << info.err;
  const auto analysed = grown_.plaq("analyse on.history.h5");
  EXPECT_EQ(analysed.code, 0) << analysed.err;
}

}  // namespace
}  // namespace plaq
