#include "jobs/model/iteration_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

constexpr double worth_a_word = 0.05;

double sums_seconds(const MachineModel& machine, const IterationCost& cost, int right_hand_sides, int ranks) {
  double seconds = 0;
  for (std::size_t i = 0; i < cost.sums.size(); ++i)
    seconds += machine.sum_seconds(ranks, cost.sums[i] * right_hand_sides, i + cost.waits < cost.sums.size());
  return seconds;
}

double vectors_seconds(const MachineModel& machine, const IterationCost& cost, const ModelOperator& op,
                       double sites) {
  const Precision precision = op.storage.precision;
  const double bytes = cost.vectors * op.subfields() * sites * vector_bytes(op);
  const double share = machine.share(KernelKind::vector_update, precision, 0, op.subfields());
  return machine.kernel_seconds(bytes, share, 0, precision) + cost.updates * machine.launch;
}

// Seconds that are lost against one rank, by what takes them.
using Losses = std::vector<std::pair<std::string, double>>;

Losses losses_of(const OperatorTime& t, double times) {
  const char* where = t.far ? "between nodes" : "within the node";
  // Of what is exposed, that which would be without a latency is a matter of bandwidth.
  const double of_latency = std::min(t.exposed, t.latency);
  const double kernels = t.alone - t.alone_launches;
  return {{fmt::format("latency {}", where), times * of_latency},
          {fmt::format("bandwidth {}", where), times * (t.exposed - of_latency)},
          {"packing", times * t.packing},
          {"boundary sites", times * (t.interior + t.boundary - kernels)},
          {"launches", times * t.launches * (1 - 1.0 / t.ranks)}};
}

std::string largest(const Losses& losses, double total) {
  const auto most = std::max_element(losses.begin(), losses.end(),
                                     [](const auto& a, const auto& b) { return a.second < b.second; });
  double lost = 0;
  for (const auto& [name, seconds] : losses) lost += std::max(0.0, seconds);
  return lost < worth_a_word * total ? "nothing" : most->first;
}

}  // namespace

IterationCost iteration_cost(const std::string& method, int restart) {
  if (method == "cg") return {2, 10, 4, {1, 2}};
  if (method == "hermitian-cg") return {1, 10, 3, {1, 1}};
  if (method == "cgne") return {2, 8, 2, {1, 1}};
  if (method == "bicgstab") return {2, 16, 4, {2, 8}};
  if (method == "mr") return {1, 7, 2, {3, 1}};
  if (method == "gcr") {
    const double earlier = 0.5 * (restart - 1), triples = earlier / 3;
    return {1, 7 + 9 * triples + 5.0 / 3, 3 + 2 * triples + 1.0 / 3, {static_cast<int>(2 * earlier), 3, 1}};
  }
  throw Error(ErrorKind::usage, fmt::format("the model knows no method '{}'", method));
}

IterationTime iteration_time(const MachineModel& machine, const IterationCost& cost, const ModelOperator& op,
                             const ModelPart& part) {
  const int rhs = op.right_hand_sides;
  const double half = op.kind == OperatorKind::full ? 1 : 0.5;  // of the sites
  IterationTime t;
  t.op = operator_time(machine, op, part);
  t.ranks = part.ranks();
  t.applications = cost.applications;
  t.operators = cost.applications * t.op.total;
  t.vectors = vectors_seconds(machine, cost, op, half * part.sites());
  t.update_launches = cost.updates * machine.launch;
  t.sums = sums_seconds(machine, cost, rhs, t.ranks);
  t.total = t.operators + t.vectors + t.sums;
  t.one_rank_sums = sums_seconds(machine, cost, rhs, 1);
  t.one_rank = cost.applications * t.op.one_rank +
               vectors_seconds(machine, cost, op, half * part.on_one_rank().sites()) + t.one_rank_sums;
  t.alone = cost.applications * t.op.alone + t.vectors + t.one_rank_sums;
  return t;
}

std::string limiting_part(const OperatorTime& time) { return largest(losses_of(time, 1), time.total); }

std::string limiting_part(const IterationTime& time) {
  Losses losses = losses_of(time.op, time.applications);
  losses.back().second += time.update_launches * (1 - 1.0 / time.ranks);  // "launches"
  losses.emplace_back("sums", time.sums - time.one_rank_sums / time.ranks);
  return largest(losses, time.total);
}

}  // namespace plaq::jobs
