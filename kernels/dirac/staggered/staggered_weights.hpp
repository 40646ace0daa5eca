// Weights of the directed hops of staggered fermions, as uniform run-time numbers.
#pragma once

namespace plaq {

// Of hops of one step, or of three: the coefficient, negative for backward hops (for the dagger for forward
// ones). The phases eta_mu are the kernel's.
template <class T>
struct StaggeredWeights {
  T inside[2] = {1, -1};                       // forward, backward
  T across[8] = {1, -1, 1, -1, 1, -1, 1, -1};  // per directed hop (2 mu forward, 2 mu + 1 backward), where it
                                               // crosses this rank's edge: with the boundary sign

  // Each hop times `factor`, which its links leave out.
  template <class U>
  StaggeredWeights<U> as(double factor) const {
    StaggeredWeights<U> w;
    for (int back = 0; back < 2; ++back) w.inside[back] = static_cast<U>(factor * inside[back]);
    for (int d = 0; d < 8; ++d) w.across[d] = static_cast<U>(factor * across[d]);
    return w;
  }
};

}  // namespace plaq
