// Weights of the eight directed hops of a nearest-neighbour operator, as uniform run-time numbers.
#pragma once

namespace plaq {

template <class T>
struct HopWeights {
  // Per directed hop, 2 mu forward, 2 mu + 1 backward: the anisotropy; where it crosses this rank's edge: times the
  // boundary sign where that applies.
  T inside[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  T across[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  T projector_sign = -1;  // of gamma_mu in forward hops: -1, for the dagger +1
  // Temporal gauge: whether the links of hops in t are 1, which then are neither read nor multiplied: of
  // those inside, and of the hops forward and backward across this rank's edge.
  bool unit_inside = false, unit_across[2] = {false, false};

  // Each hop with a link times `factor`, which that link leaves out.
  template <class U>
  HopWeights<U> as(U factor = 1) const {
    HopWeights<U> w;
    for (int d = 0; d < 8; ++d) {
      w.inside[d] = (d >= 6 && unit_inside ? U(1) : factor) * static_cast<U>(inside[d]);
      w.across[d] = (d >= 6 && unit_across[d - 6] ? U(1) : factor) * static_cast<U>(across[d]);
    }
    w.projector_sign = static_cast<U>(projector_sign);
    w.unit_inside = unit_inside;
    for (int back = 0; back < 2; ++back) w.unit_across[back] = unit_across[back];
    return w;
  }
  // One directed hop alone; none for 8.
  HopWeights only(int hop) const {
    HopWeights w = *this;
    for (int d = 0; d < 8; ++d)
      if (d != hop) w.inside[d] = w.across[d] = 0;
    return w;
  }
};

}  // namespace plaq
