#include "quarks/action/conserved_current.hpp"

#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq {
namespace {

bool has_current(const DomainWallChoice& walls) {
  if (!walls.gamma5_hermitian()) return false;
  if (walls.measures_bounds()) return true;
  const DomainWallParameters p = walls.parameters();
  for (std::size_t s = 0; s < p.omega.size(); ++s)
    if (!(p.omega[s] + p.sigma[s] > 0)) return false;
  return true;
}

}  // namespace

std::optional<std::array<double, 4>> conserved_current_weights(const Action& action) {
  double space = 1;
  if (const auto* wilson = parameters_of<WilsonParameters>(action))
    space = wilson->nu / wilson->xi;
  else if (const auto* walls = parameters_of<DomainWallChoice>(action);
           walls != nullptr && has_current(*walls))
    space = walls->nu / walls->xi;
  else
    return std::nullopt;
  return std::array<double, 4>{space, space, space, 1};
}

ActionPtr action_through_sink(const ActionPtr& action) {
  const auto* walls = parameters_of<DomainWallChoice>(*action);
  if (walls == nullptr) return action;
  if (!walls->measures_bounds() && walls->parameters().same_read_backwards()) return action;
  DomainWallChoice backwards = *walls;
  backwards.backwards = !walls->backwards;
  return domain_wall_action(backwards);
}

}  // namespace plaq
