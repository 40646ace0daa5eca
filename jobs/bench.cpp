#include "jobs/bench.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <nlohmann/json.hpp>

#include "core/error.hpp"
#include "io/temporary_file.hpp"
#include "jobs/nearest.hpp"
#include "jobs/version.hpp"

namespace plaq::jobs {

const std::vector<NamedBenchmark>& benchmarks() {
  static const std::vector<NamedBenchmark> all = {
      {"bandwidth", "copy and triad through plaq's own launch: the limit for the others", bench_bandwidth},
      {"gauge", "smearing, Wilson flow and observables of gauge fields", bench_gauge},
      {"quark", "smearing of quark fields and contractions of propagators", bench_quark},
      {"wilson_hop", "Wilson hopping term on one parity", bench_wilson_hop},
      {"wilson_overlap", "how the hopping term hides its halo exchange: when each step begins and ends",
       bench_wilson_overlap},
  };
  return all;
}

std::vector<Precision> BenchContext::precisions() const {
  if (options.precision == "double") return {Precision::double_precision};
  if (options.precision == "single") return {Precision::single_precision};
  return {Precision::single_precision, Precision::double_precision};
}

Extents BenchContext::lattice(const Extents& usual) const { return options.lattice.value_or(usual); }

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

void print_table(const BenchContext& context, const std::vector<BenchRow>& rows) {
  fmt::print(
      "{} on {}, {} thread(s) a rank; memory {:.1f} GB/s a rank in this run (best of copy and triad)\n",
      version(), context.site.location == Location::device ? context.site.device_name : "the host",
      context.site.threads, 1e-9 * context.stream_bandwidth);
  fmt::print("{:<14} {:<13} {:<9} {:<7} {:>3} {:>11} {:>21} {:>9} {:>9} {:>7}  {}\n", "benchmark", "lattice",
             "grid", "prec", "rhs", "us", "least..most", "GFLOPS", "GB/s", "share", "check");
  for (const auto& r : rows) {
    fmt::print(
        "{:<14} {:<13} {:<9} {:<7} {:>3} {:>11.2f} {:>10.2f}..{:<9.2f} {:>9.1f} {:>9.1f} {:>6.1f}%  {}\n",
        r.name, r.lattice, r.grid, r.precision, r.right_hand_sides, r.microseconds, r.least, r.most,
        1e-3 * r.flops / r.microseconds, 1e-3 * r.bytes / r.microseconds, 100 * r.share, r.check);
  }
  for (const auto& r : rows)
    if (!r.timeline.empty()) print_timeline(r);
  std::fflush(stdout);
}

nlohmann::json to_json(const BenchContext& context, const std::vector<BenchRow>& rows) {
  nlohmann::json out;
  out["version"] = std::string(version());
  out["location"] = std::string(name_of(context.site.location));
  out["device"] = context.site.device_name;
  out["threads_per_rank"] = context.site.threads;
  out["stream_bytes_per_second"] = context.stream_bandwidth;
  out["rows"] = nlohmann::json::array();
  for (const auto& r : rows) {
    out["rows"].push_back(
        {{"name", r.name},
         {"lattice", r.lattice},
         {"process_grid", r.grid},
         {"precision", r.precision},
         {"right_hand_sides", r.right_hand_sides},
         {"samples", r.samples},
         {"microseconds", {{"median", r.microseconds}, {"least", r.least}, {"most", r.most}}},
         {"flops_per_rank", r.flops},
         {"bytes_per_rank", r.bytes},
         {"share_of_stream_bandwidth", r.share},
         {"check", r.check},
         {"timeline_microseconds", r.timeline}});
  }
  return out;
}

}  // namespace

int run_bench(const BenchOptions& options) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (options.list) {
    if (rank == 0)
      for (const auto& b : benchmarks()) fmt::print("{:<12} {}\n", b.name, b.meaning);
    return 0;
  }
  const NamedBenchmark& benchmark = find_benchmark(options.name);
  if (!options.json.empty() && rank == 0) check_output(options.json, true);
  BenchContext context{options, choose_launch_site(MPI_COMM_WORLD, options.location, 0)};
  context.stream_bandwidth = stream_bandwidth(context);
  auto rows = benchmark.run(context);
  for (auto& r : rows) r.share = r.bytes / (1e-6 * r.microseconds) / context.stream_bandwidth;
  if (rank == 0) {
    print_table(context, rows);
    if (!options.json.empty()) write_atomically(options.json, to_json(context, rows).dump(2) + "\n", true);
  }
  return 0;
}

}  // namespace plaq::jobs
