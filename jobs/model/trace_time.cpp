#include "jobs/model/trace_time.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bitset>
#include <utility>
#include <vector>

#include "comms/grid/grid_choice.hpp"

namespace plaq::jobs {
namespace {

constexpr double worth_a_word = 0.05;

int ranks_of(const Extents& grid) { return grid[0] * grid[1] * grid[2] * grid[3]; }

// Bit d of a mask: the face that goes to neighbour d leaves the node. All that occur where each node has a
// block of the grid (choose_block).
std::bitset<256> crossings(const TraceFaces& faces, int ranks_per_node) {
  std::bitset<256> found;
  const Extents& grid = faces.grid;
  if (ranks_of(grid) <= ranks_per_node) return found.set(0);
  const Extents block = choose_block(grid, faces.global, ranks_per_node);
  for (int cell = 0; cell < ranks_of(block); ++cell) {
    const Extents at = position_of(cell, block);
    unsigned mask = 0;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      if (grid[mu] == block[mu]) continue;
      if (at[mu] == block[mu] - 1) mask |= 1u << (2 * mu);
      if (at[mu] == 0) mask |= 2u << (2 * mu);
    }
    found.set(mask);
  }
  return found;
}

ModelExchange exchange_of(const TraceFaces& faces, unsigned crossing) {
  ModelExchange e;
  for (std::size_t d = 0; d < 8; ++d) {
    if (!(faces.bytes[d] > 0)) continue;
    const bool far = (crossing >> d) & 1u;
    (far ? e.far_faces : e.near_faces) += 1;
    (far ? e.far_bytes : e.near_bytes) += faces.bytes[d];
  }
  return e;
}

// X of the head.
struct ExchangeTime {
  double seconds = 0, latency = 0, hidden = 1;
  bool far = false;
};
ExchangeTime exchange_time(const MachineModel& machine, const ModelExchange& e, bool fused = false) {
  LinkModel link = machine.near;
  if (fused && machine.fused_latency > 0) link.latency = std::min(link.latency, machine.fused_latency);
  const double near = link.seconds(e.near_faces, e.near_bytes),
               far = machine.far.seconds(e.far_faces, e.far_bytes);
  if (far > near)
    return {far + (1 - link.hidden) * near, machine.far.latency_of(e.far_faces), machine.far.hidden, true};
  return {near + (1 - machine.far.hidden) * far, link.latency_of(e.near_faces), link.hidden, false};
}

double share_of(const MachineModel& machine, const TraceStep& step, KernelKind kernel) {
  return machine.share(kernel, step.precision, step.reconstruction, step.vectors, step.temporal_gauge);
}

// Sites of this rank that need a neighbour's, times right-hand sides. A halo is that of one parity.
double sites_with_ghosts(const TraceStep& step) {
  double sites = 0.5 * step.faces.boundary * step.vectors;
  for (std::size_t mu = 0; mu < 4; ++mu)
    sites *= static_cast<double>(step.faces.global[mu]) / step.faces.grid[mu];
  return sites;
}

// Time for a part of the sites, or for many times all.
double kernel_seconds(const MachineModel& machine, const TraceStep& step, KernelKind kernel, double part) {
  return machine.kernel_seconds(part * step.bytes, share_of(machine, step, kernel), part * step.flops,
                                step.precision);
}

TraceTime sums_time(const MachineModel& machine, const TraceStep& step, int ranks) {
  TraceTime t;
  t.sums = machine.sum_seconds(ranks, step.sums, !step.host_waits);
  t.one_rank = t.alone = t.one_rank_sums = machine.sum_seconds(1, step.sums, !step.host_waits);
  return t;
}

// If sums stay on the GPUs, this is the wait that they leave to the host.
TraceTime wait_time(const MachineModel& machine, int ranks) {
  TraceTime t;
  const double more = machine.device_sum > 0 ? std::max(0.0, machine.sum_wait - machine.device_sum) : 0;
  t.sums = ranks <= machine.ranks_per_node ? more : 0;
  t.one_rank = t.alone = t.one_rank_sums = more;
  return t;
}

TraceTime update_time(const MachineModel& machine, const TraceStep& step, int ranks) {
  TraceTime t;
  t.update_launches = machine.launch;
  t.vectors = t.alone = kernel_seconds(machine, step, kernel_kind(step.kernel), 1) + machine.launch;
  t.one_rank = kernel_seconds(machine, step, kernel_kind(step.kernel), ranks) + machine.launch;
  return t;
}

TraceTime kernel_time(const MachineModel& machine, const TraceStep& step, int ranks) {
  TraceTime t;
  ExchangeTime x;
  bool fused = false;
  if (step.faces.any()) {
    const ModelExchange e = slowest_exchange(machine, step.faces);
    fused = machine.fused && e.far_faces == 0 && step.faces.fusible;
    x = exchange_time(machine, e, fused);
    t.packing = machine.kernel_seconds(step.faces.packing, share_of(machine, step, KernelKind::packing), 0,
                                       step.precision);
    if (!step.faces.apart) {
      const FaceCosts& costs = fused ? machine.in_one_launch : machine.in_launches;
      t.packing += machine.crowding * costs.start;
      t.boundary = machine.crowding * (costs.end + costs.site(step.precision) * sites_with_ghosts(step));
    }
    t.communication = x.seconds;
    t.latency = x.latency;
    t.far = x.far;
  }
  if (step.bytes > 0) {
    const double edge = step.faces.boundary;
    t.interior = kernel_seconds(machine, step, kernel_kind(step.kernel), 1 - edge);
    t.boundary += kernel_seconds(machine, step, kernel_kind(step.kernel), edge);
    t.alone_launches = machine.launch;
    t.launches = (edge > 0 && !fused ? 2 : 1) * machine.launch;
    t.alone = kernel_seconds(machine, step, kernel_kind(step.kernel), 1) + machine.launch;
    t.one_rank = kernel_seconds(machine, step, kernel_kind(step.kernel), ranks) + machine.launch;
  }
  t.exposed = x.seconds;
  if (!step.faces.apart) t.exposed -= x.hidden * std::min(x.seconds, t.packing + t.interior);
  return t;
}

}  // namespace

