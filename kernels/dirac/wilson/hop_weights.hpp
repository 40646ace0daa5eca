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
  // Temporal gauge: whether the links of hops in t are 1, which then are neither read nor multiplied: of
  // those inside, and of the hops forward and backward across this rank's edge.
  bool unit_inside = false, unit_across[2] = {false, false};

  // Each hop with a link times `factor`, which that link leaves out.
  template <class U>
  HopWeights<U> as(U factor = 1) const {
    HopWeights<U> w;
    for (int mu = 0; mu < 4; ++mu)
      w.inside[mu] = (mu == 3 && unit_inside ? U(1) : factor) * static_cast<U>(inside[mu]);
    for (int d = 0; d < 8; ++d)
      w.across[d] = (d >= 6 && unit_across[d - 6] ? U(1) : factor) * static_cast<U>(across[d]);
    w.projector_sign = static_cast<U>(projector_sign);
    w.unit_inside = unit_inside;
    for (int back = 0; back < 2; ++back) w.unit_across[back] = unit_across[back];
    return w;
  }
};

}  // namespace plaq
