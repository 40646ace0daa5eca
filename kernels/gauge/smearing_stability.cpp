#include "kernels/gauge/smearing_stability.hpp"

#include <algorithm>

namespace plaq {
namespace {

double highest_momentum(bool spatial) { return spatial ? 12 : 16; }  // phat^2

}  // namespace

double lowest_factor(const ApeSmearing& ape) {
  const double staples = ape.spatial ? 4 : 6;
  return 1 - ape.alpha * highest_momentum(ape.spatial) / staples;
}

double lowest_factor(const StoutSmearing& stout) { return 1 - stout.rho * highest_momentum(stout.spatial); }

// Two components of p are pi and the links of their plane oscillate, or all components are pi.
double lowest_factor(const HypSmearing& hyp) {
  const auto [a1, a2, a3, spatial] = hyp;
  if (spatial) return 1 - std::max(2 * a2 * (1 + a3), 3 * a2 * (1 - a3));
  return 1 - std::max(a1 * (1 + a2 + a2 * a3) * 4 / 3, a1 * (1 - a2 + a2 * a3) * 8 / 3);
}

double lowest_factor_of_flow(double epsilon, FlowAction action) {
  const double share = action == FlowAction::wilson ? 1 : action == FlowAction::symanzik ? 5.0 / 3 : 10.0 / 9;
  const double z = epsilon * share * highest_momentum(false);
  return 1 - z * (1 - z / 2 * (1 - z / 3));
}

double largest_alpha(bool spatial) { return spatial ? 0.667 : 0.75; }
double largest_rho(bool spatial) { return spatial ? 0.167 : 0.125; }

}  // namespace plaq
