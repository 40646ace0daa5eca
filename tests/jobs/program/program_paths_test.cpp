// No output of a command replaces what it reads, or another output: whatever is asked for, all files stay.
#include <map>

#include "tests/jobs/program/program.hpp"

namespace plaq {
namespace {

using test::contents;
using test::expect_failure;

namespace fs = std::filesystem;

constexpr const char* gaugefix_job = R"(job = "gaugefix"
[gauge]
files = ["field.*.nersc"]
[fixing]
gauge = "landau"
theta = 1e-3
[output]
file = "fixed.h5"
[run]
location = "host"
threads = 1
)";

constexpr const char* scaling_job = R"(job = "scaling"
[scaling]
strong = ["4x4x4x8"]
ranks = [1]
operators = ["hop"]
iterations = 1
samples = 1
[action]
kappa = 0.11
[output]
file = "scaling.h5"
[run]
location = "host"
threads = 1
)";

class PathsOfCommands : public testing::Test {
 protected:
  void SetUp() override {
    box_.write("generate.toml", test::generate_job);
    box_.write("measure.toml", test::measure_job);
    box_.write("propagator.toml", test::propagator_job);
    box_.write("gaugefix.toml", gaugefix_job);
    box_.write("scaling.toml", scaling_job);
    ASSERT_EQ(box_.plaq("run generate.toml --set update.configurations=1").code, 0);
  }
  std::map<std::string, std::string> files() const {
    std::map<std::string, std::string> found;
    for (const auto& entry : fs::directory_iterator(box_ / ""))
      if (entry.is_regular_file() && !entry.path().filename().string().starts_with("."))
        found[entry.path().filename().string()] = contents(entry.path());
    return found;
  }
  void expect_refused(const std::string& command, int code, const std::vector<std::string>& parts,
                      int ranks = 1) const {
    SCOPED_TRACE(command);
    const auto before = files();
    expect_failure(box_.plaq(command, ranks), code, parts);
    EXPECT_TRUE(files() == before);
  }
  test::Sandbox box_;
};

const std::string field = "field.000002.nersc", over = " --set output.overwrite=true";

TEST_F(PathsOfCommands, AJobKeepsWhatItReads) {
  for (const std::string& more : {std::string(), over}) {
    expect_refused("run measure.toml --profile-json " + field + more, 3,
                   {field, "a gauge field", "the profile ([run] profile_file)"});
    expect_refused("run measure.toml --set output.file=" + field + more, 3,
                   {field, "a gauge field", "the results of the job"}, 2);
    expect_refused("run measure.toml --set output.file=./measure.toml" + more, 3,
                   {"measure.toml", "the job file"});
    expect_refused("run measure.toml --set run.tuning_file=" + field + more, 3, {field, "tuning_file"});
  }
  expect_refused("plan measure.toml --set output.file=" + field + over, 3, {field, "a gauge field"});
  expect_refused("run propagator.toml --profile-json pion.h5.journal" + over, 3, {"its journal"});
  const std::string on = "run generate.toml --set gauge.start=file --set update.seed=12 --set gauge.file=";
  expect_refused(on + field + " --set update.thermalization=0" + over, 3,
                 {field, "the start ([gauge] file)", "a field of the chain"});
  fs::copy_file(box_ / field, box_ / "field.checkpoint");
  expect_refused(on + "field.checkpoint --set update.thermalization=7", 3, {"its checkpoint"});
}

TEST_F(PathsOfCommands, TwoOutputsHaveTwoNames) {
  expect_refused("run gaugefix.toml --set output.file=landau." + field + over, 3,
                 {"landau." + field, "the results of the job", "a fixed field"});
  expect_refused(
      "run propagator.toml --set output.propagators=hdf5 --set output.file=" + field + ".s0.prop.h5" + over,
      3, {"a propagator", "the results of the job"});
  expect_refused("run scaling.toml --set output.json=same --set output.table=sub/../same" + over, 3,
                 {"[output] json", "[output] table"});
  fs::copy_file(box_ / "scaling.toml", box_ / "job.toml");
  expect_refused("run job.toml --generate .", 2, {"job.toml", "the job file", "a script (--generate)"});
}

TEST_F(PathsOfCommands, OthersFilesStay) {
  fs::copy_file(box_ / field, box_ / "precious");
  expect_refused("run measure.toml --profile-json precious" + over, 5, {"precious", "no JSON file"});
  expect_refused("convert " + field + " ./" + field + " --format nersc --overwrite", 2, {field, "IN", "OUT"});
  expect_refused("bench wilson_hop --json precious", 5, {"precious", "no JSON file"});
}

}  // namespace
}  // namespace plaq
