// Record of the computations, messages and sums of a dry run (core/system/dry_run.hpp), from which a model
// estimates the time. Queues, halos and sums over ranks write it as they are used
// (core/operator/kernel_work.hpp, comms/halo/halo_work.hpp, comms/sums/sum_exchange.hpp).
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/system/location.hpp"
#include "core/system/performance_region.hpp"

namespace plaq {

// Faces of one exchange of a rank, where it lies among the ranks.
struct TraceFaces {
  std::array<double, 8> bytes{};  // to the neighbour ahead in direction mu: [2 mu], behind: [2 mu + 1]
  std::array<int, 4> global{}, grid{1, 1, 1, 1};
  double boundary = 0;   // share of the sites that a neighbour's are needed for
  double packing = 0;    // bytes read to fill the faces
  bool fusible = false;  // packing, exchange and sites may be one launch
  bool apart = false;    // no site is computed meanwhile

  bool any() const;
  bool operator==(const TraceFaces&) const = default;
};

// One operation of this rank: a kernel, an exchange of faces, a kernel with its exchange, or sums over all
// ranks.
struct TraceStep {
  std::string name;  // "wilson_hop"
  std::string_view
      kernel;  // class of memory efficiency (KernelWork), a text that lives as long as the process
  Precision precision = Precision::double_precision;
  int reconstruction = 0;  // 0: no links, or it is no choice
  int vectors = 1;         // right-hand sides, slices and copies
  bool temporal_gauge = false;
  double flops = 0, bytes = 0;  // the usual counts; 0: there is no kernel
  TraceFaces faces;
  int sums = 0;  // so many numbers; 0: none
  // For the sums, which would stay on GPUs otherwise where these may add them; without any, for the end of an
  // iteration.
  bool host_waits = false;
  bool operator==(const TraceStep&) const = default;
};

struct KernelWork;
// A kernel without faces.
TraceStep step_of(const KernelWork& kernel);

class PerformanceTrace {
 public:
  struct Row {
    TraceStep step;
    int count = 0;
  };
  // Work that is repeated: an iteration of a solver, a sweep. Nested sections
  // do not count for the outer one.
  struct Section {
    std::string name;
    int ranks = 1;  // that take part
    int passes = 0;
    std::vector<Row> rows;  // of all passes, in the order of their first
  };

  explicit PerformanceTrace(int ranks) : ranks_(ranks) {}
  void add(const TraceStep& step);
  // Sets the number of ranks that share the work from now on; returns the number before.
  int set_ranks(int ranks) { return std::exchange(ranks_, ranks); }
  const std::vector<Section>& sections() const { return sections_; }
  // True if a loop would be a section: every open one leaves it on its own.
  bool takes_loops() const { return closed_to_loops_ == 0; }
  const Section* find(std::string_view name) const;

  // Used by core/system/performance_region.hpp. begin_pass returns the name with its labels.
  void begin_label(std::string_view label) { labels_.emplace_back(label); }
  void end_label() { labels_.pop_back(); }
  const std::string& begin_pass(std::string_view name, LoopsInside loops);
  void end_pass();

 private:
  std::vector<Section> sections_;
  std::vector<std::string> labels_;
  int ranks_;
  std::vector<std::size_t> open_;   // the innermost last
  std::vector<LoopsInside> loops_;  // of these
  int closed_to_loops_ = 0;         // so many of these
};

}  // namespace plaq
