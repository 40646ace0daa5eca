// Inverts the chiral blocks of a field site by site, one chirality (the inner index) at a time. Sums:
//   0: log |det|   1: blocks with a negative determinant   2: blocks that are singular to rounding or not
//   finite
// With a twist mu the inverse of C + i mu is A - i B, A and B Hermitian.
#pragma once

#include "kernels/dirac/clover/chiral_inverse.hpp"

namespace plaq {

template <class TargetT, class T>
struct CloverInverse {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  using RealDouble = typename Arch::RealDouble;
  static constexpr int sums = 3;

  CloverView<TargetT, T> in, out, out_twist;  // A; B, or closed
  T twist;

  PLAQ_HD void operator()(const typename Arch::Site& site, int chirality, RealDouble (&sum)[sums]) const {
    const InvertedBlock<Real> found = invert(in.load(chirality, site), Real(twist));
    out.store(chirality, site, found.inverse);
    if (out_twist) out_twist.store(chirality, site, found.twist);
    const Real zero = Real(0), one = Real(1);
    // Written so that a NaN is singular too.
    const Real regular = select(at_most(Real(singular_pivot<T>), found.smallest_pivot), one, zero);
    const auto singular = at_most(regular, zero);
    sum[0] = to_double(select(singular, zero, found.log_determinant));
    sum[1] = to_double(select(singular, zero, select(at_most(found.determinant_sign, zero), one, zero)));
    sum[2] = to_double(select(singular, one, zero));
  }
};

}  // namespace plaq
