// Quark bilinears between external quarks of given momenta, for RI/MOM (Martinelli et al., hep-lat/9411010)
// and RI/SMOM (Sturm et al., 0901.2599), by quark fields of volume sources (Goeckeler et al.,
// hep-lat/9807044). With psi_p = M^-1 exp(i p x), a field of twelve columns, and V sites:
//   S(p) = (1/V) sum_x exp(-i p x) psi_p(x)
//   G_Gamma(p_out, p_in) = (1/V) sum_x exp(-i (p_in - p_out) x)
//                          gamma5 psi_out(x)^dagger gamma5 Gamma psi_in(x)
// M is gamma5-hermitian, so that gamma5 psi_out^dagger gamma5 is the quark that leaves. On unit links
// G = S(p_out) Gamma S(p_in). In the mean over gauge fields in Landau gauge, amputated vertices are
//   Lambda_Gamma = S(p_out)^-1 G_Gamma S(p_in)^-1,
// which analysis makes (python/plaq/analysis/vertices.py). Phases count from the origin.
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "kernels/gluon/lattice_momenta.hpp"
#include "observables/quark/vertex_values.hpp"

namespace plaq {

class QuarkVertices {
 public:
  /// `boundary`: signs of the quarks around the lattice, which decide the momenta that they have.
  QuarkVertices(const SharedLattice& lattice, const std::array<int, 4>& boundary);

  /// 1 in directions in which the quarks are antiperiodic: p_mu = 2 pi (n_mu + half_mu / 2) / L_mu.
  const std::array<int, 4>& half() const { return half_; }

  /// S(p) of a quark field of the volume source of momentum n. Quark fields have twelve columns in single or
  /// double precision. Collective; the same bits on any process grid, as of the vertices.
  OpenSpinColor propagator(const Field& quark, const Momentum4& n) const;

  /// G_Gamma for all 16 of all_loop_currents(), in their order.
  /// @param in  quark field of the momentum of the quark that comes in
  /// @param n_in  that momentum
  /// @param out  quark field of the momentum of the quark that leaves
  /// @param n_out  that momentum
  std::vector<OpenSpinColor> operator()(const Field& in, const Momentum4& n_in, const Field& out,
                                        const Momentum4& n_out) const;

 private:
  using Products = std::vector<std::complex<double>>;  // [column of phi][spin of eta][spin of phi]
  Products products(const Field& eta, int column, const Field& phi, const Momentum4& difference) const;
  double volume() const { return static_cast<double>(lattice_.geometry->global_volume()); }

  SharedLattice lattice_;
  std::array<int, 4> half_{};
};

}  // namespace plaq
