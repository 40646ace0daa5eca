#include "core/algebra/random.hpp"
#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/dirac/force/pseudofermion_launch.hpp"
#include "kernels/site/lane_wise.hpp"

namespace plaq {
namespace {

// A draw gives the two normal numbers of a component, with variance 1/2 each. `Vector`: of Spins color
// vectors.
template <class TargetT, template <class> class Vector, int Spins>
struct PseudofermionDraw {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;

  LatticeShape shape;
  SpinView<TargetT, double, Spins, double, false> eta;
  std::uint64_t seed;
  std::uint32_t trajectory, number;
  int parity, slice;

  PLAQ_HD void operator()(const typename Arch::Site& site, int) const {
    Vector<Real> psi;
    for (auto& spin : psi.s)
      for (auto& z : spin.c) z = {Real(0), Real(0)};
    for_each_lane(site, [&](int lane, int index) {
      const RandomStream stream{seed,        global_site(shape, parity, index),
                                trajectory,  Purpose::pseudofermion,
                                number % 16, number / 16};
#pragma unroll 1
      for (int k = 0; k < 3 * Spins; ++k) {
        const auto pair = stream.draw(static_cast<std::uint32_t>(3 * Spins * slice + k)).gaussian();
        auto& z = psi.s[k / 3].c[k % 3];
        set_lane(z.re, lane, pair.first * 0.70710678118654752440);
        set_lane(z.im, lane, pair.second * 0.70710678118654752440);
      }
    });
    eta.store(slice, site, psi);
  }
};

template <class Target>
Domain sites_of(const Field& field, int parity) {
  return make_domain(field.geometry(), Region::all, parity, location_of<Target>);
}

}  // namespace

template <class Target>
void PseudofermionLaunch<Target>::draw(Field& eta, int parity, std::uint64_t seed, std::uint32_t trajectory,
                                       int number, const Queue& queue) {
  const auto launch = [&](const auto& kernel) { for_each(sites_of<Target>(eta, parity), queue, kernel); };
  const LatticeShape& shape = eta.geometry().shape();
  const auto k = static_cast<std::uint32_t>(number);
  for (int slice = 0; slice < eta.Ls(); ++slice)
    if (eta.spec().spins == 1)
      launch(PseudofermionDraw<Target, StaggeredVector, 1>{shape, staggered_view<Target, double>(eta, parity),
                                                           seed, trajectory, k, parity, slice});
    else
      launch(PseudofermionDraw<Target, Spinor, 4>{shape, spinor_view<Target, double>(eta, parity), seed,
                                                  trajectory, k, parity, slice});
}

template struct PseudofermionLaunch<BuildTarget>;

}  // namespace plaq
