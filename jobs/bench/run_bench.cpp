// plaq bench NAME: a target on its usual lattice, without a job file.
#include <fmt/format.h>
#include <cstdio>
#include <nlohmann/json.hpp>

#include <set>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/node_map.hpp"
#include "comms/communicator/world.hpp"
#include "comms/placement/launch_site.hpp"
#include "comms/start/lattice_start.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/machine.hpp"
#include "core/system/timer.hpp"
#include "io/bytes/temporary_file.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/common/commands.hpp"
#include "jobs/common/path_registry.hpp"
#include "jobs/rates/stream.hpp"
#include "jobs/run/profile_report.hpp"

namespace plaq::jobs {
namespace {

Asked asked_of(const BenchOptions& options) {
  Asked asked;
  std::erase_if(asked.storages, [&](const StudyStorage& storage) {
    return (!options.precision.empty() && options.precision != name_of(storage.precision)) ||
           (options.reconstruction > 0 && options.reconstruction != storage.reconstruction);
  });
  if (options.right_hand_sides > 0) asked.right_hand_sides = {options.right_hand_sides};
  asked.samples = options.repeats;
  asked.only = options.only;
  asked.Ls = options.Ls;
  asked.vectors = options.vectors;
  asked.transport = *transport_kind(options.transport);
  return asked;
}

// Collective. The lattice, process grid and transport that were asked for.
SharedLattice share(const BenchOptions& options, const Target& what, const Queue& queue) {
  const int ranks = world_size();
  const Extents usual = queue.location() == Location::device ? what.on_gpu : what.on_host;
  if (usual == Extents{})
    return {std::make_shared<ProcessGrid>(world(), Extents{1, 1, 1, ranks}), nullptr, queue, nullptr};
  const Extents extents = options.lattice.value_or(usual);
  const int of_a_node = ranks_per_node(nodes_of(world()));
  Sharing sharing;
  sharing.grid = options.grid ? *options.grid : choose_grid(ranks, extents, of_a_node);
  for (const std::string& mu : options.force_partition)
    sharing.forced |= 1u << std::string_view("xyzt").find(mu);
  if (sharing.forced == 0 && ranks == 1) sharing.forced = what.alone;
  auto grid =
      std::make_shared<ProcessGrid>(world(), sharing.grid, choose_block(sharing.grid, extents, of_a_node));
  TransportKind wanted = *transport_kind(options.transport);
  // Faces that a rank exchanges with itself are to be measured, not saved.
  if (wanted == TransportKind::automatic && ranks == 1) wanted = TransportKind::host;
  auto faces = choose_transport(*grid, queue.location(), wanted);
  const GeometryPtr geometry = grid->geometry(extents, sharing.forced);
  return {std::move(grid), geometry, queue, std::move(faces.transport)};
}

}  // namespace

int run_bench(const BenchOptions& options) {
  const Communicator all = world();
  if (options.list) {
    if (all.rank() == 0)
      for (const Target& one : targets()) fmt::print("{:<21} {}\n", one.key, one.meaning);
    return 0;
  }
  const Target& what = target(options.name);
  if (!options.json.empty())
    on_first_rank([&] {
      expect_json_or_nothing(options.json);
      check_output(options.json, true);
    });
  const LaunchSite site = choose_launch_site(all, options.location, 0);
  const auto tuner =
      options.untuned ? nullptr : std::make_shared<Tuner>(TuneMode::on, machine_at(site.location, version()));
  const auto profiler = options.profile ? std::make_shared<Profiler>(site.location) : nullptr;
  const double memory_limit = stream_bandwidth(all, site.location, options.repeats);
  Bench bench(asked_of(options), share(options, what, Queue(site.location, tuner, profiler)));
  bench.memory_limit = memory_limit;
  bench.profiler = profiler;
  const Timer timer;
  what.measure(bench, what.key);
  const double seconds = timer.seconds();
  std::erase_if(bench.rows, [&](const Row& row) { return !bench.wants(row.target); });
  const std::vector<int> nodes = nodes_of(all);
  for (Row& row : bench.rows) {
    row.nodes = static_cast<int>(std::set<int>(nodes.begin(), nodes.end()).size());
    if (row.transport.empty()) row.transport = options.transport;
  }
  on_first_rank([&] {
    fmt::print("{} on {}, {} thread(s) a rank\n{}", version(),
               site.location == Location::device ? site.device_name : "the host", site.threads,
               text_of(bench.rows));
    std::fflush(stdout);
    if (options.json.empty()) return;
    const nlohmann::ordered_json out = {{"version", std::string(version())},
                                        {"machine",
                                         {{"location", std::string(name_of(site.location))},
                                          {"device", site.device_name},
                                          {"threads_per_rank", site.threads}}},
                                        {"rows", json_of(bench.rows)}};
    write_atomically(options.json, out.dump(1) + "\n", true);
  });
  if (profiler) report_profile(all, *profiler, seconds, "");
  return 0;
}

}  // namespace plaq::jobs
