// Results of ensembles that grow: fields that come later are computed, the rows of others stay, and the file is the one that a
// single run would have written.
#include <map>
#include <ostream>

#include "tests/jobs/program/program.hpp"
#include "tests/jobs/results/result_data.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;
using test::Outcome;

namespace fs = std::filesystem;

constexpr const char* propagators = R"(job = "propagator"
[gauge]
files = ["field.*.nersc"]
[action]
kappa = 0.11
[source]
count = 2
shift = [0, 0, 0, 3]
[solver]
tolerance = 1e-6
[output]
file = "results.h5"
propagators = "scidac"
[run]
location = "host"
threads = 1
)";
constexpr const char* fixing = R"(job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
copies = 2
theta = 1e-8
[output]
file = "results.h5"
[run]
location = "host"
threads = 1
)";

struct Case {
  const char* name;
  std::string job;
  int parts;           // of a field
  const char* change;  // a key that decides numbers
};
std::ostream& operator<<(std::ostream& out, const Case& c) { return out << c.name; }

class Growth : public testing::TestWithParam<Case> {
 protected:
  static void SetUpTestSuite() {
    const test::Sandbox box;
    box.write("generate.toml", test::generate_job);
    ASSERT_EQ(box.plaq("run generate.toml --set update.configurations=4").code, 0);
    // Numbers of different lengths: the order is not that of the texts.
    const std::map<std::string, std::string> names = {
        {"000002", "9"}, {"000004", "10"}, {"000006", "11"}, {"000008", "100"}};
    for (const auto& [sweep, name] : names) fields_[name] = contents(box / ("field." + sweep + ".nersc"));
  }
  void SetUp() override { box_.write("job.toml", GetParam().job); }
  std::string file(const std::string& name) const { return "field." + name + ".nersc"; }
  void bring(const std::vector<std::string>& names) const {
    for (const std::string& name : names) box_.write(file(name), fields_.at(name));
  }
  Outcome run(const std::string& more = "", int ranks = 1) const {
    return box_.plaq("run job.toml " + more, ranks);
  }
  void expect_run(const std::string& says, const std::string& more = "", int ranks = 1) const {
    const Outcome outcome = run(more, ranks);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.err.find(says), std::string::npos) << outcome.err;
  }
  void expect_going_on(int fields, int ranks = 1) const {
    expect_run("going on: " + std::to_string(fields * GetParam().parts) + " of ", "", ranks);
  }
  std::string results() const { return contents(box_ / "results.h5"); }
  // Of all four fields in one run.
  std::string at_once() const {
    const test::Sandbox other;
    other.write("job.toml", GetParam().job);
    for (const auto& [name, bytes] : fields_) other.write(file(name), bytes);
    const Outcome outcome = other.plaq("run job.toml");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return contents(other / "results.h5");
  }

  inline static std::map<std::string, std::string> fields_;
  test::Sandbox box_;
};

TEST_P(Growth, HasTheBytesOfOneRun) {
  const std::string expected = at_once();
  bring({"9", "100"});
  expect_run("wrote");
  EXPECT_NE(results(), expected);
  bring({"11"});  // between the two that are there
  expect_going_on(2, 2);
  bring({"10"});
  expect_going_on(3);
  EXPECT_TRUE(results() == expected) << "other bytes";
  // By their headers, in the order of the names.
  const auto found = test::read_numbers((box_ / "results.h5").string());
  EXPECT_EQ(found.at("/configurations/trajectory").values, (std::vector<double>{2, 4, 6, 8}));
  expect_run("nothing to do");
  EXPECT_FALSE(fs::exists(box_ / "results.h5.journal"));
}

// What is done of the fields that come later is kept when one of them cannot be read, and the file stays as it is.
TEST_P(Growth, GoesOnAfterAFailure) {
  const std::string expected = at_once();
  bring({"9", "10"});
  expect_run("wrote");
  const std::string before = results();
  bring({"11"});
  std::string damaged = fields_.at("100");
  damaged[damaged.size() - 100] = static_cast<char>(damaged[damaged.size() - 100] ^ 64);
  box_.write(file("100"), damaged);
  expect_failure(run(), 4, {file("100"), "are done and kept"});
  EXPECT_TRUE(results() == before);
  bring({"100"});
  expect_going_on(3);
  EXPECT_TRUE(results() == expected) << "other bytes";
}

// No row is lost, and none of another field or job is taken.
TEST_P(Growth, IsRefusedWhereRowsWouldBeLost) {
  bring({"9", "10"});
  expect_run("wrote");
  const std::string before = results();
  const std::vector<std::string> exists = {"results.h5", "overwrite = true"};
  expect_failure(run("--set 'gauge.files=[\"field.9.nersc\"]'"), 5, exists);
  bring({"11"});
  expect_failure(run("--set 'gauge.files=[\"field.9.nersc\", \"field.11.nersc\"]'"), 5, exists);
  expect_failure(run(std::string("--set ") + GetParam().change), 5, exists);
  box_.write(file("10"), fields_.at("100"));  // another field by that name
  expect_failure(run(), 5, exists);
  EXPECT_TRUE(results() == before);
  EXPECT_FALSE(fs::exists(box_ / "results.h5.journal"));
}

std::string measuring() {
  std::string job = test::measure_job;
  job.replace(job.find("measured.h5"), 11, "results.h5");
  return job +
         "[measure]\nobservables = [\"plaquette\", \"polyakov_loop\", \"clover\", \"flow\"]\n[flow]\nt_max = "
         "0.2\n";
}

INSTANTIATE_TEST_SUITE_P(Of, Growth,
                         testing::Values(Case{"Measure", measuring(), 1, "link_smearing.type=ape"},
                                         Case{"Propagator", propagators, 2, "action.kappa=0.12"},
                                         Case{"Gaugefix", fixing, 2, "fixing.copies=3"}),
                         [](const auto& info) { return std::string(info.param.name); });

}  // namespace
}  // namespace plaq
