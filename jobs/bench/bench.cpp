#include "jobs/bench/bench.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>
#include <ranges>
#include <set>

#include "comms/grid/node_map.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/error.hpp"
#include "core/system/profiler.hpp"
#include "core/system/timer.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/common/collective_check.hpp"
#include "jobs/common/nearest.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/common/storages.hpp"
#include "jobs/common/version.hpp"
#include "jobs/rates/stream.hpp"
#include "jobs/run/profile_report.hpp"

namespace plaq::jobs {

const std::vector<NamedBenchmark>& benchmarks() {
  static const std::vector<NamedBenchmark> all = {
      {"accuracy", "even-odd Wilson operator in every storage: how far off its results are, and its speed",
       bench_accuracy},
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
       bench_gaugefix_drift},
      {"krylov", "vector updates and sums of Krylov solvers, and a wait for sums", bench_krylov},
      {"lanczos", "Lanczos on the full Wilson operator times its adjoint, alone and with a Chebyshev filter",
       bench_lanczos},
      {"network",
       "exchanges of faces through every transport, global sums, launches and copies: constants of plaq plan",
       bench_network},
      {"quark", "smearing of quark fields and contractions of propagators", bench_quark},
      {"staggered", "staggered hopping terms on one parity, one-link and improved, in every storage",
       bench_staggered},
      {"staggered_overlap", "the same as wilson_overlap of the staggered hopping term, 28x28x28x96",
       bench_staggered_overlap},
      {"wilson_hop", "Wilson hopping term on one parity, in every storage", bench_wilson_hop},
      {"wilson_operator", "even-odd Wilson and clover operators, and how long a clover term takes to make",
       bench_wilson_operator},
      {"wilson_overlap", "how the hopping term hides its halo exchange: when each step begins and ends",
       bench_wilson_overlap},
  };
  return all;
}

Queue BenchContext::queue() const {
  if (options.untuned) return plain_queue();
  return Queue(site.location, std::make_shared<Tuner>(TuneMode::on, machine_at(site.location, version())),
               profiler);
}

std::vector<Precision> BenchContext::precisions() const {
  if (options.precision == "double") return {Precision::double_precision};
  if (options.precision == "single") return {Precision::single_precision};
  if (options.precision == "half")
    throw Error(ErrorKind::usage, fmt::format("benchmark '{}' has nothing in half precision", options.name));
  return {Precision::single_precision, Precision::double_precision};
}

std::vector<LinkStorage> BenchContext::storages() const {
  std::vector<LinkStorage> all;
  for (const Precision precision : std::views::reverse(all_precisions))
    for (const int reals : all_link_reals)
      if ((options.precision.empty() || options.precision == name_of(precision)) &&
          (options.link_reals == 0 || options.link_reals == reals))
        all.push_back({precision, reals});
  return all;
}

Extents BenchContext::lattice(const Extents& usual) const { return options.lattice.value_or(usual); }

BenchLattice BenchContext::share(const Extents& usual, std::uint32_t alone) const {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Extents extents = lattice(usual);
  const int of_a_node = ranks_per_node(nodes_of(MPI_COMM_WORLD));
  const Extents shape = options.grid ? *options.grid : choose_grid(ranks, extents, of_a_node);
  BenchLattice all;
  all.grid = std::make_unique<ProcessGrid>(MPI_COMM_WORLD, shape, choose_block(shape, extents, of_a_node));
  std::uint32_t forced = 0;
  for (const std::string& mu : options.force_partition) forced |= 1u << std::string_view("xyzt").find(mu);
  all.geometry = all.grid->geometry(extents, forced != 0 || ranks > 1 ? forced : alone);
  const TransportKind wanted = *transport_kind(options.transport);
  // What a rank exchanges with itself is to be measured, not saved.
  const bool saved = wanted == TransportKind::automatic && all.grid->size() == 1;
  all.transport = saved ? make_host_transport(*all.grid, site.location)
                        : choose_transport(*all.grid, site.location, wanted).transport;
  return all;
}

double BenchRow::number(const std::string& name) const {
  const auto found =
      std::find_if(numbers.begin(), numbers.end(), [&](const auto& known) { return known.first == name; });
  return found == numbers.end() ? 0 : found->second;
}

