#include "jobs/model/operator_model.hpp"

#include <algorithm>
#include <bitset>
#include <vector>

#include "comms/grid/grid_choice.hpp"

namespace plaq::jobs {
namespace {

// Reals of a site's face, both sides of a direction: projected half spinors; color vectors, in as many layers
// as hops want.
double face_reals(const ModelOperator& op) {
  if (op.quarks == ModelQuarks::improved) return (3 + 4) * 6;
  return 2 * (op.staggered() ? 6 : 12);
}

int depth_of(const ModelOperator& op) { return op.quarks == ModelQuarks::improved ? 3 : 1; }

// Batches that pass held links have no fused halo kernel.
bool may_be_fused(const ModelOperator& op) {
  return op.subfields() == 1 || (!op.staggered() && op.storage.precision == Precision::double_precision);
}

// Bit d of a mask: the face that goes to neighbour d (core/lattice/lattice_shape.hpp) leaves the node. All that
// occur where each node has a block of the grid (choose_block).
std::bitset<256> crossings(const ModelPart& part, int ranks_per_node) {
  std::bitset<256> found;
  if (part.ranks() <= ranks_per_node) return found.set(0);
  const Extents block = choose_block(part.grid, part.global, ranks_per_node);
  for (int cell = 0; cell < block[0] * block[1] * block[2] * block[3]; ++cell) {
    const Extents at = position_of(cell, block);
    unsigned mask = 0;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      if (part.grid[mu] == block[mu]) continue;
      if (at[mu] == block[mu] - 1) mask |= 1u << (2 * mu);
      if (at[mu] == 0) mask |= 2u << (2 * mu);
    }
    found.set(mask);
  }
  return found;
}

ModelExchange exchange_of(const ModelOperator& op, const ModelPart& part, unsigned crossing) {
  ModelExchange e;
  for (int d = 0; d < 8; ++d) {
    if (!part.partitioned(d / 2)) continue;
    const bool far = (crossing >> d) & 1u;
    (far ? e.far_faces : e.near_faces) += 1;
    (far ? e.far_bytes : e.near_bytes) += face_message_bytes(op, part, d / 2);
  }
  return e;
}

KernelKind kernel_of(const ModelOperator& op) {
  if (op.staggered())
    return op.quarks == ModelQuarks::improved ? KernelKind::improved_hop : KernelKind::staggered_hop;
  if (op.kind == OperatorKind::hop || op.quarks == ModelQuarks::domain_wall) return KernelKind::wilson_hop;
  return op.clover ? KernelKind::clover_operator : KernelKind::wilson_operator;
}

double shared(const MachineModel& machine, const ModelOperator& op, KernelKind kernel) {
  return machine.share(kernel, op.storage.precision, op.storage.reals, op.subfields(), op.temporal_gauge);
}

// Of one hopping term on so many sites of one parity.
double hop_seconds(const MachineModel& machine, const ModelOperator& op, bool with_add, double sites,
                   int time_extent, KernelKind kernel) {
  const Work w = hop_work(op, sites, with_add, time_extent);
  return machine.kernel_seconds(w.bytes, shared(machine, op, kernel), w.flops, op.storage.precision);
}

// Of all passes over the fifth dimension beside one hopping term, which `adds` where there are none.
struct FifthTime {
  double seconds = 0;
  int launches = 0;
};
FifthTime fifth_seconds(const MachineModel& machine, const ModelOperator& op, bool adds, double sites) {
  if (op.quarks != ModelQuarks::domain_wall || op.kind == OperatorKind::hop) return {};
  const double share = machine.share(KernelKind::fifth_dimension, op.storage.precision, 0, op.subfields());
  const auto pass = [&](bool with_add) {
    const Work w = fifth_work(op, sites, with_add);
    return machine.kernel_seconds(w.bytes, share, w.flops, op.storage.precision);
  };
  if (op.kind == OperatorKind::full) return {pass(false) + pass(false), 2};
  return {pass(adds), 1};
}

// Whether each hopping term of an operator adds, itself or in the fifth dimension.
std::vector<bool> hops_of(OperatorKind kind) {
  if (kind == OperatorKind::hop) return {false};
  return {kind == OperatorKind::full, true};
}

double packing_seconds(const MachineModel& machine, const ModelOperator& op, const ModelPart& part,
                       KernelKind kernel) {
  const Precision precision = op.storage.precision;
  double bytes = 0;
  for (int mu = 0; mu < 4; ++mu) {
    if (!part.partitioned(mu)) continue;
    const double sites = part.sites() / 2 / part.local()[static_cast<std::size_t>(mu)];
    const bool improved = op.quarks == ModelQuarks::improved;
    const double links = bytes_of(precision) * (improved ? 18 + 3 * op.storage.reals : op.storage.reals);
    bytes += sites * ((improved ? 6 : 2) * op.subfields() * vector_bytes(op) + links);
  }
  return machine.kernel_seconds(bytes, shared(machine, op, kernel), 0, precision);
}

}  // namespace

Extents ModelPart::local() const {
  Extents e;
  for (std::size_t mu = 0; mu < 4; ++mu) e[mu] = global[mu] / grid[mu];
  return e;
}

bool ModelPart::partitioned(int mu) const {
  return grid[static_cast<std::size_t>(mu)] > 1 || ((forced >> mu) & 1u);
}

double ModelPart::sites() const {
  double volume = 1;
  for (const int extent : local()) volume *= extent;
  return volume;
}

