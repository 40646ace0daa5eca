// Point-split bilinears of quarks between a propagator S from a source and a sequential propagator psi
// through a sink (kernels/quark/sequential.hpp). With
//   con(P, G, F) = sum_y exp(-i q (y - x_source)) tr[P(y)^dagger gamma5 G F(y)],
// the hops F(+mu)(y) = U_mu(y) F(y + mu) and F(-mu)(y) = U_mu(y - mu)^dagger F(y - mu), which carry the signs
// of the boundary, and D_mu F = (F(+mu) - F(-mu)) / 2:
//   conserved vector current (Karsten, Smit, Nucl. Phys. B 183 (1981) 103) of Wilson and clover quarks
//     V_mu(y) = (w_mu / 2) [con(psi(+mu), 1 + gamma_mu, S) - con(psi, 1 - gamma_mu, S(+mu))],
//     on the link from y, w_mu the weight of hops in M: 1, or nu/xi in space
//   currents of domain walls (Furman, Shamir, Nucl. Phys. B 439 (1995) 54; of other weights docs/theory/
//     correlators.md): with the current fields of S and psi in five dimensions
//     (kernels/dirac/domain_wall/domain_wall_quark.hpp) and phi_s = psi_(Ls+1-s)
//     V_mu = sum_s V_mu of S_s and phi_s, A_mu = sum_s sign(s - (Ls + 1)/2) V_mu of S_s and phi_s,
//     psi solved by action_through_sink() (quarks/action/conserved_current.hpp). V is conserved, and the
//     divergence of A is 2 m P and the midpoint's term
//   derivatives qbar Gamma D_1 ... D_n q with D = (D to the right - D to the left) / 2
//     2^-n sum over subsets of the D that act to the left, (-1)^left con(left psi, Gamma, right S): on psi
//     the first one acts first, on S the last one
//   Wilson lines qbar(y) Gamma W(y, y + z mu) q(y + z mu) (Ji, 1305.1539)
//     con(psi, Gamma, S hopped z times), back where z < 0
#pragma once

#include <array>

#include "comms/start/shared_lattice.hpp"
#include "kernels/quark/spin_matrices.hpp"
#include "observables/quark/bilinear_settings.hpp"

namespace plaq {

/// Links of the hops, double precision without halo, and the action's part of the conserved current.
struct BilinearLinks {
  Field action = {};                        // of the conserved current; may be left out without one
  Field hops = {};                          // of derivatives and Wilson lines; may be left out without these
  std::array<int, 4> boundary{1, 1, 1, 1};  // signs of the quarks around the lattice
  std::array<double, 4> weights{};          // of hops in M, see conserved_current_weights()
};

class BilinearOperators {
 public:
  /// `settings` without a fault on this lattice. The grid must outlive this object.
  BilinearOperators(const SharedLattice& lattice, BilinearSettings settings,
                    const std::vector<Momentum>& momenta);

  /// Takes the links of a gauge field, in copies if the boundary has signs.
  void set_links(BilinearLinks links);

  /// Current fields of domain walls, which their conserved currents need.
  struct Walls {
    const Field *quark = nullptr, *sequential = nullptr;
  };
  /// All operators between a quark field from a source at `position` and a sequential propagator, of twelve
  /// columns in double precision. Collective; the same bits on any process grid.
  Bilinears operator()(const Field& quark, const Field& sequential, const Extents& position) {
    return (*this)(quark, sequential, position, {&quark, &sequential});
  }
  Bilinears operator()(const Field& quark, const Field& sequential, const Extents& position,
                       const Walls& walls);

  const BilinearSettings& settings() const { return settings_; }

 private:
  // [4 * a + b][momentum][t] of right and left, and its trace with all Gamma.
  Correlators matrix_of(const Field& right, const Field& left, const Extents& position);
  Correlators traces(const Correlators& matrix) const;
  Field like(const Field& quark) const { return Field(lattice_.geometry, quark.spec()); }
  void hop(Field& out, const Field& in, const Field& links, int mu, bool forward) const;
  void differentiate(Field& out, const Field& in, int mu, double factor) const;
  Field in_four(const Field& five) const;          // for as many columns
  Field slice_of(const Field& five, int s) const;  // a copy, or the field itself in four dimensions
  Correlators conserved(const Walls& walls, const Extents& position);
  // [momentum][t] of the slices from `first` to below `end` of quarks in five dimensions.
  std::vector<std::vector<std::complex<double>>> conserved(int mu, const Walls& walls, int first, int end,
                                                           const Extents& position);
  Correlators derivative(const std::string& directions, const Field& quark, const Field& sequential,
                         const Extents& position);
  std::vector<Correlators> lines(int mu, const Field& quark, const Field& sequential,
                                 const Extents& position);

  SharedLattice lattice_;
  BilinearSettings settings_;
  MomentumProjection project_;
  SpinMatrices matrices_;
  BilinearLinks links_;
};

}  // namespace plaq
