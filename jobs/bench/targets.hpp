// Targets of measurements: one table of operators, methods, sweeps of gauge fixing and other
// kernels, for studies and plaq bench.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "jobs/bench/bench.hpp"

namespace plaq::jobs {

enum class TargetKind { dirac_operator, method, sweep, kernel };

struct Target {
  std::string_view key;  // in job files, and for plaq bench
  TargetKind kind;
  std::string_view meaning;
  /// Adds rows for all storages and numbers of right-hand sides that are asked for. Each result is checked
  /// against double precision before it is timed. Collective over the grid.
  void (*measure)(Bench& bench, std::string_view key);
  /// Lattices of plaq bench where nobody names one; none: the target needs no lattice.
  Extents on_gpu{}, on_host{};
  std::uint32_t alone = 0;  // bit mu: plaq bench on one rank lets direction mu exchange faces

  bool iterates() const { return kind == TargetKind::method; }
  bool fixes_gauge() const { return kind == TargetKind::sweep; }
  bool has_action() const { return kind == TargetKind::dirac_operator || iterates(); }
  bool uses_multigrid() const;
  bool takes(const StudyStorage& storage) const;
};

const std::vector<Target>& targets();
/// Throws Error(usage) with the nearest name if there is none of this key.
const Target& target(std::string_view key);
std::vector<std::string> target_keys();
std::string target_meanings();  // "hop: the hopping term; schur: ..."
/// The name that tables and files have: "wilson_hop", "clover_schur", "cg".
std::string target_name(std::string_view key, const ActionPtr& action);

/// Adds a row for each storage. A sweep's right-hand sides are gauge copies. Collective over the grid.
/// @param action  null for sweeps
void measure_target(Bench& bench, const std::string& name, std::string_view key, const RateProblem& problem,
                    RatedAction* action, const std::vector<StudyStorage>& storages, int rhs);

// Kernels, each in bench_NAME.cpp.
void bench_accuracy(Bench& bench, std::string_view key);
void bench_bandwidth(Bench& bench, std::string_view key);
void bench_domain_wall(Bench& bench, std::string_view key);
void bench_forces(Bench& bench, std::string_view key);
void bench_gauge(Bench& bench, std::string_view key);
void bench_gaugefix(Bench& bench, std::string_view key);
void bench_gaugefix_acceleration(Bench& bench, std::string_view key);
void bench_gaugefix_drift(Bench& bench, std::string_view key);
void bench_krylov(Bench& bench, std::string_view key);
void bench_lanczos(Bench& bench, std::string_view key);
void bench_multigrid(Bench& bench, std::string_view key);
void bench_network(Bench& bench, std::string_view key);
void bench_quark(Bench& bench, std::string_view key);
void bench_staggered(Bench& bench, std::string_view key);
void bench_targets(Bench& bench, std::string_view key);
void bench_wilson_hop(Bench& bench, std::string_view key);
void bench_wilson_operator(Bench& bench, std::string_view key);
void bench_overlap(Bench& bench, std::string_view key);

}  // namespace plaq::jobs
