#include <algorithm>

#include "core/launch/launch.hpp"
#include "kernels/dirac/force/hop_force.hpp"
#include "kernels/dirac/force/staggered_force_launch.hpp"
#include "kernels/dirac/force/staggered_pairs.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/gauge_lattice.hpp"

namespace plaq {

template <class Target>
void StaggeredForceLaunch<Target>::hops(Field& force, const Field& links, const Field& pairs,
                                        std::span<const double> weights, const std::array<int, 4>& boundary,
                                        const Queue& queue) {
  HopForce<Target, double, StaggeredPairs<Target, double>> kernel{
      gauge_lattice<Target, double>(links),
      {{staggered_view<Target, double>(pairs, 0), staggered_view<Target, double>(pairs, 1)}},
      algebra_view<Target, double>(force),
      static_cast<int>(weights.size()),
      {},
      {0.5, 0.5, 0.5, 0.5},
      {}};
  std::copy(weights.begin(), weights.end(), kernel.weight);
  std::copy(boundary.begin(), boundary.end(), kernel.boundary);
  for_each(owned_links<Target>(links), queue, kernel);
}

template <class Target>
void StaggeredForceLaunch<Target>::gradient(Field& gradient, const Field& pairs,
                                            std::span<const double> weights, int steps, double coefficient,
                                            const std::array<int, 4>& boundary, const Queue& queue) {
  HopGradient<Target, double, StaggeredPairs<Target, double>> kernel{
      gauge_lattice<Target, double>(gradient),
      {{staggered_view<Target, double>(pairs, 0), staggered_view<Target, double>(pairs, 1)}},
      static_cast<int>(weights.size()),
      steps,
      {},
      0.5 * coefficient,
      {}};
  std::copy(weights.begin(), weights.end(), kernel.weight);
  std::copy(boundary.begin(), boundary.end(), kernel.boundary);
  for_each(owned_links<Target>(gradient), queue, kernel);
}

template struct StaggeredForceLaunch<BuildTarget>;

}  // namespace plaq
