#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/gluon/color_matrix_view.hpp"
#include "kernels/gluon/faddeev_popov_launch.hpp"
#include "kernels/gluon/gluon_transform.hpp"
#include "kernels/site/su3_algebra.hpp"

namespace plaq {
namespace {

template <class TargetT>
struct GluonComponents {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;

  GaugeView<TargetT, double> links;
  SiteArray<TargetT, double, 2> out;
  int parity;

  // (U - U^dagger)/(2i) without its trace is X/i: component a is tr(lambda_a X/i).
  PLAQ_HD void operator()(const typename Arch::Site& site, int mu) const {
    const auto x = traceless_antihermitian(links.load(mu, parity, site));
    const Real two(2.0), root3(1.7320508075688772);
    const Real a[4][2] = {{two * x.o[0].im, two * x.o[0].re},
                          {x.d[0] - x.d[1], two * x.o[1].im},
                          {two * x.o[1].re, two * x.o[2].im},
                          {two * x.o[2].re, root3 * (x.d[0] + x.d[1])}};
#pragma unroll
    for (int k = 0; k < 4; ++k) out.store(4 * mu + k, site, a[k]);
  }
};

template <class TargetT>
struct ColorMatrixSum {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;
  static constexpr int sums = color_matrix_reals;

  ColorMatrixView<TargetT, double> w;
  ActiveSet active;

  PLAQ_HD void operator()(const typename Arch::Site& site, int k, Real (&sum)[sums]) const {
    pack_rows<3>(w.load(active[k], site), sum);
  }
};

template <class TargetT>
struct SubtractConstant {
  using Arch = plaq::Arch<TargetT, double>;
  using Real = typename Arch::Real;

  ColorMatrixView<TargetT, double> w;
  ActiveSet active;
  const double* constant;

  PLAQ_HD void operator()(const typename Arch::Site& site, int k) const {
    const double* c = constant + k * color_matrix_reals;
    auto m = w.load_mutable(active[k], site);
#pragma unroll
    for (int i = 0; i < 3; ++i)
#pragma unroll
      for (int j = 0; j < 3; ++j)
        m.e[i][j] = m.e[i][j] - Complex<Real>{Real(c[6 * i + 2 * j]), Real(c[6 * i + 2 * j + 1])};
    w.store(active[k], site, m);
  }
};

template <class Target>
Domain all_of(const Field& field, int parity, int inner) {
  return make_domain(field.geometry(), Region::all, parity, location_of<Target>, inner);
}

}  // namespace

template <class Target>
void launch_gluon_components(const Field& gauge, Field& components, const Queue& queue) {
  expect(components, location_of<Target>, Precision::double_precision, 1, 1);
  for (int parity = 0; parity < 2; ++parity)
    for_each(
        all_of<Target>(gauge, parity, 4), queue,
        GluonComponents<Target>{
            gauge_view<Target, double>(gauge),
            SiteArray<Target, double, 2>(components.data(0, parity), components.subfield_stride()), parity});
}

template <class Target>
void launch_color_matrix_sums(const Field& w, const ActiveSet& active, SumBuffer& sums, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    reduce(all_of<Target>(w, parity, active.count()), queue,
           ColorMatrixSum<Target>{color_matrix_view<Target, double>(w, parity), active}, sums);
}

template <class Target>
void launch_subtract_constant(Field& w, const ActiveSet& active, const double* constant, const Queue& queue) {
  for (int parity = 0; parity < 2; ++parity)
    for_each(all_of<Target>(w, parity, active.count()), queue,
             SubtractConstant<Target>{color_matrix_view<Target, double>(w, parity), active, constant});
}

template void launch_gluon_components<BuildTarget>(const Field&, Field&, const Queue&);
template void launch_color_matrix_sums<BuildTarget>(const Field&, const ActiveSet&, SumBuffer&, const Queue&);
template void launch_subtract_constant<BuildTarget>(Field&, const ActiveSet&, const double*, const Queue&);

}  // namespace plaq
