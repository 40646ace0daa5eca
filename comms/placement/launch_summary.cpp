#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

#include "comms/placement/launch_table.hpp"

namespace plaq {
namespace {

std::uint64_t fingerprint(const LaunchNode& node) {
  std::string text;
  for (LaunchRow row : node.rows) {
    row.host.clear();
    text += text_of(row) + '\n';
  }
  return std::hash<std::string>()(text);
}

LaunchSummary::Fault shared_gpus(const LaunchNode& node) {
  std::map<std::string, std::vector<int>> ranks;
  for (std::size_t i = 0; i < node.rows.size(); ++i)
    if (has(node.rows[i], BindingFault::shared_gpu)) ranks[node.rows[i].gpu].push_back(node.ranks[i]);
  if (ranks.empty()) return {};
  const auto& [gpu, sharers] = *ranks.begin();
  return {ranks.size(), fmt::format("ranks {} on {} share the GPU {}", CoreSet(sharers).text(),
                                    node.rows.front().host, gpu)};
}

LaunchSummary::Fault far_gpus(const LaunchNode& node) {
  LaunchSummary::Fault fault;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    const LaunchRow& row = node.rows[i];
    if (!has(row, BindingFault::far_gpu) || ++fault.cases > 1) continue;
    fault.first = fmt::format(
        "rank {} on {} has the cores {} of NUMA node {}, but its GPU {} is at NUMA node {}", node.ranks[i],
        row.host, row.binding.cores.text(), row.binding.numa, row.gpu, row.binding.gpu_numa);
  }
  return fault;
}

LaunchSummary::Fault crowded_cores(const LaunchNode& node) {
  std::vector<int> ranks;
  CoreSet cores;
  int threads = 0;
  for (std::size_t i = 0; i < node.rows.size(); ++i) {
    if (!has(node.rows[i], BindingFault::crowded)) continue;
    ranks.push_back(node.ranks[i]);
    cores = cores | node.rows[i].binding.cores;
    threads += node.rows[i].binding.threads;
  }
  if (ranks.empty()) return {};
  return {1, fmt::format("more ranks times threads than cores: rank{} {} on {}, {} thread(s) on core(s) {}",
                         ranks.size() > 1 ? "s" : "", CoreSet(ranks).text(), node.rows.front().host, threads,
                         cores.text())};
}

}  // namespace

bool has(const LaunchRow& row, BindingFault fault) {
  const auto& faults = row.binding.faults;
  return std::find(faults.begin(), faults.end(), fault) != faults.end();
}

LaunchSummary summary_of(const LaunchNode& node) {
  LaunchSummary summary;
  summary.kinds.push_back({fingerprint(node), 1, node});
  const auto of = [&](BindingFault fault) -> LaunchSummary::Fault& {
    return summary.faults[static_cast<std::size_t>(fault)];
  };
  of(BindingFault::shared_gpu) = shared_gpus(node);
  of(BindingFault::far_gpu) = far_gpus(node);
  of(BindingFault::crowded) = crowded_cores(node);
  return summary;
}

void LaunchSummary::add(const LaunchSummary& higher) {
  for (const Kind& kind : higher.kinds) {
    const auto known = std::find_if(kinds.begin(), kinds.end(),
                                    [&](const Kind& one) { return one.fingerprint == kind.fingerprint; });
    if (known != kinds.end()) {
      known->nodes += kind.nodes;
      continue;
    }
    kinds.push_back(kind);
    if (kinds.size() > most_kinds) kinds.back().first = {};
  }
  for (std::size_t f = 0; f < faults.size(); ++f) {
    if (faults[f].cases == 0) faults[f].first = higher.faults[f].first;
    faults[f].cases += higher.faults[f].cases;
  }
}

}  // namespace plaq
