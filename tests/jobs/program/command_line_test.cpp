// The command line as plain structs.
#include "jobs/program/command_line.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/lattice/geometry.hpp"
#include "core/system/machine.hpp"
#include "jobs/common/failure.hpp"
#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

Command parse(std::vector<const char*> words) {
  words.insert(words.begin(), "plaq");
  return parse_command_line(static_cast<int>(words.size()), words.data());
}

std::string usage_error(const std::vector<const char*>& words) {
  return message_of(ErrorKind::usage, [&] { parse(words); });
}

TEST(CommandLine, Run) {
  const auto run = std::get<RunOptions>(
      parse({"run", "--set", "a.b=1", "job.toml", "--set", "lattice.extents=[4, 4, 4, 8]", "--set=c=-1"}));
  EXPECT_EQ(run.job_file, "job.toml");
  EXPECT_EQ(run.overrides, (std::vector<std::string>{"a.b=1", "lattice.extents=[4, 4, 4, 8]", "c=-1"}));
  EXPECT_EQ(std::get<RunOptions>(parse({"run", "job.toml", "--strict-binding"})).overrides,
            (std::vector<std::string>{"run.strict_binding=true"}));
}

TEST(CommandLine, Info) {
  const auto info = std::get<InfoOptions>(parse({"info", "field.nersc", "--json"}));
  EXPECT_EQ(info.file, "field.nersc");
  EXPECT_TRUE(info.json);
  EXPECT_FALSE(info.all);
  EXPECT_TRUE(std::get<InfoOptions>(parse({"info", "pion.h5", "--all"})).all);
  EXPECT_TRUE(std::get<InfoOptions>(parse({"info", "pion.h5", "--verbose"})).all);
}

TEST(CommandLine, Convert) {
  const auto convert = std::get<ConvertOptions>(
      parse({"convert", "in", "out", "--format", "milc", "--precision", "single", "--rows", "3x3",
             "--byte-order", "little", "--overwrite", "--strip-antiperiodic", "--ensemble-id", "e"}));
  EXPECT_EQ(convert.input, "in");
  EXPECT_EQ(convert.output, "out");
  EXPECT_EQ(convert.format, "milc");
  EXPECT_EQ(convert.precision, "single");
  EXPECT_EQ(convert.rows, "3x3");
  EXPECT_EQ(convert.byte_order, "little");
  EXPECT_TRUE(convert.overwrite);
  EXPECT_TRUE(convert.strip_antiperiodic);
  EXPECT_EQ(convert.ensemble_id, "e");
  EXPECT_FALSE(std::get<ConvertOptions>(parse({"convert", "in", "out", "--format", "nersc"})).overwrite);
  expect_holds(usage_error({"convert", "in", "out"}), "--format");
  expect_holds(usage_error({"convert", "in", "--format", "nersc"}), "OUT");
  expect_holds(usage_error({"convert", "in", "out", "--format", "mlic"}), "milc");
}

TEST(CommandLine, Plot) {
  const auto plot = std::get<PlotOptions>(parse(
      {"plot", "a.h5", "--channel", "pion", "--channel=rho", "--momentum", "-1,0,0", "--output", "a.svg"}));
  EXPECT_EQ(plot.channels, (std::vector<std::string>{"pion", "rho"}));
  EXPECT_EQ(plot.momentum, "-1,0,0");
  EXPECT_EQ(plot.output, "a.svg");
  EXPECT_FALSE(plot.all);
}

TEST(CommandLine, Analyse) {
  const auto analyse = std::get<AnalyseOptions>(
      parse({"analyse", "a.h5", "b.h5", "--momentum", "-1,0,0", "--export", "csv", "out.csv",
             "--channel=pion", "--channel", "rho", "--export", "gvar", "out.json", "--all-windows"}));
  EXPECT_EQ(analyse.files, (std::vector<std::string>{"a.h5", "b.h5"}));
  const std::vector<std::string> sorted = {
      "--export",       "csv",           "out.csv",           "--export",     "gvar", "out.json",
      "--channel=pion", "--channel=rho", "--momentum=-1,0,0", "--all-windows"};
  EXPECT_TRUE(
      std::is_permutation(analyse.options.begin(), analyse.options.end(), sorted.begin(), sorted.end()));
  const auto across = std::get<AnalyseOptions>(
      parse({"analyse", "a.h5,flow.h5,z=0.81(2)", "b.h5", "--extrapolate", "f_pion*sqrt(t0)", "--against",
             "1/t0", "--against", "pion^2*t0", "--at", "-1,0.018(1)"}));
  EXPECT_EQ(across.files, (std::vector<std::string>{"a.h5,flow.h5,z=0.81(2)", "b.h5"}));
  const std::vector<std::string> fit = {"--extrapolate=f_pion*sqrt(t0)", "--against=1/t0",
                                        "--against=pion^2*t0", "--at=-1,0.018(1)"};
  EXPECT_TRUE(std::is_permutation(across.options.begin(), across.options.end(), fit.begin(), fit.end()));
  expect_holds(usage_error({"analyse"}), "FILE");
  expect_holds(usage_error({"analyse", "a.h5", "--export", "csv"}), "--export");
}

