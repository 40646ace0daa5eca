#include "tests/core/field/component_view_kernel.hpp"

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"

namespace plaq::test {
namespace {

template <class TargetT, class S>
struct CopyComponents {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  ComponentView<TargetT, S> to;
  ComponentView<TargetT, T> from;

  PLAQ_HD void operator()(const typename Arch::Site& site, int subfield) const {
    Real most(T(0));
    for (int k = 0; k < from.components(); ++k) {
      const Complex<Real> z = from.load(subfield, site, k);
      most = larger_magnitude(z.im, larger_magnitude(z.re, most));
    }
    const Real steps = to.set_scale(subfield, site, most);
    for (int k = 0; k < from.components(); ++k)
      to.store(subfield, site, k, from.load(subfield, site, k), steps);
  }
};

template <class TargetT, class S>
struct Transpose {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  MatrixView<TargetT, S, 4, 2> to;
  MatrixView<TargetT, T, 2, 4> from;
  int extent;

  PLAQ_HD void operator()(const typename Arch::Site& site, int subfield) const {
    Real most(T(0));
    for (int i = 0; i < extent; i += 2)
      for (int j = 0; j < extent; j += 4) {
        const Real of_block = from.largest(from.load(subfield, site, i, j));
        most = larger_magnitude(of_block, most);
      }
    const Real steps = to.set_scale(subfield, site, most);
    for (int i = 0; i < extent; i += 2)
      for (int j = 0; j < extent; j += 4) {
        const auto m = from.load(subfield, site, i, j);
        Matrix<Real, 4, 2> t;
        for (int a = 0; a < 2; ++a)
          for (int b = 0; b < 4; ++b) t.e[b][a] = m.e[a][b];
        to.store(subfield, site, t, steps, j, i);
      }
  }
};

template <class Target, class Kernel, class Views>
void launch(const Field& to, const Queue& queue, Kernel kernel, Views&& open) {
  for (int parity = 0; parity < 2; ++parity) {
    if (!to.holds(parity)) continue;
    open(kernel, parity);
    for_each(make_domain(to.geometry(), Region::all, parity, location_of<Target>, to.subfields()), queue,
             kernel);
  }
}

}  // namespace

template <class Target, class S>
void launch_copy_components(const Field& to, const Field& from, const Queue& queue) {
  launch<Target>(to, queue, CopyComponents<Target, S>(), [&](auto& kernel, int parity) {
    kernel.to = component_view<Target, S>(to, parity);
    kernel.from = component_view<Target, Compute<S>>(from, parity);
  });
}

template <class Target, class S>
void launch_transpose(const Field& to, const Field& from, const Queue& queue) {
  launch<Target>(to, queue, Transpose<Target, S>(), [&](auto& kernel, int parity) {
    kernel.to = matrix_view<Target, S, 4, 2>(to, parity);
    kernel.from = matrix_view<Target, Compute<S>, 2, 4>(from, parity);
    kernel.extent = to.spec().spins;
  });
}

template void launch_copy_components<BuildTarget, double>(const Field&, const Field&, const Queue&);
template void launch_copy_components<BuildTarget, float>(const Field&, const Field&, const Queue&);
template void launch_copy_components<BuildTarget, Fixed16>(const Field&, const Field&, const Queue&);
template void launch_transpose<BuildTarget, double>(const Field&, const Field&, const Queue&);
template void launch_transpose<BuildTarget, float>(const Field&, const Field&, const Queue&);
template void launch_transpose<BuildTarget, Fixed16>(const Field&, const Field&, const Queue&);

}  // namespace plaq::test
