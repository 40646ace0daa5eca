// Benchmarks: each is one function that declares its sweep and fills rows. A row's share is of the bandwidth
// that copy and triad reach in the same run.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "comms/launch_site.hpp"
#include "comms/process_grid.hpp"
#include "core/queue.hpp"
#include "jobs/commands.hpp"

namespace plaq::jobs {

struct BenchRow {
  std::string name;     // what was measured
  std::string lattice;  // global extents
  std::string grid;     // process grid
  std::string precision;
  int right_hand_sides = 1;
  int samples = 0;
  double microseconds = 0, least = 0, most = 0;  // median, minimum, maximum of one application
  double flops = 0, bytes = 0;                   // of one application on one rank, bytes the fewest possible
  double share = 0;                              // bytes a second over this run's bandwidth
  std::string check;                             // how the result was verified in this run
  std::vector<std::pair<std::string, double>> timeline;  // microseconds, where the benchmark has one
};

struct BenchContext {
  const BenchOptions& options;
  LaunchSite site;
  double stream_bandwidth = 0;  // bytes a second, read plus written, of one rank

  std::vector<Precision> precisions() const;
  Extents lattice(const Extents& usual) const;
  int right_hand_sides(int usual) const {
    return options.right_hand_sides > 0 ? options.right_hand_sides : usual;
  }
};

using Benchmark = std::vector<BenchRow> (*)(const BenchContext&);
struct NamedBenchmark {
  const char* name;
  const char* meaning;
  Benchmark run;
};
const std::vector<NamedBenchmark>& benchmarks();

// Times `apply(queue)` in samples long enough for the clock, after warming up; fills the times of the row.
struct Samples {
  double median = 0, least = 0, most = 0;  // microseconds
  int count = 0;
};
template <class Apply>
Samples measure(const BenchContext& context, const Queue& queue, Apply&& apply);

// A row of a hopping term on one parity, with the fewest bytes: links once for all right-hand sides.
BenchRow hop_row(const char* name, const Geometry& geometry, const std::string& grid, Precision precision,
                 int rhs, const Samples& samples);

double stream_bandwidth(const BenchContext& context);
std::vector<BenchRow> bench_bandwidth(const BenchContext& context);
std::vector<BenchRow> bench_gauge(const BenchContext& context);
std::vector<BenchRow> bench_quark(const BenchContext& context);
std::vector<BenchRow> bench_wilson_hop(const BenchContext& context);
std::vector<BenchRow> bench_wilson_overlap(const BenchContext& context);

}  // namespace plaq::jobs

#include "jobs/bench_measure.hpp"
