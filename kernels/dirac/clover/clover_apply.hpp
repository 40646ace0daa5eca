// Both chiral blocks of a site times spinors, 504 flops each: out = C in. The blocks are read once for a
// group of right-hand sides and stay in registers. `out` may be `in`.
#pragma once

#include "core/operator/active_set.hpp"
#include "kernels/dirac/clover/chiral_block.hpp"

namespace plaq {

// Width: right-hand sides of one call.
template <class TargetT, class S, int Width>
struct CloverApply {
  using T = Compute<S>;
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using Spinors = typename SpinorView<TargetT, S>::Array;
  static constexpr int block_size = 128;
  static constexpr int min_blocks = sizeof(T) == 4 ? 4 : (Width == 1 ? 3 : 2);

  CloverView<TargetT, S> blocks;
  Spinors in, out;
  ActiveSet active;

  PLAQ_HD void operator()(const typename Arch::Site& site, int group) const {
    const ChiralBlock<Real> block[2] = {blocks.load(0, site), blocks.load(1, site)};
#pragma unroll 1
    for (int k = group * Width; k < (group + 1) * Width && k < active.count(); ++k) {
      Real r[24];
      in.load_mutable(active[k], site, r);
#pragma unroll
      for (int chirality = 0; chirality < 2; ++chirality) {
        HalfSpinor<Real> h;
#pragma unroll
        for (int i = 0; i < 6; ++i)
          h.s[i / 3].c[i % 3] = {r[12 * chirality + 2 * i], r[12 * chirality + 2 * i + 1]};
        h = block[chirality] * h;
#pragma unroll
        for (int i = 0; i < 6; ++i) {
          r[12 * chirality + 2 * i] = h.s[i / 3].c[i % 3].re;
          r[12 * chirality + 2 * i + 1] = h.s[i / 3].c[i % 3].im;
        }
      }
      out.store(active[k], site, r);
    }
  }
};

}  // namespace plaq
