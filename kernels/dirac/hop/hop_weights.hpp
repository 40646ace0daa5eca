// Weights of the directed hops of a site, as uniform run-time numbers.
#pragma once

namespace plaq {

// One for each of `Hops` directed hops (DirectedHop::number); where all directions are alike, inside of a
// rank's lattice one for all of them, ahead and behind, for hops of one step and of three.
template <class T, int Hops = 8, bool Alike = false>
struct HopWeights {
  static constexpr int insides = Alike ? Hops / 4 : Hops;
  static constexpr int place(int hop) { return Alike ? hop / 8 * 2 + hop % 2 : hop; }

  // Temporal gauge: whether the links of hops in t are 1, which then are neither read nor multiplied: of
  // those inside, and of the hops forward and backward across this rank's edge.
  bool unit_inside = false, unit_across[2] = {false, false};
  T inside[insides];  // at place(hop)
  T across[Hops];     // where the hop crosses this rank's edge: with the boundary sign where that applies

  HopWeights() {
    for (int d = 0; d < Hops; ++d) inside[place(d)] = across[d] = 1;
  }
  // Each hop with a link times `factor`, which that link leaves out.
  template <class U>
  HopWeights<U, Hops> as(U factor = 1) const {
    static_assert(!Alike);
    HopWeights<U, Hops> w;
    for (int d = 0; d < Hops; ++d) {
      const bool in_t = d == 6 || d == 7;
      w.inside[d] = (in_t && unit_inside ? U(1) : factor) * static_cast<U>(inside[d]);
      w.across[d] = (in_t && unit_across[d % 2] ? U(1) : factor) * static_cast<U>(across[d]);
    }
    w.unit_inside = unit_inside;
    for (int back = 0; back < 2; ++back) w.unit_across[back] = unit_across[back];
    return w;
  }
  // One directed hop alone; none for 8.
  HopWeights only(int hop) const {
    HopWeights w = *this;
    for (int d = 0; d < Hops; ++d)
      if (d != hop) w.inside[d] = w.across[d] = 0;
    return w;
  }
};

// For hopping terms whose hops are added as they are.
struct EqualWeights {};

}  // namespace plaq
