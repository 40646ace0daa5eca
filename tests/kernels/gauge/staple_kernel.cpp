#include "tests/kernels/gauge/staple_kernel.hpp"

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/site/staple.hpp"

namespace plaq::test {
namespace {

template <class TargetT, class T>
struct StoreStaples {
  using Arch = plaq::Arch<TargetT, T>;
  GaugeLattice<TargetT, T> gauge;
  GaugeView<TargetT, T> staples;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    staples.store(mu, parity, site, staple_sum(gauge, gauge.lattice.point(parity, site), mu));
  }
};

}  // namespace

template <class Target, class T>
void launch_store_staples(const Field& staples, const Field& gauge, const Queue& queue) {
  const GaugeLattice<Target, T> lattice{LatticeView<Target, T>(gauge.geometry()),
                                        gauge_view<Target, T>(gauge)};
  for (int parity = 0; parity < 2; ++parity)
    for_each(make_domain(gauge.geometry(), Region::all, parity, location_of<Target>, 4), queue,
             StoreStaples<Target, T>{lattice, gauge_view<Target, T>(staples), parity});
}

template void launch_store_staples<BuildTarget, float>(const Field&, const Field&, const Queue&);
template void launch_store_staples<BuildTarget, double>(const Field&, const Field&, const Queue&);

}  // namespace plaq::test
