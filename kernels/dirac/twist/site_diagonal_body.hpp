// Body of SiteDiagonalLaunch; generated kernel sources instantiate it.
#pragma once

#include "core/field/field_views.hpp"
#include "core/launch/launch.hpp"
#include "kernels/dirac/clover/clover_launch.hpp"
#include "kernels/dirac/twist/site_diagonal_launch.hpp"

namespace plaq {

// Inner index of the launch: place among the active right-hand sides.
template <class TargetT, class S>
struct SiteDiagonalApply {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Spinors = typename SpinorView<TargetT, S>::Array;
  static constexpr int block_size = 128;

  CloverView<TargetT, S> a_blocks, b_blocks;
  Spinors in, add, out;
  T a, b, factor;
  bool adds;
  ActiveSet active;

  PLAQ_HD void operator()(const typename Arch::Site& site, int k) const {
    Real r[24];
    in.load_mutable(active[k], site, r);
#pragma unroll
    for (int chirality = 0; chirality < 2; ++chirality) {
      HalfSpinor<Real> h;
#pragma unroll
      for (int i = 0; i < 6; ++i)
        component(h, i) = {r[12 * chirality + 2 * i], r[12 * chirality + 2 * i + 1]};
      auto sum = a_blocks ? a_blocks.load(chirality, site) * h : scaled(Real(a), h);
      if (b_blocks) h = b_blocks.load(chirality, site) * h;
      const Real twist = Real(chirality == 0 ? b : -b);
#pragma unroll
      for (int i = 0; i < 6; ++i) {
        const Complex<Real> z = fma_i(twist, component(h, i), component(sum, i));
        r[12 * chirality + 2 * i] = z.re;
        r[12 * chirality + 2 * i + 1] = z.im;
      }
    }
    if (adds) {
      Real x[24];
      add.load_mutable(active[k], site, x);
#pragma unroll
      for (int i = 0; i < 24; ++i) r[i] = fma(Real(factor), r[i], x[i]);
    }
    out.store(active[k], site, r);
  }

 private:
  template <class Half>
  static PLAQ_HD auto& component(Half& h, int i) {
    return h.s[i / 3].c[i % 3];
  }
  static PLAQ_HD HalfSpinor<Real> scaled(const Real& s, HalfSpinor<Real> h) {
#pragma unroll
    for (int i = 0; i < 6; ++i) component(h, i) = scale(s, component(h, i));
    return h;
  }
};

template <class Target, class S>
void SiteDiagonalLaunch<Target, S>::run(const SiteDiagonalCall& call, const Queue& queue) {
  const auto spinors = [&](const Field* field) -> typename SpinorView<Target, S>::Array {
    if (field == nullptr) return {};
    expect(*field, location_of<Target>, precision_of<S>, 4, 3);
    return {field->data(0, call.parity), field->subfield_stride()};
  };
  const auto blocks = [&](const Field* field) {
    return field == nullptr ? CloverView<Target, S>() : clover_view<Target, S>(*field, call.parity);
  };
  const SiteDiagonal& d = call.diagonal;
  for_each(
      make_domain(call.in->geometry(), Region::all, call.parity, location_of<Target>, call.active.count()),
      queue,
      SiteDiagonalApply<Target, S>{blocks(d.a_blocks), blocks(d.b_blocks), spinors(call.in),
                                   spinors(call.add), spinors(call.out), static_cast<Compute<S>>(d.a),
                                   static_cast<Compute<S>>(d.b), static_cast<Compute<S>>(call.factor),
                                   call.add != nullptr, call.active});
}

}  // namespace plaq
