#include "jobs/scaling/rated_tape.hpp"

#include <algorithm>

#include "comms/grid/world.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/study/study_lattice.hpp"
#include "quarks/multigrid/multigrid_options.hpp"

namespace plaq::jobs {

Tape::Section rated_tape(const ActionPtr& parameters, std::string_view key, const StudyStorage& storage,
                         int right_hand_sides, const RatedPart& part, int ranks_per_node,
                         const MultigridOptions& multigrid) {
  constexpr auto location = Location::device;
  const Subject& what = subject(key);
  DryRun dry({part.ranks(), ranks_per_node < part.ranks() ? ranks_per_node : 0, location});
  const DryRun::Scope scope(dry);
  const StudyLattice lattice(world(), part.global, {part.grid, part.forced}, [](const ProcessGrid& grid) {
    return choose_transport(grid, location, TransportKind::automatic);
  });
  const RateProblem rates = lattice.problem(Queue(location), 1);
  const auto action = what.fixes_gauge() ? nullptr : make_rated_action(rates, parameters);
  what.measure({rates, action.get(), 1, 0, &multigrid, false}, key, {storage}, right_hand_sides);
  const auto& all = dry.tape().sections();
  const std::string_view repeated = what.iterates() ? "iteration" : "application";
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& section) { return section.name.ends_with(repeated); });
  require(found != all.end(), "an operator that writes nothing on a tape");
  return *found;
}

}  // namespace plaq::jobs
