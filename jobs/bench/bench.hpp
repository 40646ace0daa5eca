// Benchmarks: each is one function that declares its sweep and fills rows. A row's share is of the bandwidth
// that copy and triad reach in the same run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "comms/placement/launch_site.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/rates/operator_rates.hpp"

namespace plaq::jobs {

// Of g after so many sweeps of gauge fixing.
struct DriftPoint {
  int sweeps = 0;
  double average = 0, largest = 0;  // |g g^dagger - 1| of the stored rows, over sites
  double functional = 0;
  double deviation = 0;  // of the functional, relative to its last value in double precision
};

struct BenchRow {
  std::string name;     // what was measured
  std::string lattice;  // global extents
  std::string grid;     // process grid
  std::string precision;
  int link_reals = 0;  // of stored links; 0: none are, or it is no choice
  int right_hand_sides = 1;
  int samples = 0;
  double microseconds = 0, least = 0, most = 0;  // median, minimum, maximum of one application
  double flops = 0, bytes = 0;                   // of one application on one rank, bytes the fewest possible
  double share = 0;                              // bytes a second over this run's bandwidth
  std::string check;                             // how the result was verified in this run
  std::vector<std::pair<std::string, double>> timeline;  // microseconds, where the benchmark has one
  std::vector<std::pair<double, double>> curve;          // epsilon, proportion: of bench_accuracy alone
  std::vector<DriftPoint> drift;                         // of bench_gaugefix_drift alone
  // Of bench_network alone: by what and between whom faces travelled, and numbers that rows of other
  // benchmarks do not have (jobs/bench/bench_network.cpp).
  std::string transport, where;
  std::vector<std::pair<std::string, double>> numbers;
  double number(const std::string& name) const;  // 0: there is none
};

// A lattice over all ranks, and how its faces travel.
struct BenchLattice {
  std::unique_ptr<ProcessGrid> grid;
  GeometryPtr geometry;
  std::shared_ptr<Transport> transport;
};

struct BenchContext {
  const BenchOptions& options;
  LaunchSite site;
  double stream_bandwidth = 0;  // bytes a second, read plus written, of one rank
  int ranks = 1, nodes = 1;
  std::shared_ptr<Profiler> profiler = nullptr;  // where one was asked for

  // Where kernels run; their launches are tuned unless that was declined.
  Queue queue() const;
  // The same, untuned.
  Queue plain_queue() const { return Queue(site.location, nullptr, profiler); }
  // What was asked for: of fields that are computed with; of Dirac operators.
  std::vector<Precision> precisions() const;
  std::vector<LinkStorage> storages() const;
  Extents lattice(const Extents& usual) const;
  // Collective: the lattice that was asked for, else the usual one, with the process grid and transport that
  // were asked for. One rank exchanges faces with itself in the directions `alone` (bit mu).
  BenchLattice share(const Extents& usual, std::uint32_t alone = 0) const;
  // Whether rows of this name were asked for.
  bool wants(const std::string& row) const { return row.find(options.only) != std::string::npos; }
  int right_hand_sides(int usual) const {
    return options.right_hand_sides > 0 ? options.right_hand_sides : usual;
  }
  std::vector<int> batches() const {
    return options.right_hand_sides > 0 ? std::vector<int>{options.right_hand_sides}
                                        : std::vector<int>{1, 12};
  }
};

using Benchmark = std::vector<BenchRow> (*)(const BenchContext&);
struct NamedBenchmark {
  const char* name;
  const char* meaning;
  Benchmark run;
};
const std::vector<NamedBenchmark>& benchmarks();

// measure() with the repetitions that were asked for.
template <class Apply>
Samples measure(const BenchContext& context, const Queue& queue, Apply&& apply) {
  return measure(queue, context.options.repeats, apply);
}

// bench_network with messages of 64 B to `most_bytes`.
std::vector<BenchRow> network_rows(const BenchContext& context, std::size_t most_bytes);
// What bench_network found, as tables for people (jobs/bench/network_report.cpp).
std::string network_text(const std::vector<BenchRow>& rows);
// What bench_gaugefix_drift found, a line for each point and columns for each row
// (jobs/bench/drift_report.cpp).
std::string drift_text(const std::vector<BenchRow>& rows);

// A row of an operator.
BenchRow operator_row(const std::string& name, const Geometry& geometry, const std::string& grid,
                      const LinkStorage& storage, int rhs, const OperatorRate& rate);

std::vector<BenchRow> bench_accuracy(const BenchContext& context);
std::vector<BenchRow> bench_bandwidth(const BenchContext& context);
std::vector<BenchRow> bench_domain_wall(const BenchContext& context);
std::vector<BenchRow> bench_gauge(const BenchContext& context);
std::vector<BenchRow> bench_gaugefix(const BenchContext& context);
std::vector<BenchRow> bench_gaugefix_acceleration(const BenchContext& context);
std::vector<BenchRow> bench_gaugefix_drift(const BenchContext& context);
std::vector<BenchRow> bench_krylov(const BenchContext& context);
std::vector<BenchRow> bench_lanczos(const BenchContext& context);
std::vector<BenchRow> bench_network(const BenchContext& context);
std::vector<BenchRow> bench_quark(const BenchContext& context);
std::vector<BenchRow> bench_staggered(const BenchContext& context);
std::vector<BenchRow> bench_staggered_overlap(const BenchContext& context);
std::vector<BenchRow> bench_wilson_hop(const BenchContext& context);
std::vector<BenchRow> bench_wilson_operator(const BenchContext& context);
std::vector<BenchRow> bench_wilson_overlap(const BenchContext& context);

}  // namespace plaq::jobs
