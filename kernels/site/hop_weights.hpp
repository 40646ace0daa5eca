// Weights of the eight directed hops of a nearest-neighbour operator, as uniform run-time numbers.
#pragma once

namespace plaq {

template <class T>
struct HopWeights {
  T inside[4] = {1, 1, 1, 1};  // per direction: the anisotropy
  T across[8] = {1, 1, 1, 1,
                 1, 1, 1, 1};  // per directed hop (2 mu forward, 2 mu + 1 backward), where it crosses
                               // this rank's edge: the same times the boundary sign where it applies
  T projector_sign = -1;       // of gamma_mu in forward hops: -1, for the dagger +1

  // Each hop times `factor`.
  template <class U>
  HopWeights<U> as(U factor = 1) const {
    HopWeights<U> w;
    for (int mu = 0; mu < 4; ++mu) w.inside[mu] = factor * static_cast<U>(inside[mu]);
    for (int d = 0; d < 8; ++d) w.across[d] = factor * static_cast<U>(across[d]);
    w.projector_sign = static_cast<U>(projector_sign);
    return w;
  }
};

}  // namespace plaq
