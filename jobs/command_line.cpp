#include "jobs/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>

#include "core/error.hpp"
#include "jobs/nearest.hpp"
#include "jobs/version.hpp"

namespace plaq::jobs {
namespace {

const std::vector<std::string> locations = {"auto", "host", "gpu"}, precisions = {"double", "single"};

std::string check_lattice(const std::string& text) {
  if (parse_lattice(text)) return {};
  return fmt::format("'{}' must be four even extents, for example 16x16x16x32", text);
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App* run = app.add_subcommand("run", "Run the job that a job file describes");
  run->add_option("JOB", options.job_file, "Job file (TOML)")->required();
  run->add_option("--set", options.overrides, "Set a key of the job file; may be given many times")
      ->type_name("TABLE.KEY=VALUE")
      ->allow_extra_args(false);
}

void add_info(CLI::App& app, InfoOptions& options) {
  CLI::App* info = app.add_subcommand("info", "Say what a file holds");
  info->add_option("FILE", options.file, "Gauge field or result")->required();
  info->add_flag("--json", options.json, "Print JSON");
}

void add_bench(CLI::App& app, BenchOptions& options, std::string& lattice) {
  CLI::App* bench = app.add_subcommand("bench", "Measure how fast plaq is on this machine");
  bench->add_option("NAME", options.name, "Benchmark");
  bench->add_flag("--list", options.list, "Print the names of the benchmarks");
  bench->add_option("--lattice", lattice, "Sites in x, y, z, t")->type_name("XxYxZxT")->check(check_lattice);
  bench->add_option("--repeats", options.repeats, "Repeats; default: until the result is steady")
      ->check(CLI::Range(1, 1000000000));
  bench->add_option("--precision", options.precision, "Default: both")->check(CLI::IsMember(precisions));
  bench->add_option("--location", options.location, "Where to run")->check(CLI::IsMember(locations));
  bench->add_option("--rhs", options.right_hand_sides, "Right-hand sides")->check(CLI::Range(1, 1024));
  bench->add_option("--json", options.json, "Also write the results to this file")->type_name("FILE");
}

void add_plot(CLI::App& app, PlotOptions& options) {
  CLI::App* plot = app.add_subcommand("plot", "Draw what a result file holds");
  plot->add_option("FILE", options.file, "Result of a job")->required();
  plot->add_option("--output", options.output,
                   "PDF with all figures, or .png or .svg: a file for each figure")
      ->type_name("FILE");
  plot->add_option("--json", options.json, "Also write the numbers that are drawn to this file")
      ->type_name("FILE");
}

void add_selftest(CLI::App& app, SelftestOptions& options) {
  CLI::App* test = app.add_subcommand("selftest", "Check on this machine that results are right");
  test->add_option("--location", options.location, "Where to run")->check(CLI::IsMember(locations));
}

}  // namespace

std::optional<std::array<int, 4>> parse_lattice(const std::string& text) {
  std::array<int, 4> extents{};
  const char *at = text.data(), *end = at + text.size();
  for (std::size_t d = 0; d < 4; ++d) {
    const auto [stop, problem] = std::from_chars(at, end, extents[d]);
    if (problem != std::errc() || extents[d] < 2 || extents[d] > 4096 || extents[d] % 2 != 0) return {};
    const bool last = d == 3;
    if (last ? stop != end : stop == end || (*stop != 'x' && *stop != ',')) return {};
    at = stop + 1;
  }
  return extents;
}

Command parse_command_line(int argc, const char* const* argv) {
  CLI::App app("plaq: lattice QCD on many GPUs and on none", "plaq");
  app.require_subcommand(1);
  app.set_version_flag("--version", "plaq " + std::string(version()));
  app.footer("A command explains itself: plaq run --help");
  RunOptions run;
  InfoOptions info;
  BenchOptions bench;
  SelftestOptions selftest;
  PlotOptions plot;
  std::string lattice;
  add_run(app, run);
  add_info(app, info);
  add_bench(app, bench, lattice);
  add_selftest(app, selftest);
  add_plot(app, plot);

  const auto called = [&](const char* name) { return app.got_subcommand(name); };
  const std::vector<std::string> commands = {"run", "info", "bench", "selftest", "plot"};
  if (argc > 1 && argv[1][0] != '-' && std::find(commands.begin(), commands.end(), argv[1]) == commands.end())
    throw Error(ErrorKind::usage,
                fmt::format("unknown command '{}'; {}", argv[1], nearest_hint(argv[1], commands)));
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForVersion& call) {
    return PrintText{call.what() + std::string("\n")};
  } catch (const CLI::CallForHelp&) {
    return PrintText{app.help()};
  } catch (const CLI::ParseError& error) {
    throw Error(ErrorKind::usage, fmt::format("{}\nplaq --help shows the commands", error.what()));
  }
  if (called("run")) return run;
  if (called("info")) return info;
  if (called("selftest")) return selftest;
  if (called("plot")) return plot;
  if (bench.name.empty() && !bench.list)
    throw Error(ErrorKind::usage, "bench: NAME is missing; plaq bench --list shows the benchmarks");
  if (!lattice.empty()) bench.lattice = parse_lattice(lattice);
  return bench;
}

}  // namespace plaq::jobs
