// Makes d exp(A/d) of the chiral blocks A/d of a field, site by site. The inner index is the chirality.
#pragma once

#include "kernels/dirac/clover/chiral_exponential.hpp"

namespace plaq {

template <class TargetT, class T>
struct CloverExponential {
  using Arch = plaq::Arch<TargetT, T>;
  using Real = typename Arch::Real;
  static constexpr int block_size = 64;

  CloverView<TargetT, T> in, out;
  T diagonal;
  int halvings;

  PLAQ_HD void operator()(const typename Arch::Site& site, int chirality) const {
    out.store(chirality, site, scale(Real(diagonal), exponential(in.load(chirality, site), halvings)));
  }
};

}  // namespace plaq
