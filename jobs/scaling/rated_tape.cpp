#include "jobs/scaling/rated_tape.hpp"

#include <algorithm>

#include "comms/grid/node_map.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/rates/random_fields.hpp"

namespace plaq::jobs {

Tape::Section rated_tape(const ActionParameters& parameters, std::string_view key,
                         const ScaledStorage& storage, int right_hand_sides, const RatedPart& part,
                         int ranks_per_node) {
  constexpr auto location = Location::device;
  const ScaledOperator& op = scaled_operator(key);
  DryRun dry({part.ranks(), ranks_per_node < part.ranks() ? ranks_per_node : 0, location});
  const DryRun::Scope scope(dry);
  const ProcessGrid grid(world(), part.grid);
  const RateProblem rates{grid, random_gauge(grid.geometry(part.global, part.forced), 11), Queue(location),
                          choose_transport(grid, location, TransportKind::automatic).transport, 1};
  const auto action = op.fixes_gauge ? nullptr : make_rated_action(rates, parameters);
  op.measure({rates, action.get(), 1}, key, {storage}, right_hand_sides);
  const auto& all = dry.tape().sections();
  const std::string_view what = op.iterates ? "iteration" : "application";
  const auto found =
      std::find_if(all.begin(), all.end(), [&](const auto& section) { return section.name.ends_with(what); });
  require(found != all.end(), "an operator that writes nothing on a tape");
  return *found;
}

}  // namespace plaq::jobs