double ModelPart::boundary_sites(int depth) const {
  double inside = 1;
  const Extents extents = local();
  for (int mu = 0; mu < 4; ++mu)
    inside *= std::max(0, extents[static_cast<std::size_t>(mu)] - (partitioned(mu) ? 2 * depth : 0));
  return sites() - inside;
}

double face_message_bytes(const ModelOperator& op, const ModelPart& part, int mu) {
  const Precision stored = op.storage.precision;
  const bool half = stored == Precision::half_precision;
  const double real = op.short_faces ? 2 : bytes_of(half ? Precision::single_precision : stored);
  const double reals = face_reals(op) / 2, numbers = op.quarks == ModelQuarks::improved ? 3.5 : 1;
  const double site = reals * real + (half || op.short_faces ? numbers * sizeof(float) : 0);
  return part.sites() / 2 / part.local()[static_cast<std::size_t>(mu)] * op.subfields() * site;
}

double vector_bytes(const ModelOperator& op) {
  const Precision precision = op.storage.precision;
  return op.vector_reals() * bytes_of(precision) +
         (precision == Precision::half_precision ? static_cast<int>(sizeof(float)) : 0);
}

Work fifth_work(const ModelOperator& op, double sites, bool with_add) {
  return {sites * op.subfields() * 24 * (with_add ? 10 : 8),
          sites * op.subfields() * (with_add ? 3 : 2) * vector_bytes(op)};
}

Work hop_work(const ModelOperator& op, double sites, bool with_add, int time_extent) {
  const Precision precision = op.storage.precision;
  const double real = bytes_of(precision);
  if (op.staggered()) {
    const bool improved = op.quarks == ModelQuarks::improved;
    return {sites * op.subfields() * ((improved ? 1146 : 570) + (with_add ? 12 : 0)),
            sites * (8 * real * (op.storage.reals + (improved ? 18 : 0)) +
                     op.subfields() * (with_add ? 3 : 2) * vector_bytes(op))};
  }
  const double links = op.temporal_gauge ? 6 + 2.0 / time_extent : 8;
  const double blocks = !op.clover ? 0 : precision == Precision::half_precision ? 72 * real + 8 : 72 * real;
  return {sites * op.subfields() * (1320 + (with_add ? 48 : 0) + (op.clover ? 504 : 0)),
          sites * (links * op.storage.reals * real + blocks +
                   op.subfields() * (with_add ? 3 : 2) * vector_bytes(op))};
}

ExchangeTime exchange_time(const MachineModel& machine, const ModelExchange& e) {
  const double near = machine.near.seconds(e.near_faces, e.near_bytes),
               far = machine.far.seconds(e.far_faces, e.far_bytes);
  if (far > near) return {far, machine.far.latency_of(e.far_faces), true};
  return {near, machine.near.latency_of(e.near_faces), false};
}

ModelExchange slowest_exchange(const MachineModel& machine, const ModelOperator& op, const ModelPart& part) {
  const auto masks = crossings(part, machine.ranks_per_node);
  ModelExchange slowest;
  double longest = -1;
  for (unsigned mask = 0; mask < masks.size(); ++mask) {
    if (!masks[mask]) continue;
    const ModelExchange e = exchange_of(op, part, mask);
    if (const double seconds = exchange_time(machine, e).seconds; seconds > longest) {
      longest = seconds;
      slowest = e;
    }
  }
  return slowest;
}

OperatorTime operator_time(const MachineModel& machine, const ModelOperator& op, const ModelPart& part) {
  const int time_extent = part.global[3];
  const double boundary = part.boundary_sites(depth_of(op)) / 2, interior = part.sites() / 2 - boundary;
  OperatorTime t;
  t.ranks = part.ranks();
  ExchangeTime x;
  double packing = 0;
  bool fused = false;
  const std::vector<bool> hops = hops_of(op.kind);
  if (boundary > 0) {
    t.exchange = slowest_exchange(machine, op, part);
    t.exchanges = static_cast<int>(hops.size());
    x = exchange_time(machine, t.exchange);
    t.far = x.far;
    fused = machine.fused && t.exchange.far_faces == 0 && may_be_fused(op);
    packing = packing_seconds(machine, op, part, fused ? KernelKind::fused_packing : KernelKind::packing);
  }
  for (const bool adds : hops) {
    const bool in_fifth = op.quarks == ModelQuarks::domain_wall && op.kind == OperatorKind::even_odd;
    const auto seconds = [&](double sites, KernelKind kernel) {
      return hop_seconds(machine, op, adds && !in_fifth, sites, time_extent, kernel);
    };
    const auto fifth = [&](double sites) { return fifth_seconds(machine, op, adds, sites); };
    const auto [mine, passes] = fifth(part.sites() / 2);
    const double inside = seconds(interior, kernel_of(op));
    t.interior += inside;
    t.boundary += seconds(boundary, fused ? kernel_of(op) : KernelKind::boundary);
    t.packing += packing;
    t.interior += mine;
    t.launches += ((boundary > 0 && !fused ? 2 : 1) + passes) * machine.launch;
    t.alone_launches += (1 + passes) * machine.launch;
    t.communication += x.seconds;
    t.latency += x.latency;
    t.exposed += std::max(0.0, x.seconds - inside);
    t.one_rank += seconds(part.on_one_rank().sites() / 2, kernel_of(op)) +
                  fifth(part.on_one_rank().sites() / 2).seconds + (1 + passes) * machine.launch;
    t.alone += seconds(part.sites() / 2, kernel_of(op)) + mine + (1 + passes) * machine.launch;
  }
  t.total = t.launches + t.packing + t.interior + t.exposed + t.boundary;
  return t;
}

}  // namespace plaq::jobs