ModelExchange slowest_exchange(const MachineModel& machine, const TraceFaces& faces) {
  const auto masks = crossings(faces, machine.ranks_per_node);
  ModelExchange slowest;
  double longest = -1;
  for (unsigned mask = 0; mask < masks.size(); ++mask) {
    if (!masks[mask]) continue;
    const ModelExchange e = exchange_of(faces, mask);
    if (const double seconds = exchange_time(machine, e).seconds; seconds > longest) {
      longest = seconds;
      slowest = e;
    }
  }
  return slowest;
}

void TraceTime::add(const TraceTime& other, double times) {
  using T = TraceTime;
  for (double T::*part : {&T::launches, &T::packing, &T::interior, &T::exposed, &T::boundary, &T::vectors,
                          &T::sums, &T::communication, &T::latency, &T::one_rank, &T::alone,
                          &T::alone_launches, &T::update_launches, &T::one_rank_sums})
    this->*part += times * (other.*part);
  far = far || other.far;
}

TraceTime step_time(const MachineModel& machine, const TraceStep& step, int ranks) {
  TraceTime t = step.sums > 0                    ? sums_time(machine, step, ranks)
                : step.host_waits                ? wait_time(machine, ranks)
                : step.kernel == "vector_update" ? update_time(machine, step, ranks)
                                                 : kernel_time(machine, step, ranks);
  t.ranks = ranks;
  return t;
}

TraceTime section_time(const MachineModel& machine, const PerformanceTrace::Section& section) {
  TraceTime all;
  all.ranks = section.ranks;
  for (const auto& [step, count] : section.rows)
    all.add(step_time(machine, step, section.ranks), static_cast<double>(count) / section.passes);
  return all;
}

std::string limiting_part(const TraceTime& t) {
  const char* where = t.far ? "between nodes" : "within the node";
  // The part of the exposed time that would be absent without latency is due to latency, the rest to
  // bandwidth.
  const double of_latency = std::min(t.exposed, t.latency);
  const double kernels = t.alone - t.alone_launches - t.vectors - t.one_rank_sums;
  const std::vector<std::pair<std::string, double>> losses = {
      {fmt::format("latency {}", where), of_latency},
      {fmt::format("bandwidth {}", where), t.exposed - of_latency},
      {"packing", t.packing},
      {"boundary sites", t.interior + t.boundary - kernels},
      {"launches", (t.launches + t.update_launches) * (1 - 1.0 / t.ranks)},
      {"sums", t.sums - t.one_rank_sums / t.ranks}};
  double lost = 0;
  for (const auto& [name, seconds] : losses) lost += std::max(0.0, seconds);
  if (lost < worth_a_word * t.total()) return "nothing";
  return std::max_element(losses.begin(), losses.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

}  // namespace plaq::jobs
