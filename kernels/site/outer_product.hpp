// Outer products of color vectors, summed over spins: forces of quarks on links.
#pragma once

#include "core/algebra/su3.hpp"

namespace plaq {

// sum += k sum_s a_s b_s^dagger
template <class Real, int Spins>
PLAQ_HD void add_outer_product(const Real& k, const ColorVector<Real> (&a)[Spins],
                               const ColorVector<Real> (&b)[Spins], Matrix3<Real>& sum) {
#pragma unroll
  for (int i = 0; i < 3; ++i)
#pragma unroll
    for (int j = 0; j < 3; ++j) {
      auto product = conj_times(b[0].c[j], a[0].c[i]);
#pragma unroll
      for (int s = 1; s < Spins; ++s) product = conj_fma(b[s].c[j], a[s].c[i], product);
      sum.e[i][j] = fma(k, product, sum.e[i][j]);
    }
}

}  // namespace plaq
