#include "quarks/action/conserved_current.hpp"

#include <algorithm>

#include "quarks/action/domain_wall_action.hpp"
#include "quarks/action/wilson_action.hpp"

namespace plaq {
namespace {

bool is_shamir(const DomainWallChoice& walls) {
  if (walls.measures_bounds()) return false;
  const DomainWallParameters p = walls.parameters();
  return std::all_of(p.omega.begin(), p.omega.end(), [](double omega) { return omega == 1; }) &&
         std::all_of(p.sigma.begin(), p.sigma.end(), [](double sigma) { return sigma == 0; });
}

}  // namespace

std::optional<std::array<double, 4>> conserved_current_weights(const Action& action) {
  double space = 1;
  if (const auto* wilson = parameters_of<WilsonParameters>(action))
    space = wilson->nu / wilson->xi;
  else if (const auto* walls = parameters_of<DomainWallChoice>(action); walls != nullptr && is_shamir(*walls))
    space = walls->nu / walls->xi;
  else
    return std::nullopt;
  return std::array<double, 4>{space, space, space, 1};
}

}  // namespace plaq
