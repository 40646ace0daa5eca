// Meson two-point functions from quark propagators, Gattringer, Lang 2010, chapter 6:
//   C(p, t) = sum_x exp(-i p (x - x_source)) sum_k w_k tr[ G_k S1(x) G'_k gamma5 S2(x)^dagger gamma5 ],
// where the propagator S(x) = M^-1(x, source) is a field of 12 columns, 3 * spin + color of the source.
// With M gamma5-hermitian, gamma5 S2^dagger gamma5 is the quark that runs back. No volume factor, and no sign
// of the boundary taken out (two quarks cross it: none is there).
#pragma once

#include <string>

#include "kernels/quark/momentum_projection.hpp"
#include "kernels/site/gamma_matrix.hpp"

namespace plaq {

struct MesonTerm;

struct GammaPair {
  GammaMatrix sink, source;  // G, G'
  double weight = 1;
};

struct MesonChannel {
  std::string name;
  std::vector<GammaPair> pairs;
};

// The channels by name. With O = psibar_2 G psi_1, the weights are such that
//   C(p, t) = < O_sink(x) O_source^dagger(0) >,   O^dagger = psibar_1 (gamma_t G^dagger gamma_t) psi_2,
// connected part, so that every channel with one operator at both ends is positive up to noise where its own
// states dominate. Directions i, j are in space; averages have weight 1/3 each.
//   pion       gamma5                        equal to the sum of |S|^2 where S1 = S2
//   rho        gamma_i, averaged             rho_x, rho_y, rho_z: one each
//   a0         1
//   a1         gamma_i gamma5, averaged
//   b1         gamma_i gamma_j, i < j, averaged
//   axial_pseudoscalar   sink gamma_t gamma5, source gamma5:  < A_4 P^dagger >; the pion is < P P^dagger >,
//                        so that d_t C / (2 C_pion) is the bare PCAC mass
std::vector<MesonChannel> meson_channels();
// Throws Error(internal) where there is none of that name: jobs offer the names above.
MesonChannel meson_channel(const std::string& name);

class MesonContraction {
 public:
  // The grid must outlive this object.
  MesonContraction(const ProcessGrid& grid, GeometryPtr geometry, std::vector<MesonChannel> channels,
                   std::vector<Momentum> momenta, const Queue& queue);
  ~MesonContraction();

  // Memory at the queue's location beside that of the projection.
  static std::size_t term_bytes(const std::vector<MesonChannel>& channels);

  const std::vector<MesonChannel>& channels() const { return channels_; }

  // [channel][momentum][t], t from the source's slice. Propagators: both parities, at the queue's location,
  // any precision (contracted in double). `source` fixes phases and t only: for a wall take any of its sites.
  // Collective, waits; the same bits on any process grid.
  Correlators operator()(const Field& s1, const Field& s2, const Extents& source);
  Correlators operator()(const Field& s, const Extents& source) { return (*this)(s, s, source); }

 private:
  std::vector<MesonChannel> channels_;
  MomentumProjection project_;
  std::array<int, 5> begin_{};
  Buffer terms_;  // MesonTerm, at the queue's location
  Field density_;
};

}  // namespace plaq
