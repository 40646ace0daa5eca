// One gauge field under two names: jobs, results join and campaigns do not count it twice in silence.
#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;

namespace fs = std::filesystem;

class ProgramSameFields : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    box_.write("measure.toml", test::measure_job);
    ASSERT_EQ(box_.plaq("run generate.toml").code, 0);
  }
  test::Outcome measure(const std::string& files, const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run measure.toml --set 'gauge.files=[" + files + "]' " + more, ranks);
  }
  void copy(const std::string& to) const { fs::copy_file(box_ / "field.000002.nersc", box_ / to); }
  void convert(const std::string& to, const std::string& how) const {
    const auto outcome = box_.plaq("convert field.000002.nersc " + to + " " + how);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
  }
  test::Sandbox box_;
};

// Before a field is read.
TEST_F(ProgramSameFields, CopiesAreRefused) {
  copy("field.000003.nersc");
  for (const int ranks : {1, 2}) {
    const auto outcome = measure("\"field.*.nersc\"", "", ranks);
    expect_failure(outcome, 3,
                   {"measure.toml", "'files' in [gauge]", "field.000003.nersc", "the same links as",
                    "field.000002.nersc", "count twice", "leave one of them out"});
    EXPECT_EQ(outcome.err.find("plaquette 0."), std::string::npos) << outcome.err;
  }
  EXPECT_EQ(measure("\"field.000002.nersc\", \"field.000004.nersc\"").code, 0);
  // The output would grow by a copy.
  expect_failure(measure("\"field.*.nersc\""), 3, {"the same links as", "count twice"});
}

// Their headers do not tell: the links do. Both are measured.
TEST_F(ProgramSameFields, OtherFormatsAreNamed) {
  for (const auto& [file, how] : {std::pair{"b.ildg", "--format ildg"},
                                  {"c.nersc", "--format nersc --precision single"},
                                  {"d.nersc", "--format nersc --rows 3x2"}}) {
    convert(file, how);
    const std::string files = std::string("\"field.*.nersc\", \"") + file + "\"";
    for (const char* again : {"--set output.overwrite=true", ""}) {  // a complete output is not looked at
      const auto outcome = measure(files, again, 2);
      ASSERT_EQ(outcome.code, 0) << outcome.err;
      const bool names = outcome.err.find(std::string(file) +
                                          " has the plaquette and the link trace of field.000002.nersc") !=
                         std::string::npos;
      EXPECT_EQ(names, *again != '\0') << outcome.err;
      EXPECT_EQ(outcome.err.find("field.000004.nersc: where both"), std::string::npos) << outcome.err;
    }
  }
  // What is in the output already is compared, too.
  const auto grown = measure("\"field.*.nersc\", \"d.nersc\", \"b.ildg\"");
  ASSERT_EQ(grown.code, 0) << grown.err;
  EXPECT_NE(grown.err.find("b.ildg has the plaquette and the link trace of d.nersc"), std::string::npos)
      << grown.err;
}

TEST_F(ProgramSameFields, AreNotJoined) {
  copy("copy.nersc");
  convert("b.ildg", "--format ildg");
  for (const char* name : {"field.000002.nersc", "field.000004.nersc", "copy.nersc", "b.ildg"})
    ASSERT_EQ(measure(std::string("\"") + name + "\"", std::string("--set output.file=") + name + ".h5").code,
              0);
  EXPECT_EQ(box_.plaq("results join two.h5 field.000002.nersc.h5 field.000004.nersc.h5").code, 0);
  expect_failure(box_.plaq("results join all.h5 two.h5 copy.nersc.h5"), 4,
                 {"copy.nersc in copy.nersc.h5", "the same links as field.000002.nersc in two.h5",
                  "count twice", "leave one of the files out"});
  EXPECT_FALSE(fs::exists(box_ / "all.h5"));
  const auto alike = box_.plaq("results join all.h5 two.h5 b.ildg.h5");
  EXPECT_EQ(alike.code, 0);
  EXPECT_NE(alike.err.find("b.ildg in b.ildg.h5 has the plaquette and the link trace of"), std::string::npos)
      << alike.err;
}

// Rows of both are kept; people say which of them counts.
TEST_F(ProgramSameFields, ACampaignDoesNotJoinThem) {
  copy("field.000003.nersc");
  convert("field.000005.nersc", "--format nersc --precision single");
  box_.write("campaign.toml",
             "[ensemble]\nfiles = \"field.{trajectory}.nersc\"\n[task.measure]\njob = \"measure.toml\"\n"
             "[task.even]\njob = \"measure.toml\"\nevery = 2\n");
  const auto check = box_.plaq("campaign check .");
  EXPECT_NE(check.out.find("000002 and 000003 have the same links"), std::string::npos) << check.out;
  EXPECT_NE(check.out.find("000002 and 000005 have the same plaquette and link trace"), std::string::npos)
      << check.out;
  expect_failure(box_.plaq("campaign run ."), 4,
                 {"field.000003.nersc in rows/measure/000003.h5", "the same links as field.000002.nersc",
                  "plaq campaign quarantine . FIELD"});
  EXPECT_FALSE(fs::exists(box_ / "results/measure.h5"));
  EXPECT_TRUE(fs::exists(box_ / "results/even.h5"));
  EXPECT_EQ(box_.plaq("campaign quarantine . 000003").code, 0);
  const auto outcome = box_.plaq("campaign run .");
  EXPECT_TRUE(fs::exists(box_ / "results/measure.h5")) << outcome.err;
  EXPECT_NE(outcome.err.find("rows/measure/000005.h5 has the plaquette"), std::string::npos) << outcome.err;
}

}  // namespace
}  // namespace plaq
