#include "jobs/program/command_line.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <optional>

#include "comms/transport/transport_choice.hpp"
#include "core/field/storages.hpp"
#include "core/lattice/geometry.hpp"
#include "core/system/error.hpp"
#include "core/system/machine.hpp"
#include "core/system/wording.hpp"
#include "io/gauge/gauge_file.hpp"
#include "io/gauge/link_checksum.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/model/machine_model.hpp"

namespace plaq::jobs {
namespace {

const std::vector<std::string> locations = {"auto", "host", "gpu"}, precisions = {"double", "single"};

std::string check_lattice(const std::string& text) {
  if (parse_lattice(text)) return {};
  return fmt::format("'{}' must be four even extents, for example 16x16x16x32", text);
}

void add_run(CLI::App& app, RunOptions& options, bool& strict_binding, bool& submit) {
  CLI::App* run = app.add_subcommand("run", "Run a job file");
  run->add_flag("--strict-binding", strict_binding,
                "Stop with an error if ranks share a GPU, if cores are far from the GPU, or if there are "
                "more threads than cores ([run] strict_binding = true)");
  run->add_option("JOB", options.job_file, "Job file (TOML)")->required();
  run->add_option("--set", options.overrides, "Set a key of the job file; may be repeated")
      ->type_name("TABLE.KEY=VALUE")
      ->allow_extra_args(false);
  run->add_option("--generate", options.generate,
                  "Write Slurm scripts to this directory instead of running; a study gets a script for each "
                  "number of ranks")
      ->type_name("DIRECTORY");
  run->add_flag(
      "--submit", submit,
      "Write the Slurm scripts and submit them (sbatch); without --generate the directory is JOB.slurm");
  run->add_flag("--profile", options.profile, "Print at the end how the time of operators divides");
  run->add_option("--profile-json", options.profile_json, "Also write the profile to this file (JSON)")
      ->type_name("FILE");
}

void add_accepted(CLI::App& command, std::vector<std::string>& checksums) {
  command
      .add_option("--accept-checksum", checksums,
                  "Accept this checksum although the file states a different one; may be repeated")
      ->type_name("CHECKSUM")
      ->allow_extra_args(false)
      ->check([](const std::string& text) { return validate_checksum(text).value_or(""); });
}

void add_info(CLI::App& app, InfoOptions& options) {
  CLI::App* info = app.add_subcommand("info", "Show the contents of a file");
  info->add_option("FILE", options.file,
                   "Gauge field, propagator, gauge transformation, multigrid setup or result")
      ->required();
  info->add_flag("--json", options.json, "Print JSON");
  info->add_flag("--all,--verbose", options.all,
                 "Also show every dataset of a result with its attributes, and the job file");
  add_accepted(*info, options.accept_checksums);
}

void add_convert(CLI::App& app, ConvertOptions& options) {
  CLI::App* convert =
      app.add_subcommand("convert", "Convert a gauge field or a propagator to another format");
  std::vector<std::string> formats;
  for (const GaugeFormat* format : gauge_formats()) formats.emplace_back(short_name(format->format));
  formats.insert(formats.end(), {"hdf5", "fnal"});
  convert->add_option("IN", options.input, "Gauge field or propagator, in any format that plaq reads")
      ->required();
  convert->add_option("OUT", options.output, "File to write")->required();
  convert
      ->add_option("--format", options.format, "Format of OUT; propagators have hdf5, scidac, milc or fnal")
      ->required()
      ->check(CLI::IsMember(formats));
  convert
      ->add_option("--precision", options.precision,
                   "Precision of OUT; default: that of IN, if the format allows it")
      ->check(CLI::IsMember(precisions));
  convert->add_option("--rows", options.rows, "Shape in which a link is stored; default: 3x3")
      ->check(CLI::IsMember(std::vector<std::string>{"3x3", "3x2"}));
  convert
      ->add_option("--byte-order", options.byte_order,
                   "Byte order of OUT; default: big, if the format allows it")
      ->check(CLI::IsMember(std::vector<std::string>{"big", "little"}));
  convert->add_flag("--overwrite", options.overwrite, "Replace OUT if it exists");
  convert
      ->add_option(
          "--phases", options.phases,
          "Order of the phases of staggered propagators: xyzt, or txyz as in MILC; default: that of IN")
      ->check(CLI::IsMember(std::vector<std::string>{"xyzt", "txyz"}));
  convert->add_flag("--strip-antiperiodic", options.strip_antiperiodic,
                    "Remove the sign of antiperiodic boundary conditions from the last time slice");
  add_accepted(*convert, options.accept_checksums);
  convert
      ->add_option("--transform", options.transform,
                   "Apply the gauge transformation of this file before writing")
      ->type_name("FILE");
  convert->add_option("--ensemble-id", options.ensemble_id, "Ensemble ID of OUT; default: that of IN");
  convert->add_option("--ensemble-label", options.ensemble_label,
                      "Ensemble label of OUT; default: that of IN");
  convert->add_option("--lfn", options.ildg_lfn, "Logical file name of an ILDG file; default: that of IN");
}

std::string check_ranks(const std::string& text) {
  if (parse_four(text)) return {};
  return fmt::format("'{}' must be four numbers of ranks, for example 1x1x2x4", text);
}

void add_bench(CLI::App& app, BenchOptions& options, std::string& lattice, std::string& grid) {
  CLI::App* bench = app.add_subcommand("bench", "Measure the speed of plaq on this machine");
  bench->add_option("NAME", options.name, "Benchmark");
  bench->add_flag("--list", options.list, "Print the names of the benchmarks");
  bench->add_option("--lattice", lattice, "Sites in x, y, z, t; default: those of the benchmark")
      ->type_name("XxYxZxT")
      ->check(check_lattice);
  bench->add_option("--only", options.only, "Only rows whose name contains this text; default: all")
      ->type_name("TEXT");
  bench->add_option("--repeats", options.repeats, "Number of repeats; default: until the result is steady")
      ->check(CLI::Range(1, 1000000000));
  bench->add_option("--precision", options.precision, "Precision; default: all")
      ->check(CLI::IsMember(precision_names()));
  bench->add_option("--links", options.reconstruction, "Stored real numbers per link; default: all")
      ->check(
          CLI::IsMember(std::vector<int>(std::begin(all_reconstructions), std::end(all_reconstructions))));
  bench->add_option("--location", options.location, "Where to run; default: auto")
      ->check(CLI::IsMember(locations));
  bench->add_option("--rhs", options.right_hand_sides, "Number of right-hand sides")
      ->check(CLI::Range(1, 1024));
  bench->add_option("--slices", options.Ls, "Extent Ls of the fifth dimension (domain_wall); default: 12")
      ->check(CLI::Range(1, 256));
  bench->add_option("--vectors", options.vectors, "Number of near-null vectors (multigrid); default: 24")
      ->check(CLI::Range(1, 64));
  bench->add_option("--grid", grid, "Ranks in x, y, z, t; default: the grid with the smallest surface")
      ->type_name("XxYxZxT")
      ->check(check_ranks);
  bench
      ->add_option("--force-partition", options.force_partition,
                   "Direction that exchanges halos even if it is not split; may be repeated")
      ->allow_extra_args(false)
      ->check(CLI::IsMember({"x", "y", "z", "t"}));
  bench->add_option("--transport", options.transport, "How ranks exchange halos")
      ->check(
          CLI::IsMember(std::vector<std::string>{std::begin(transport_names), std::end(transport_names)}));
  bench->add_flag("--untuned", options.untuned, "Launch kernels without tuning");
  bench->add_flag("--profile", options.profile, "Print how the time of operators divides");
  bench->add_option("--json", options.json, "Also write the results to this file")->type_name("FILE");
}

void add_plot(CLI::App& app, PlotOptions& options) {
  CLI::App* plot = app.add_subcommand("plot", "Draw the contents of a result file");
  plot->add_option("FILE", options.file, "Result of a job")->required();
  plot->add_option("--output", options.output,
                   "PDF with all pages, or .png or .svg with one file for each page")
      ->type_name("FILE");
  plot->add_option("--json", options.json, "Also write the drawn numbers to this file")->type_name("FILE");
  plot->add_option("--channel", options.channels,
                   "Draw the correlators of this channel in detail, in place of the summary; may be repeated")
      ->type_name("NAME")
      ->allow_extra_args(false);
  plot->add_option("--momentum", options.momentum,
                   "Draw the correlators of this momentum and of momenta that are equal by symmetry, or of "
                   "this p^2, in detail")
      ->type_name("X,Y,Z");
  plot->add_option("--window", options.windows,
                   "Fit only these time slices, of all channels or of one; may be repeated")
      ->type_name("[NAME=]FIRST:LAST")
      ->allow_extra_args(false);
  plot->add_option("--weights", options.weights,
                   "Reweighting factors: lines of trajectory and weight, or a dataset of HDF5; all means are "
                   "<w O>/<w>")
      ->type_name("FILE[:/DATASET]");
  plot->add_option("--blind", options.blind,
                   "Multiply correlators, or those of one channel, by secret factors that follow from NAME; "
                   "may be repeated")
      ->type_name("[CHANNEL=]NAME")
      ->allow_extra_args(false);
  plot->add_flag("--windows", options.stability,
                 "Draw masses and chi^2/dof of fits against the first time slice of their window");
  plot->add_flag("--all", options.all, "Draw everything: the summary and a page for each correlator");
}

struct PassedOption {
  const char* name;
  const char* values;  // as the help calls them; empty: a flag
  const char* meaning;
  int count = 1;  // of values
};

// Options of the Python package, which checks the values.
constexpr PassedOption analyse_options[] = {
    {"--json", "FILE", "Also write all numbers to this file"},
    {"--export", "FORMAT FILE", "Also write them for pyerrors, gvar, hdf5, hadrons or csv; may be repeated",
     2},
    {"--channel", "NAME", "Only correlators of this channel; may be repeated"},
    {"--momentum", "X,Y,Z", "Only correlators of this momentum and of momenta that are equal by symmetry"},
    {"--sink", "SINK", "Only correlators of this sink: point or smeared"},
    {"--fit", "KIND", "correlated, uncorrelated or auto: correlated where there are enough configurations"},
    {"--states", "NUMBER", "Number of states in fits, 1 or 2; default: an average over both"},
    {"--window", "[NAME=]FIRST:LAST",
     "Fit only these time slices, of all channels or of one; may be repeated"},
    {"--all-windows", "", "Print whole tables of fit windows"},
    {"--derived", "FORMULA",
     "Print a function of masses, for example pion/rho; usual: the usual ones; may be repeated"},
    {"--extrapolate", "FORMULA",
     "Fit this number of several ensembles; each FILE is then one ensemble: FILE[,FILE...][,NAME=VALUE...]"},
    {"--against", "FORMULA", "Variable x of the fit y = p0 + p1 x1 + ..., for example 1/t0; may be repeated"},
    {"--at", "X1,X2,...", "Print the fit at this point; may be repeated"},
    {"--gevp", "T0[,T1]",
     "Generalised eigenvalue problem of all operators from T0 on; with T1: its vectors are fixed at T1; "
     "default: 2,4, of point and smeared alone"},
    {"--blind", "[CHANNEL=]NAME",
     "Multiply correlators and three-point functions, or those of one channel or current, by secret factors "
     "that follow from NAME; may be repeated"},
    {"--weights", "FILE[:/DATASET]",
     "Reweighting factors: lines of trajectory and weight, or a dataset of HDF5; all means are <w O>/<w>; "
     "with --extrapolate one for all, or one for each FILE in their order, none for no weights"},
    {"--skip", "ROWS", "Leave out these rows of histories; default: the thermalisation"},
    {"--window-factor", "S", "S of the window of autocorrelations; default: 2"},
    {"--tau-exp", "TIME",
     "Slowest autocorrelation time in steps between configurations; adds the tail of slow modes"},
    {"--bins", "NUMBER", "Number of bins of jackknife and bootstrap; default: by the autocorrelation time"},
    {"--samples", "NUMBER", "Number of bootstrap samples; default: 500"},
    {"--seed", "NUMBER", "Seed of the bootstrap; default: 1"},
    {"--sqrt-t0", "FM", "The square root of t0 in fm; default: 0.1465"},
    {"--w0", "FM", "w0 in fm; default: 0.1755"},
    {"--z-axial", "Z", "Z_A of decay constants with its error, for example 0.80(2); default: 1, bare"},
};

void add_analyse(CLI::App& app, AnalyseOptions& options) {
  CLI::App* analyse = app.add_subcommand("analyse", "Compute numbers with errors from result files");
  analyse->add_option("FILE", options.files, "Results of jobs; results of the same job are combined")
      ->required();
  for (const auto& passed : analyse_options) {
    const std::string name = passed.name;
    if (passed.values[0] == '\0') {
      analyse->add_flag_callback(
          name, [&options, name] { options.options.push_back(name); }, passed.meaning);
      continue;
    }
    const auto pass = [&options, name, count = passed.count](const std::vector<std::string>& values) {
      for (std::size_t i = 0; i < values.size(); i += count) {
        options.options.push_back(name + (count == 1 ? "=" + values[i] : ""));
        if (count > 1)
          options.options.insert(options.options.end(), values.begin() + i, values.begin() + i + count);
      }
    };
    analyse->add_option_function<std::vector<std::string>>(name, pass, passed.meaning)
        ->type_name(passed.values)
        ->type_size(passed.count)
        ->allow_extra_args(false);
  }
}

void add_selftest(CLI::App& app, SelftestOptions& options) {
  CLI::App* test = app.add_subcommand("selftest", "Check that plaq computes correctly on this machine");
  test->add_option(
          "PART", options.part,
          "hmc: forces, pseudofermions, reversibility and integrators of molecular dynamics; default: "
          "what every job needs")
      ->check(CLI::IsMember({"hmc"}));
  test->add_option("--location", options.location, "Where to run; default: auto")
      ->check(CLI::IsMember(locations));
}

void add_schema(CLI::App& app, SchemaOptions& options) {
  CLI::App* schema = app.add_subcommand("schema", "Show the keys of job files");
  schema->add_option("JOBTYPE", options.job, "Job type; default: all");
  auto* json = schema->add_flag("--json", options.json, "Print JSON");
  auto* markdown = schema->add_flag("--markdown", options.markdown, "Print Markdown");
  schema->add_flag("--example", options.example, "Print a job file with all keys")
      ->excludes(json)
      ->excludes(markdown);
  json->excludes(markdown);
}

void add_explain(CLI::App& app, ExplainOptions& options) {
  CLI::App* explain = app.add_subcommand("explain", "Explain an exit code");
  explain->add_option("CODE", options.code, "Exit code or its name; default: all");
}

void add_networks(CLI::App& command, std::vector<std::string>& networks) {
  command
      .add_option("--network", networks,
                  "Predict times from this JSON file of plaq bench network, wilson_hop, wilson_operator, "
                  "multigrid or krylov; may be repeated")
      ->type_name("FILE")
      ->allow_extra_args(false);
}

void add_model(CLI::App& app, ModelOptions& options) {
  CLI::App* model = app.add_subcommand(
      "model", "Predict up to how many GPUs operators and solvers scale (docs/scaling.md)");
  add_networks(*model, options.networks);
}

void add_plan(CLI::App& app, PlanOptions& options, bool& cost) {
  CLI::App* plan = app.add_subcommand("plan", "Show what a job would need and write, without running it");
  plan->add_option("JOB", options.run.job_file, "Job file (TOML)")->required();
  plan->add_option("--set", options.run.overrides, "Set a key of the job file; may be repeated")
      ->type_name("TABLE.KEY=VALUE")
      ->allow_extra_args(false);
  plan->add_option("--ranks", options.ranks, "Number of ranks; default: the number that was started")
      ->check(CLI::Range(1, 100000000));
  plan->add_option("--ranks-per-node", options.ranks_per_node,
                   "Number of ranks on each node; default: all on one node, or that of the machine")
      ->check(CLI::Range(1, 100000000));
  plan->add_option("--location", options.location, "Location of the job; default: that of the job file")
      ->check(CLI::IsMember({"host", "gpu"}));
  plan->add_option("--gpu", options.gpu, "Predict times on the GPUs of this machine")
      ->check(CLI::IsMember(machine_names()));
  add_networks(*plan, options.networks);
  plan->add_option("--assume", options.assumptions,
                   "Assume numbers that depend on the data: iterations=N (of a solve), iterations:TERM=N (of "
                   "a term of an hmc job), coarse_iterations=N "
                   "(of a coarse solve within a multigrid cycle), sweeps=N (of gauge fixing), "
                   "temporal_gauge=yes or no, configurations=N (--cost); may be repeated")
      ->type_name("NAME=VALUE")
      ->allow_extra_args(false);
  plan->add_flag("--cost", cost,
                 "Show the node hours of a configuration on 1, 2, 4, ... GPUs, up to --ranks, and the "
                 "cheapest and the fastest number; default of --gpu: H200s");
  plan->add_flag("--json", options.json, "Print JSON");
}

void add_results(CLI::App& app, std::optional<Command>& called) {
  CLI::App* results = app.add_subcommand("results", "Join results, or take a snapshot of a running job");
  results->require_subcommand(1);
  const auto join = std::make_shared<JoinResultsOptions>();
  CLI::App* command =
      results->add_subcommand("join", "Join the results of one job on different gauge fields");
  command->add_option("OUT", join->output, "File to write")->required();
  command->add_option("IN", join->inputs, "Results of jobs, in the order of their rows")->required();
  command->add_flag("--overwrite", join->overwrite, "Replace OUT if it exists");
  command->callback([&called, join] { called = SerialWork{[join] { return join_results(*join); }}; });

  const auto snapshot = std::make_shared<SnapshotOptions>();
  command = results->add_subcommand("snapshot", "Write the finished part of a job, which may be running");
  command->add_option("JOB", snapshot->job_file, "Job file (TOML)")->required();
  command->add_option("OUT", snapshot->output, "File to write")->required();
  command->add_option("--set", snapshot->overrides, "Set a key of the job file; may be repeated")
      ->type_name("TABLE.KEY=VALUE")
      ->allow_extra_args(false);
  command->callback(
      [&called, snapshot] { called = ParallelWork{[snapshot] { return snapshot_results(*snapshot); }}; });
}

}  // namespace

Command parse_command_line(int argc, const char* const* argv) {
  CLI::App app("plaq: lattice QCD on many GPUs, on one, or without a GPU", "plaq");
  app.require_subcommand(1);
  app.set_version_flag("--version", "plaq " + std::string(version()));
  RunOptions run;
  InfoOptions info;
  ConvertOptions convert;
  BenchOptions bench;
  SelftestOptions selftest;
  PlotOptions plot;
  AnalyseOptions analyse;
  SchemaOptions schema;
  ExplainOptions explain;
  PlanOptions plan;
  ModelOptions model;
  std::string lattice, grid;
  bool strict_binding = false, submit = false, cost = false;
  std::optional<Command> work;  // of commands with commands of their own
  add_run(app, run, strict_binding, submit);
  add_info(app, info);
  add_convert(app, convert);
  add_bench(app, bench, lattice, grid);
  add_selftest(app, selftest);
  add_plot(app, plot);
  add_analyse(app, analyse);
  add_schema(app, schema);
  add_explain(app, explain);
  add_plan(app, plan, cost);
  add_model(app, model);
  add_results(app, work);
  add_campaign(app, work);
  // Commands would take over a footer that is set before them.
  app.footer("plaq COMMAND --help shows the options of a command, plaq schema the keys of job files.");

  const auto called = [&](const char* name) { return app.got_subcommand(name); };
  std::vector<std::string> commands;
  for (const CLI::App* command : app.get_subcommands([](const CLI::App*) { return true; }))
    commands.push_back(command->get_name());
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
  if (strict_binding) run.overrides.emplace_back("run.strict_binding=true");
  if (work) return *work;
  if (called("run") && (submit || !run.generate.empty()))
    return SerialWork{[run, submit] { return generate_scripts(run, submit); }};
  if (called("run")) return run;
  if (called("info")) return info;
  if (called("convert")) return convert;
  if (called("selftest")) return selftest;
  if (called("plot")) return plot;
  if (called("analyse")) return analyse;
  if (called("explain")) return explain;
  if (called("plan") && cost) return CostOptions{plan};
  if (called("plan")) return plan;
  if (called("model")) return model;
  if (called("schema")) {
    if (schema.example && schema.job.empty())
      throw Error(ErrorKind::usage, "schema: JOBTYPE is missing; an example is of one job type");
    return schema;
  }
  if (bench.name.empty() && !bench.list)
    throw Error(ErrorKind::usage, "bench: NAME is missing; plaq bench --list shows the benchmarks");
  if (!lattice.empty()) bench.lattice = parse_lattice(lattice);
  if (!grid.empty()) bench.grid = parse_four(grid);
  return bench;
}

}  // namespace plaq::jobs
