#include "jobs/model/scaling_changes.hpp"

#include <algorithm>

#include "jobs/model/trace_time.hpp"

namespace plaq::jobs {
namespace {

using Section = PerformanceTrace::Section;

// Iterations between two sums of a communication-avoiding method.
constexpr int steps_at_once = 4;
// Vectors that the updates of a pipelined BiCGstab (Cools and Vanroose 2017) read and write in two passes,
// over those of the usual one (solvers/krylov).
constexpr double pipelined_updates = 24.0 / 16;

double seconds_of(const MachineModel& machine, const Section& section) {
  return section_time(machine, section).total();
}

double half_halos(const MachineModel& machine, const Section& section) {
  Section changed = section;
  for (auto& row : changed.rows)
    for (double& bytes : row.step.faces.bytes) bytes /= 2;
  return seconds_of(machine, changed);
}

// A Gram matrix of two bases of s + 1 and s vectors each is summed in place of all sums of s iterations.
double sums_at_once(const MachineModel& machine, const Section& section) {
  const TraceTime t = section_time(machine, section);
  if (!(t.sums > 0)) return t.total();
  constexpr int basis = 2 * steps_at_once + 1;
  const double once = machine.sum_seconds(section.ranks, basis * basis) / steps_at_once;
  return t.total() - t.sums + std::min(once, t.sums);
}

// Sums go on while operators are applied, and the updates are those of the pipelined method.
double pipelined_sums(const MachineModel& machine, const Section& section) {
  const TraceTime t = section_time(machine, section);
  const double operators = t.total() - t.sums - t.vectors;
  return operators + pipelined_updates * t.vectors + std::max(0.0, t.sums - operators);
}

double device_sums(const MachineModel& machine, const Section& section) {
  if (!(machine.device_sum > 0)) return seconds_of(machine, section);
  MachineModel changed = machine;
  changed.sum_wait = std::min(machine.sum_wait, machine.device_sum);
  return seconds_of(changed, section);
}

// Operators within a node have such launches where the machine is `fused`. Large local lattices are faster
// without.
double one_launch(const MachineModel& machine, const Section& section) {
  if (!machine.fused) return seconds_of(machine, section);
  MachineModel changed = machine;
  changed.in_launches = machine.in_one_launch;
  return std::min(seconds_of(machine, section), seconds_of(changed, section));
}

// Inside of blocks that are one rank's each: no face is exchanged, and sums are those of one rank.
double schwarz_blocks(const MachineModel& machine, const Section& section) {
  Section changed = section;
  changed.ranks = 1;
  for (auto& row : changed.rows) row.step.faces = {};
  return seconds_of(machine, changed);
}

}  // namespace

const std::vector<ScalingChange>& scaling_changes() {
  static const std::vector<ScalingChange> all = {
      {"halos of half the bytes", "8-bit halos of vectors in half precision, 16-bit ones in single precision",
       true, half_halos},
      {"sums of 4 iterations at once",
       "a communication-avoiding method, which adds up a matrix of 9 times 9 numbers every fourth iteration",
       true, sums_at_once},
      {"pipelined sums",
       "sums go on behind operators, and updates take 24 vectors in place of 16 (Cools and Vanroose 2017)",
       true, pipelined_sums},
      {"sums without the host", "GPUs add over nodes as they do within one", true, device_sums},
      {"one launch between nodes",
       "GPUs send and wait between nodes within the launch that computes, as they do within a node", true,
       one_launch},
      {"Schwarz blocks",
       "steps inside of a preconditioner that exchange and add up nothing. A solve is faster if its steps "
       "are "
       "fewer than this many times as many",
       false, schwarz_blocks}};
  return all;
}

double gain_of(const ScalingChange& change, const MachineModel& machine, const Section& section) {
  return seconds_of(machine, section) / change.seconds(machine, section);
}

}  // namespace plaq::jobs