TEST(CommandLine, Bench) {
  const auto bench = std::get<BenchOptions>(
      parse({"bench", "wilson", "--lattice", "32x32x32x64", "--repeats", "5", "--precision", "single",
             "--location", "gpu", "--rhs", "12", "--json", "out.json"}));
  EXPECT_EQ(bench.name, "wilson");
  EXPECT_EQ(bench.lattice, (std::array{32, 32, 32, 64}));
  EXPECT_EQ(bench.repeats, 5);
  EXPECT_EQ(bench.precision, "single");
  EXPECT_EQ(bench.location, "gpu");
  EXPECT_EQ(bench.right_hand_sides, 12);
  EXPECT_EQ(bench.json, "out.json");
  EXPECT_TRUE(std::get<BenchOptions>(parse({"bench", "--list"})).list);
  EXPECT_EQ(std::get<BenchOptions>(parse({"bench", "wilson"})).lattice, std::nullopt);
}

TEST(CommandLine, PlanAndModel) {
  const auto plan =
      std::get<PlanOptions>(parse({"plan", "job.toml", "--ranks", "4096", "--gpu", "h200", "--network",
                                   "a.json", "--network", "b.json", "--ranks-per-node", "4"}));
  EXPECT_EQ(plan.run.job_file, "job.toml");
  EXPECT_EQ(plan.ranks, 4096);
  EXPECT_EQ(plan.gpu, "h200");
  EXPECT_EQ(plan.networks, (std::vector<std::string>{"a.json", "b.json"}));
  EXPECT_EQ(plan.ranks_per_node, 4);
  EXPECT_TRUE(std::get<PlanOptions>(parse({"plan", "job.toml"})).gpu.empty());
  EXPECT_TRUE(std::get<ModelOptions>(parse({"model"})).networks.empty());
  EXPECT_EQ(std::get<ModelOptions>(parse({"model", "--network", "a.json"})).networks.size(), 1u);
  expect_holds(usage_error({"plan", "job.toml", "--gpu", "h20"}), "h200");
}

TEST(CommandLine, Selftest) {
  EXPECT_EQ(std::get<SelftestOptions>(parse({"selftest"})).location, "auto");
  EXPECT_EQ(std::get<SelftestOptions>(parse({"selftest"})).part, "");
  EXPECT_EQ(std::get<SelftestOptions>(parse({"selftest", "hmc"})).part, "hmc");
}

TEST(CommandLine, HelpAndVersion) {
  EXPECT_EQ(std::get<PrintText>(parse({"--version"})).text, std::string("plaq ") + version() + "\n");
  expect_holds(std::get<PrintText>(parse({"--help"})).text, "selftest");
  expect_holds(std::get<PrintText>(parse({"run", "--help"})).text, "plaq run");
  expect_holds(std::get<PrintText>(parse({"run", "--help"})).text, "TABLE.KEY=VALUE");
}

TEST(CommandLine, Mistakes) {
  expect_holds(usage_error({}), "command");
  expect_holds(usage_error({"rum", "job.toml"}), "unknown command 'rum'; did you mean 'run'?");
  expect_holds(usage_error({"run"}), "JOB is required");
  expect_holds(usage_error({"run", "job.toml", "--sett", "a=1"}), "--sett");
  expect_holds(usage_error({"bench"}), "NAME is missing");
  expect_holds(usage_error({"bench", "x", "--lattice", "4x4x4x5"}), "four even extents");
  expect_holds(usage_error({"bench", "x", "--precision", "quarter"}), "quarter");
  usage_error({"bench", "x", "--repeats", "0"});
}

TEST(CommandLine, Lattices) {
  EXPECT_EQ(parse_lattice("4,6x8,10"), (std::array{4, 6, 8, 10}));
  for (const char* bad : {"", "4x4x4", "4x4x4x4x4", "4x4x4x4 ", "4x4x4x3", "0x4x4x4", "4x4x4x", "-4x4x4x4",
                          "4y4x4x4", "99999999999x4x4x4"})
    EXPECT_EQ(parse_lattice(bad), std::nullopt) << bad;
}

TEST(Failures, SayWhatTheExceptionSays) {
  const auto failure_of = [](auto&& exception) {
    try {
      throw exception;
    } catch (...) {
      return current_failure();
    }
  };
  const Failure error = failure_of(Error(ErrorKind::output_file, "disk"));
  EXPECT_EQ(error.code, 5);
  EXPECT_EQ(error.message, "disk");
  EXPECT_EQ(failure_of(std::runtime_error("x")).message, "internal error: x");
  EXPECT_EQ(failure_of(std::bad_alloc()).message, "out of memory on the host");
  EXPECT_EQ(failure_of(1).code, 1);
}

}  // namespace
}  // namespace plaq::jobs::test
