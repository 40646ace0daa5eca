// One chirality of each of two spinor fields: out = P_+ plus + P_- minus, either of them 0 where it is
// closed. P_+ keeps spins 0, 1, P_- spins 2, 3 (gamma5 = diag(1, 1, -1, -1)). Each field has its subfields:
// the k-th right-hand side is in subfield stride * k + first.
#pragma once

#include "core/field/views.hpp"
#include "core/launch/arch.hpp"

namespace plaq {

template <class TargetT, class S>
struct ChiralJoin {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Array = typename SpinorView<TargetT, S>::Array;
  static constexpr int block_size = 128;

  struct Subfields {
    Array array;
    int stride = 1, first = 0;
    PLAQ_HD int of(int k) const { return stride * k + first; }
  };
  Subfields plus, minus, out;

  PLAQ_HD void operator()(const typename Arch::Site& site, int k) const {
    Real upper[24], lower[24];
#pragma unroll
    for (int r = 0; r < 24; ++r) upper[r] = lower[r] = Real(T(0));
    if (plus.array) plus.array.load_mutable(plus.of(k), site, upper);
    if (minus.array) minus.array.load_mutable(minus.of(k), site, lower);
#pragma unroll
    for (int r = 12; r < 24; ++r) upper[r] = lower[r];
    out.array.store(out.of(k), site, upper);
  }
};

}  // namespace plaq