BenchRow operator_row(const std::string& name, const Geometry& geometry, const std::string& grid,
                      const LinkStorage& storage, int rhs, const OperatorRate& rate) {
  BenchRow r;
  r.name = name;
  r.lattice = to_string(geometry.global());
  r.grid = grid;
  r.precision = name_of(storage.precision);
  r.link_reals = storage.reals;
  r.right_hand_sides = rhs;
  r.samples = rate.samples.count;
  r.microseconds = rate.samples.median, r.least = rate.samples.least, r.most = rate.samples.most;
  r.flops = rate.work.flops;
  r.bytes = rate.work.bytes;
  r.check = rate.check;
  return r;
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

void print_timeline(const BenchRow& r) {
  fmt::print("timeline of {} {} on {}, {}, {} right-hand side(s), microseconds after the exchange began:\n",
             r.name, r.lattice, r.grid, r.precision, r.right_hand_sides);
  for (const auto& [step, time] : r.timeline) fmt::print("  {:<34} {:>10.2f}\n", step, time);
}

// A line for each epsilon at which any curve has begun, the proportion of each row in a column.
void print_curves(const std::vector<BenchRow>& rows) {
  if (rows.empty() || rows.front().curve.empty()) return;
  fmt::print("proportion of components that are off by epsilon or more:\n{:<8}", "epsilon");
  for (const auto& r : rows) fmt::print(" {:>9}", r.precision);
  fmt::print("\n");
  for (std::size_t i = 0; i < rows.front().curve.size(); ++i) {
    double most = 0, least = 1;
    for (const auto& r : rows) {
      most = std::max(most, r.curve[i].second);
      if (r.curve[i].second > 0) least = std::min(least, r.curve[i].second);
    }
    if (most == 0 || least == 1) continue;
    fmt::print("{:<8.0e}", rows.front().curve[i].first);
    for (const auto& r : rows) fmt::print(" {:>9.2g}", r.curve[i].second);
    fmt::print("\n");
  }
}

void print_table(const BenchContext& context, const std::vector<BenchRow>& rows) {
  fmt::print(
      "{} on {}, {} thread(s) a rank; memory {:.1f} GB/s a rank in this run (best of copy and triad)\n",
      version(), context.site.location == Location::device ? context.site.device_name : "the host",
      context.site.threads, 1e-9 * context.stream_bandwidth);
  std::size_t width = 16;
  for (const auto& r : rows) width = std::max(width, r.name.size());
  fmt::print("{:<{}} {:<13} {:<9} {:<9} {:>5} {:>3} {:>11} {:>21} {:>9} {:>9} {:>7}  {}\n", "benchmark",
             width, "lattice", "grid", "prec", "links", "rhs", "us", "least..most", "TFLOPS", "GB/s", "share",
             "check");
  for (const auto& r : rows) {
    if (!r.numbers.empty()) continue;
    fmt::print(
        "{:<{}} {:<13} {:<9} {:<9} {:>5} {:>3} {:>11.2f} {:>10.2f}..{:<9.2f} {:>9.4f} {:>9.1f} {:>6.1f}%  "
        "{}\n",
        r.name, width, r.lattice, r.grid, r.precision, r.link_reals > 0 ? std::to_string(r.link_reals) : "",
        r.right_hand_sides, r.microseconds, r.least, r.most, 1e-6 * r.flops / r.microseconds,
        1e-3 * r.bytes / r.microseconds, 100 * r.share, r.check);
  }
  for (const auto& r : rows)
    if (!r.timeline.empty()) print_timeline(r);
  print_curves(rows);
  fmt::print("{}{}", drift_text(rows), network_text(rows));
  std::fflush(stdout);
}

nlohmann::json to_json(const BenchContext& context, const std::vector<BenchRow>& rows) {
  nlohmann::json out;
  out["version"] = std::string(version());
  out["location"] = std::string(name_of(context.site.location));
  out["device"] = context.site.device_name;
  out["transport"] = context.options.transport;
  out["threads_per_rank"] = context.site.threads;
  out["ranks"] = context.ranks;
  out["nodes"] = context.nodes;
  out["stream_bytes_per_second"] = context.stream_bandwidth;
  out["rows"] = nlohmann::json::array();
  for (const auto& r : rows) {
    out["rows"].push_back(
        {{"name", r.name},
         {"lattice", r.lattice},
         {"process_grid", r.grid},
         {"precision", r.precision},
         {"link_reals", r.link_reals},
         {"right_hand_sides", r.right_hand_sides},
         {"samples", r.samples},
         {"microseconds", {{"median", r.microseconds}, {"least", r.least}, {"most", r.most}}},
         {"flops_per_rank", r.flops},
         {"bytes_per_rank", r.bytes},
         {"share_of_stream_bandwidth", r.share},
         {"check", r.check},
         {"timeline_microseconds", r.timeline}});
    if (!r.curve.empty()) out["rows"].back()["proportion_off_by"] = r.curve;
    for (const DriftPoint& point : r.drift)
      out["rows"].back()["drift"].push_back({{"sweeps", point.sweeps},
                                             {"average_violation", point.average},
                                             {"largest_violation", point.largest},
                                             {"functional", point.functional},
                                             {"deviation_of_functional", point.deviation}});
    if (r.numbers.empty()) continue;
    out["rows"].back()["transport"] = r.transport;
    out["rows"].back()["where"] = r.where;
    out["rows"].back()["numbers"] =
        nlohmann::json(std::map<std::string, double>(r.numbers.begin(), r.numbers.end()));
  }
  return out;
}

}  // namespace

int run_bench(const BenchOptions& options) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
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
  BenchContext context{options, choose_launch_site(MPI_COMM_WORLD, options.location, 0)};
  const std::vector<int> nodes = nodes_of(MPI_COMM_WORLD);
  context.ranks = static_cast<int>(nodes.size());
  context.nodes = static_cast<int>(std::set<int>(nodes.begin(), nodes.end()).size());
  context.stream_bandwidth = stream_bandwidth(context.site.location, options.repeats);
  if (options.profile) context.profiler = std::make_shared<Profiler>(context.site.location);
  const Timer timer;
  auto rows = benchmark.run(context);
  const double seconds = timer.seconds();
  std::erase_if(rows, [&](const BenchRow& r) { return !context.wants(r.name); });
  for (auto& r : rows) r.share = r.bytes / (1e-6 * r.microseconds) / context.stream_bandwidth;
  if (rank == 0) {
    print_table(context, rows);
    if (!options.json.empty()) write_atomically(options.json, to_json(context, rows).dump(2) + "\n", true);
  }
  if (context.profiler) report_profile(MPI_COMM_WORLD, *context.profiler, seconds, "");
  return 0;
}

}  // namespace plaq::jobs
