#include "tests/kernels/gauge/exp_kernel.hpp"

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/site/su3_exp.hpp"
#include "kernels/site/su3_polar.hpp"

namespace plaq::test {
namespace {

template <class TargetT, class T>
struct StoreExponentials {
  using Arch = plaq::Arch<TargetT, T>;
  GaugeView<TargetT, T> in, out;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    out.store(mu, parity, site, exp(traceless_antihermitian(in.load(mu, parity, site))));
  }
};

template <class TargetT, class T>
struct StoreProjections {
  using Arch = plaq::Arch<TargetT, T>;
  GaugeView<TargetT, T> in, out;
  int parity;

  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    out.store(mu, parity, site,
              project_polar(in.load(mu, parity, site), [] { return unit_matrix<typename Arch::Real>(); }));
  }
};

Domain stored(const Field& field) { return index_domain(field.geometry().shape().half_volume, 4); }

}  // namespace

template <class Target, class T>
void launch_store_exponentials(const Field& out, const Field& in, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(stored(in), queue,
             StoreExponentials<Target, T>{gauge_view<Target, T>(in), gauge_view<Target, T>(out), parity});
}

template <class Target, class T>
void launch_store_projections(const Field& out, const Field& in, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(stored(in), queue,
             StoreProjections<Target, T>{gauge_view<Target, T>(in), gauge_view<Target, T>(out), parity});
}

template void launch_store_exponentials<BuildTarget, float>(const Field&, const Field&, const Queue&);
template void launch_store_exponentials<BuildTarget, double>(const Field&, const Field&, const Queue&);
template void launch_store_projections<BuildTarget, float>(const Field&, const Field&, const Queue&);
template void launch_store_projections<BuildTarget, double>(const Field&, const Field&, const Queue&);

}  // namespace plaq::test
