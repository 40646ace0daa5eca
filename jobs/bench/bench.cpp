#include "jobs/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <ranges>
#include <set>

#include "comms/grid/first_rank.hpp"
#include "comms/grid/node_map.hpp"
#include "comms/grid/world.hpp"
#include "core/field/storages.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/error.hpp"
#include "core/system/nearest.hpp"
#include "core/system/timer.hpp"
#include "core/system/version.hpp"
#include "gaugefix/sweep/su3_view.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/rates/stream.hpp"
#include "jobs/run/profile_report.hpp"

namespace plaq::jobs {

const std::vector<NamedBenchmark>& benchmarks() {
  static const std::vector<NamedBenchmark> all = {
      {"accuracy", "even-odd Wilson operator in every storage: how far off its results are, and its speed",
       bench_accuracy, accuracy_text},
      {"bandwidth", "copy and triad through plaq's own launch: the limit for the others", bench_bandwidth},
      {"domain_wall", "domain-wall operators: hopping term of all slices, M5, even-odd operator",
       bench_domain_wall},
      {"gauge", "smearing, asqtad links, Wilson flow and observables of gauge fields", bench_gauge},
      {"gaugefix",
       "updates of gauge fixing: relaxation and annealing in Landau, Coulomb and maximally Abelian gauge",
       bench_gaugefix},
      {"gaugefix_acceleration",
       "time to Landau and Coulomb gauge on a field at beta = 6.0: overrelaxations and accelerated ascent",
       bench_gaugefix_acceleration},
      {"gaugefix_drift",
       "what rounding does to a gauge transformation and the functional in thousands of sweeps",
       bench_gaugefix_drift, drift_text},
      {"krylov", "vector updates and sums of Krylov solvers, and a wait for sums", bench_krylov},
      {"lanczos", "Lanczos on the full Wilson operator times its adjoint, alone and with a Chebyshev filter",
       bench_lanczos},
      {"multigrid",
       "kernels of multigrid: transfers, coarse operators by lattice, dense inverses, smoothing, setups, "
       "cycles",
       bench_multigrid},
      {"network",
       "exchanges of faces through every transport, global sums, launches and copies: constants of plaq plan",
       bench_network, network_text},
      {"quark", "smearing of quark fields and contractions of propagators", bench_quark},
      {"staggered", "staggered hopping terms on one parity, one-link and improved, in every storage",
       bench_staggered},
      {"staggered_overlap", "the same as wilson_overlap of the staggered hopping term, 28x28x28x96",
       bench_staggered_overlap, overlap_text},
      {"subjects", "all that scaling studies measure, of clover quarks: operators, methods, sweeps",
       bench_subjects},
      {"wilson_hop", "Wilson hopping term on one parity, in every storage", bench_wilson_hop},
      {"wilson_operator", "even-odd Wilson and clover operators, and how long a clover term takes to make",
       bench_wilson_operator},
      {"wilson_overlap", "how the hopping term hides its halo exchange: when each step begins and ends",
       bench_wilson_overlap, overlap_text},
  };
  return all;
}

Queue Bench::queue() const {
  if (options.untuned) return plain_queue();
  return Queue(site.location, std::make_shared<Tuner>(TuneMode::on, machine_at(site.location, version())),
               profiler);
}

std::vector<Precision> Bench::all_precisions() const {
  std::vector<Precision> all;
  for (const Precision precision : std::views::reverse(plaq::all_precisions))
    if (options.precision.empty() || options.precision == name_of(precision)) all.push_back(precision);
  return all;
}

std::vector<Precision> Bench::precisions() const {
  if (options.precision == "half")
    throw Error(ErrorKind::usage, fmt::format("benchmark '{}' has nothing in half precision", options.name));
  auto all = all_precisions();
  std::erase(all, Precision::half_precision);
  return all;
}

std::vector<StudyStorage> Bench::storages() const {
  std::vector<StudyStorage> all;
  for (const Precision precision : all_precisions())
    for (const int reals : all_link_reals)
      if (options.link_reals == 0 || options.link_reals == reals) all.emplace_back(precision, reals);
  return all;
}

std::vector<StudyStorage> Bench::storages_in_temporal_gauge() const {
  auto all = storages();
  std::erase_if(all, [](const StudyStorage& storage) { return storage.reals == 8; });
  return all;
}

std::vector<StudyStorage> Bench::storages_of(const Subject& what) const {
  std::vector<StudyStorage> all;
  for (const StudyStorage& storage : storages()) {
    if (what.takes(storage)) all.push_back(storage);
    // "single" has what is mixed with it.
    const StudyStorage mixed(storage, true);
    if (storage.precision == Precision::single_precision && what.takes(mixed)) all.push_back(mixed);
  }
  return all;
}

std::vector<StudyStorage> Bench::storages_of_sweeps() const {
  precisions();  // throws where there are none
  const auto all = storages_of(subject("gauge_fixing"));
  if (all.empty())
    throw Error(ErrorKind::usage,
                fmt::format("benchmark '{}' has links of {} reals", options.name, link_reals_of_sweeps));
  return all;
}

void Bench::share(const Extents& on_gpu, const Extents& on_host, std::uint32_t alone) {
  const Extents extents = options.lattice.value_or(location() == Location::device ? on_gpu : on_host);
  const int of_a_node = ranks_per_node(nodes_of(world()));
  Sharing sharing;
  sharing.grid = options.grid ? *options.grid : choose_grid(ranks, extents, of_a_node);
  sharing.block = choose_block(sharing.grid, extents, of_a_node);
  for (const std::string& mu : options.force_partition)
    sharing.forced |= 1u << std::string_view("xyzt").find(mu);
  if (sharing.forced == 0 && ranks == 1) sharing.forced = alone;
  const TransportKind wanted = *transport_kind(options.transport);
  // What a rank exchanges with itself is to be measured, not saved.
  const bool alone_is_host = wanted == TransportKind::automatic && ranks == 1;
  lattice.emplace(world(), extents, sharing, [&](const ProcessGrid& on) {
    return choose_transport(on, location(), alone_is_host ? TransportKind::host : wanted);
  });
}

BenchRow& Bench::add(const std::string& name, const StudyStorage& storage, int rhs,
                     const Measured& measured) {
  BenchRow row;
  row.name = name;
  if (lattice) {
    row.lattice = to_string(geometry()->global());
    row.grid = to_string(grid().ranks());
  }
  row.precision = storage.mixed ? "mixed" : name_of(storage.precision);
  row.link_reals = storage.reals;
  row.right_hand_sides = rhs;
  row.measured = measured;
  return rows.emplace_back(row);
}

void Bench::add_subject(const std::string& name, std::string_view key, const RateProblem& problem,
                        const ActionPtr& action, const std::vector<StudyStorage>& storages, int rhs) {
  if (storages.empty() || !wants(name)) return;
  const Subject& what = subject(key);
  const auto rated = what.fixes_gauge() ? nullptr : make_rated_action(problem, action);
  SubjectProblem here{problem, rated.get()};
  here.looks_closer = false;
  const auto found = what.measure(here, key, storages, rhs);
  for (std::size_t i = 0; i < found.size(); ++i) add(name, storages[i], rhs, found[i]);
}

double BenchRow::number(const char* name) const {
  const auto numbers = more.find("numbers");
  return numbers == more.end() ? 0 : numbers->value(name, 0.0);
}

namespace {

const NamedBenchmark& find_benchmark(const std::string& name) {
  std::vector<std::string> names;
  for (const auto& b : benchmarks()) {
    if (b.name == name) return b;
    names.emplace_back(b.name);
  }
  throw Error(ErrorKind::usage, fmt::format("unknown benchmark '{}'; {}", name, nearest_hint(name, names)));
}

double share_of_stream(const Bench& bench, const BenchRow& row) {
  return row.measured.bytes_per_second() / bench.stream_bandwidth;
}

// Rows with numbers of their own are not in it.
void print_table(const Bench& bench) {
  fmt::print(
      "{} on {}, {} thread(s) a rank; memory {:.1f} GB/s a rank in this run (best of copy and triad)\n",
      version(), bench.location() == Location::device ? bench.site.device_name : "the host",
      bench.site.threads, 1e-9 * bench.stream_bandwidth);
  std::size_t width = 16;
  for (const auto& r : bench.rows) width = std::max(width, r.name.size());
  fmt::print("{:<{}} {:<13} {:<9} {:<9} {:>5} {:>3} {:>11} {:>21} {:>9} {:>9} {:>7}  {}\n", "benchmark",
             width, "lattice", "grid", "prec", "links", "rhs", "us", "least..most", "TFLOPS", "GB/s", "share",
             "check");
  for (const auto& r : bench.rows) {
    if (r.more.contains("numbers")) continue;
    const Measured& m = r.measured;
    fmt::print(
        "{:<{}} {:<13} {:<9} {:<9} {:>5} {:>3} {:>11.2f} {:>10.2f}..{:<9.2f} {:>9.4f} {:>9.1f} {:>6.1f}%  "
        "{}\n",
        r.name, width, r.lattice, r.grid, r.precision, r.link_reals > 0 ? std::to_string(r.link_reals) : "",
        r.right_hand_sides, m.samples.median, m.samples.least, m.samples.most, 1e-12 * m.flops_per_second(),
        1e-9 * m.bytes_per_second(), 100 * share_of_stream(bench, r), m.check);
  }
}

nlohmann::json to_json(const Bench& bench) {
  nlohmann::json out = {{"version", std::string(version())},
                        {"location", std::string(name_of(bench.location()))},
                        {"device", bench.site.device_name},
                        {"transport", bench.options.transport},
                        {"threads_per_rank", bench.site.threads},
                        {"ranks", bench.ranks},
                        {"nodes", bench.nodes},
                        {"stream_bytes_per_second", bench.stream_bandwidth},
                        {"rows", nlohmann::json::array()}};
  for (const auto& r : bench.rows) {
    const Measured& m = r.measured;
    out["rows"].push_back(
        {{"name", r.name},
         {"lattice", r.lattice},
         {"process_grid", r.grid},
         {"precision", r.precision},
         {"link_reals", r.link_reals},
         {"right_hand_sides", r.right_hand_sides},
         {"samples", m.samples.count},
         {"microseconds",
          {{"median", m.samples.median}, {"least", m.samples.least}, {"most", m.samples.most}}},
         {"flops_per_rank", m.work.flops},
         {"bytes_per_rank", m.work.bytes},
         {"share_of_stream_bandwidth", share_of_stream(bench, r)},
         {"check", m.check},
         {"timeline_microseconds", nlohmann::json::array()}});
    out["rows"].back().update(r.more);
  }
  return out;
}

}  // namespace

int run_bench(const BenchOptions& options) {
  const Communicator all = world();
  const int rank = all.rank();
  if (options.list) {
    if (rank == 0)
      for (const auto& b : benchmarks()) fmt::print("{:<16} {}\n", b.name, b.meaning);
    return 0;
  }
  const NamedBenchmark& benchmark = find_benchmark(options.name);
  if (!options.json.empty())
    on_first_rank([&] {
      expect_json_or_nothing(options.json);
      check_output(options.json, true);
    });
  Bench bench{options, choose_launch_site(all, options.location, 0)};
  const std::vector<int> nodes = nodes_of(all);
  bench.ranks = static_cast<int>(nodes.size());
  bench.nodes = static_cast<int>(std::set<int>(nodes.begin(), nodes.end()).size());
  bench.stream_bandwidth = stream_bandwidth(bench.location(), options.repeats);
  if (options.profile) bench.profiler = std::make_shared<Profiler>(bench.location());
  const Timer timer;
  benchmark.run(bench);
  const double seconds = timer.seconds();
  std::erase_if(bench.rows, [&](const BenchRow& r) { return !bench.wants(r.name); });
  if (rank == 0) {
    print_table(bench);
    if (benchmark.text != nullptr && !bench.rows.empty()) fmt::print("{}", benchmark.text(bench.rows));
    std::fflush(stdout);
    if (!options.json.empty()) write_atomically(options.json, to_json(bench).dump(2) + "\n", true);
  }
  if (bench.profiler) report_profile(all, *bench.profiler, seconds, "");
  return 0;
}

}  // namespace plaq::jobs
