#include <type_traits>

#include "core/launch/launch.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/gauge_action_launch.hpp"
#include "kernels/gauge/gauge_lattice.hpp"
#include "kernels/site/loop_staple.hpp"

namespace plaq {
namespace {

// F = TA(U V)/6. Inner index of the launch: direction.
template <class TargetT, class T, bool rectangles, bool chairs>
struct GaugeForce {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = rectangles || chairs ? 256 : 512;

  GaugeLattice<TargetT, T> gauge;
  AlgebraView<TargetT, T> force;
  LoopWeights weights;

  PLAQ_HD void operator()(int parity, const typename Arch::Site& site, int mu) const {
    const LoopStaple<TargetT, T, rectangles, chairs> staple(gauge, weights);
    const auto v = staple(gauge.lattice.point(parity, site), mu);
    force.store(mu, parity, site,
                scale(Real(T(1) / T(6)), traceless_antihermitian(gauge.links.load(mu, parity, site) * v)));
  }
};

}  // namespace

template <class Target, class T>
void launch_loop_sums(const Field& gauge, bool rectangles, bool chairs, const Queue& queue, SumBuffer& sums) {
  reduce(owned_links<Target>(gauge, 1), queue,
         LoopSum<Target, T>{gauge_lattice<Target, T>(gauge), rectangles, chairs}, sums);
}

template <class Target, class T>
void launch_gauge_force(Field& force, const Field& gauge, const LoopWeights& weights, const Queue& queue) {
  const auto launch = [&](auto rectangles, auto chairs) {
    for_each(owned_links<Target>(gauge), queue,
             GaugeForce<Target, T, rectangles, chairs>{gauge_lattice<Target, T>(gauge),
                                                       algebra_view<Target, T>(force), weights});
  };
  if (weights.chair != 0)
    launch(std::true_type(), std::true_type());
  else if (weights.has_rectangles())
    launch(std::true_type(), std::false_type());
  else
    launch(std::false_type(), std::false_type());
}

template void launch_loop_sums<BuildTarget, float>(const Field&, bool, bool, const Queue&, SumBuffer&);
template void launch_loop_sums<BuildTarget, double>(const Field&, bool, bool, const Queue&, SumBuffer&);
template void launch_gauge_force<BuildTarget, double>(Field&, const Field&, const LoopWeights&, const Queue&);

}  // namespace plaq
