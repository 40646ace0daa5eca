#include "io/tuning/rank_start.hpp"

#include "comms/communicator/node_map.hpp"
#include "core/system/log.hpp"
#include "core/system/machine.hpp"
#include "core/system/profiler.hpp"
#include "io/tuning/tuning_file.hpp"

namespace plaq {

StartedRanks start_ranks(const Communicator& ranks, const RankSettings& settings) {
  const int of_a_node = ranks_per_node(nodes_of(ranks));
  const LaunchSite site =
      choose_launch_site(ranks, settings.location, settings.threads, settings.strict_binding);
  if (ranks.size() > 1 || site.location == Location::device) log::info(site.table);
  auto tuner = std::make_shared<Tuner>(settings.tuning, machine_at(site.location, version()));
  const std::string file = tuning_file_path(settings.tuning_file);
  load_tuning(ranks, file, *tuner);
  return {ranks, site, of_a_node, file,
          Queue(site.location, std::move(tuner),
                settings.profile ? std::make_shared<Profiler>(site.location) : nullptr)};
}

}  // namespace plaq
