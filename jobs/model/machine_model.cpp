#include "jobs/model/machine_model.hpp"

#include <algorithm>
#include <cmath>

#include "core/sums/exact_sum.hpp"
#include "core/system/error.hpp"

namespace plaq::jobs {
namespace {

bool is_operator(KernelKind kind) { return kind <= KernelKind::clover_operator; }

// Distance of an entry from the one that is asked for; infinite if it cannot stand for it.
double distance(const KernelShare& entry, const KernelShare& asked) {
  double far = 0;
  if (entry.kernel != asked.kernel) {
    const bool simpler = is_operator(asked.kernel) && entry.kernel < asked.kernel;
    if (!simpler) return HUGE_VAL;
    far += 1e4 * (static_cast<int>(asked.kernel) - static_cast<int>(entry.kernel));
  }
  if (entry.precision != asked.precision) far += 1e5;
  if (entry.temporal_gauge != asked.temporal_gauge) far += 1e3;
  far += 10 * std::abs(std::log2(static_cast<double>(entry.right_hand_sides) / asked.right_hand_sides));
  if (entry.reconstruction != asked.reconstruction) far += 1;
  return far;
}

}  // namespace

double FaceCosts::site(Precision precision) const {
  return precision == Precision::half_precision     ? half_site
         : precision == Precision::single_precision ? single_site
                                                    : double_site;
}

double MachineModel::share(KernelKind kernel, Precision precision, int reconstruction, int right_hand_sides,
                           bool temporal_gauge) const {
  const KernelShare asked{kernel, precision, reconstruction, right_hand_sides, temporal_gauge};
  double nearest = HUGE_VAL, found = 1;
  for (const KernelShare& entry : shares)
    if (const double d = distance(entry, asked); d < nearest) {
      nearest = d;
      found = entry.share;
    }
  return found;
}

void MachineModel::set_share(const KernelShare& share) {
  const auto same = std::find_if(shares.begin(), shares.end(), [&](const KernelShare& entry) {
    return entry.kernel == share.kernel && distance(entry, share) == 0;
  });
  if (same == shares.end()) {
    shares.push_back(share);
  } else {
    *same = share;
  }
}

void MachineModel::set_memory_bandwidth(double bandwidth) {
  for (KernelShare& entry : shares)
    if (entry.measured) entry.share *= memory_bandwidth / bandwidth;
  memory_bandwidth = bandwidth;
}

double MachineModel::kernel_seconds(double bytes, double share, double flops, Precision precision) const {
  const double peak = precision == Precision::double_precision ? peak_double : peak_single;
  const double of_memory = bytes / (memory_bandwidth * share);
  return crowding * (peak > 0 ? std::max(of_memory, flops / peak) : of_memory);
}

double MachineModel::sum_seconds(int ranks, int count, bool on_device) const {
  const double bytes = static_cast<double>(count) * sizeof(ExactSum);
  const int here = std::min(ranks, ranks_per_node);
  const int nodes = (ranks - 1) / ranks_per_node + 1;
  const bool stays = on_device && nodes == 1 && device_sum > 0;
  double seconds = stays ? device_sum : sum_wait;
  if (here > 1)
    seconds += std::log2(here) * ((stays ? device_sum_step : near_sum_step) + bytes / near.bandwidth);
  if (nodes > 1) seconds += std::log2(nodes) * (far_sum_step + bytes / far.bandwidth);
  return seconds;
}

void MachineModel::check_complete(int ranks) const {
  const auto missing = [&](const char* what) {
    throw Error(ErrorKind::usage,
                "machine '" + name + "': nothing is known of " + what +
                    "; name a known machine, or files in which plaq bench network measured it");
  };
  if (!(memory_bandwidth > 0)) missing("its memory bandwidth");
  if (ranks > 1 && ranks_per_node > 1 && !(near.bandwidth > 0)) missing("exchanges within a node");
  if (ranks > ranks_per_node && !(far.bandwidth > 0)) missing("exchanges between nodes");
}

}  // namespace plaq::jobs
