// Mesons of staggered quarks with any spin and taste, point-split where these differ: Golterman, Nucl. Phys.
// B 273 (1986) 663. A bilinear chibar phi E chi (observables/quark/spin_taste.hpp) of quarks from a source b
// has
//
//   C(p, t) = s sum_x exp(-i p r) phi(r) eps(r) sum_ab [E X]_ab(x) S_ab(x)^*,  r = x - x_source,
//   S = M^-1 b,  X = M^-1 E b,  eps = (-1)^(x+y+z+t),  s = SpinTaste::sign(),
//
// M = m + D/2, of the antiquark's mass in S and of the quark's in X. Where E is 1 these are the local mesons
// (kernels/quark/staggered_mesons.hpp): rho_i is rho_vt to the bit. The operator at the source is the adjoint
// of that at the sink, of which phi = 1 on the sites of b: b is a point or a wall of corners. All 16
// bilinears of a shift share the solves for S and X.
// For even T all have the form of local mesons
//   C(t) = sum_n A_n [e^(-m_n t) + e^(-m_n (T-t))] - (-1)^t sum_n B_n [e^(-m'_n t) + e^(-m'_n (T-t))]
// with A_n, B_n >= 0: A of the spin and taste, B of the partner with gamma_t gamma5 times both. A shift in
// time joins slices, so that its C(t) has this form from t = 2 to T - 2 only.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/staggered_mesons.hpp"
#include "observables/quark/channels.hpp"
#include "observables/quark/spin_taste.hpp"

namespace plaq {

/// The channel with its formula, as files have it.
Channel channel_of(const TasteChannel& channel);

class TasteMesons {
 public:
  /// The grid must outlive this object. `channels` are not empty.
  TasteMesons(const SharedLattice& lattice, std::vector<TasteChannel> channels,
              const std::vector<Momentum>& momenta);

  /// Takes the links of the shifts, in double precision without halo, and the signs of the quarks around the
  /// lattice.
  void set_links(const Field& links, const std::array<int, 4>& boundary);

  const std::vector<TasteChannel>& channels() const { return channels_; }
  /// Shifts that the channels have (SpinTaste::shift()), ascending. Each but 0 needs X, for which the source
  /// is solved for again.
  const std::vector<unsigned>& shifts() const { return shifts_; }

  /// E of a shift on a field of color vectors at the lattice's location. Collective.
  Field shifted(const Field& chi, unsigned shift) const;

  /// Correlators [channel][momentum][t] that are 0.
  Correlators none() const;
  /// Adds the bilinears of one shift. Collective; the same bits on any process grid.
  /// @param to  [channel][momentum][t], t from the source's slice
  /// @param shift  one of shifts()
  /// @param x  X, of three columns in double precision; M^-1 b of the quark if the shift is 0
  /// @param s  S likewise
  /// @param position  site of the source
  void add(Correlators& to, unsigned shift, const Field& x, const Field& s, const Extents& position);

 private:
  SharedLattice lattice_;
  std::vector<TasteChannel> channels_;
  std::size_t momenta_;
  std::vector<unsigned> shifts_;
  std::map<unsigned, StaggeredMesonContraction> contractions_;  // by shift, of the phases of its terms
  Field links_;
};

}  // namespace plaq
