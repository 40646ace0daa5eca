#include <algorithm>

#include "core/launch/launch.hpp"
#include "kernels/dirac/clover/clover_launch.hpp"
#include "kernels/dirac/force/clover_force.hpp"
#include "kernels/dirac/force/wilson_force_launch.hpp"
#include "kernels/dirac/force/wilson_pairs.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/gauge_lattice.hpp"

namespace plaq {
namespace {

template <class Target>
PlaneView<Target, double> plane_view(const Field& z) {
  expect(z, location_of<Target>, Precision::double_precision, 2, 3);
  return PlaneView<Target, double>(SiteArray<Target, double, 12>(z.data(0, 0), z.layout().size()));
}
template <class Target>
Domain owned_by(const Field& field, int parity, int inner) {
  return make_domain(field.geometry(), Region::all, parity, location_of<Target>, inner);
}

}  // namespace

template <class Target>
void WilsonForceLaunch<Target>::hops(Field& force, const Field& links, const Field& pairs,
                                     std::span<const double> weights, const WilsonParameters& parameters,
                                     const Queue& queue) {
  const double in_space = parameters.nu / parameters.xi;
  HopForce<Target, double, WilsonPairs<Target, double>> kernel{
      gauge_lattice<Target, double>(links),
      {{spinor_view<Target, double>(pairs, 0), spinor_view<Target, double>(pairs, 1)}, pairs.subfields() / 2},
      algebra_view<Target, double>(force),
      static_cast<int>(weights.size()),
      {},
      {in_space, in_space, in_space, 1},
      {}};
  std::copy(weights.begin(), weights.end(), kernel.weight);
  std::copy(parameters.boundary.begin(), parameters.boundary.end(), kernel.boundary);
  for_each(owned_links<Target>(links), queue, kernel);
}

template <class Target>
void WilsonForceLaunch<Target>::insert_pairs(Field& z, const Field& pairs, std::span<const double> weights,
                                             const CloverCoefficients& clover, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity) {
    PairInsertion<Target, double> kernel{spinor_view<Target, double>(pairs, parity),
                                         plane_view<Target>(z),
                                         {},
                                         sigma_planes<double>(clover.spatial, clover.temporal),
                                         static_cast<int>(weights.size()),
                                         pairs.subfields() / 2,
                                         parity};
    std::copy(weights.begin(), weights.end(), kernel.weight);
    for_each(owned_by<Target>(z, parity, planes), queue, kernel);
  }
}

template <class Target>
void WilsonForceLaunch<Target>::exponential_pairs(Field& blocks, const Field& exponent, const Field& pairs,
                                                  std::span<const double> weights, int halvings,
                                                  const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity) {
    ExponentialPairs<Target, double> kernel{pairs.geometry().shape(),
                                            blocks.geometry().shape(),
                                            spinor_view<Target, double>(pairs, parity),
                                            clover_view<Target, double>(exponent, parity),
                                            clover_view<Target, double>(blocks, parity),
                                            {},
                                            halvings,
                                            static_cast<int>(weights.size()),
                                            pairs.subfields() / 2,
                                            parity};
    std::copy(weights.begin(), weights.end(), kernel.weight);
    for_each(owned_by<Target>(pairs, parity, 2), queue, kernel);
  }
}

template <class Target>
void WilsonForceLaunch<Target>::insert_determinant(Field& z, const Field& inverse, int parity,
                                                   double flavours, const CloverCoefficients& clover,
                                                   const Queue& queue) {
  for_each(
      owned_by<Target>(z, parity, planes), queue,
      DeterminantInsertion<Target, double>{
          z.geometry().shape(), inverse.geometry().shape(), clover_view<Target, double>(inverse, parity),
          plane_view<Target>(z), flavours, sigma_planes<double>(clover.spatial, clover.temporal), parity});
}

template <class Target>
void WilsonForceLaunch<Target>::leaves(Field& force, const Field& links, const Field& z, const Queue& queue) {
  for_each(owned_links<Target>(links), queue,
           LeafForce<Target, double>{gauge_lattice<Target, double>(links), plane_view<Target>(z),
                                     algebra_view<Target, double>(force)});
}

template struct WilsonForceLaunch<BuildTarget>;

}  // namespace plaq
