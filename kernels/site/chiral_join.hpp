// One chirality of each of two spinor fields: out = P_+ plus + P_- minus, either of them 0 where it is
// closed. P_+ keeps spins 0, 1, P_- spins 2, 3 (gamma5 = diag(1, 1, -1, -1)). Each field has its slots: the
// k-th right-hand side is in slot stride * k + first.
#pragma once

#include "core/arch.hpp"
#include "core/views.hpp"

namespace plaq {

template <class TargetT, class S>
struct ChiralJoin {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Array = typename SpinorView<TargetT, S>::Array;
  static constexpr int block_size = 128;

  struct Slots {
    Array array;
    int stride = 1, first = 0;
    PLAQ_HD int of(int k) const { return stride * k + first; }
  };
  Slots plus, minus, out;

  PLAQ_HD void operator()(const typename Arch::Site& site, int k) const {
    Real upper[24], lower[24];
    if (plus.array) plus.array.load_mutable(plus.of(k), site, upper);
    if (minus.array) minus.array.load_mutable(minus.of(k), site, lower);
    const Real zero(T(0));
#pragma unroll
    for (int r = 0; r < 12; ++r) {
      if (!plus.array) upper[r] = zero;
      upper[r + 12] = minus.array ? lower[r + 12] : zero;
    }
    out.array.store(out.of(k), site, upper);
  }
};

}  // namespace plaq
