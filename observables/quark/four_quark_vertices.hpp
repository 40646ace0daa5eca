// Four-quark operators (sbar Gamma d)(sbar Gamma d) between external quarks of given momenta, for RI/MOM
// (Donini et al., hep-lat/9902030) and RI/SMOM (Aoki et al., 1012.4178), by the quark fields of
// QuarkVertices. With
//   V_Gamma(x) = gamma5 psi_out(x)^dagger gamma5 Gamma psi_in(x),
// which is 12 x 12 and has the vertex of a bilinear as its mean, and V sites,
//   H_F(p_out, p_in)_ab,cd = (1/V) sum_x exp(-2i (p_in - p_out) x) sum_(Gamma in F) V_Gamma_ab V_Gamma_cd.
// F is S, P, V, A or T, whose Gamma are those of all_loop_currents(): six of T. Two quarks come in with p_in
// and two leave with p_out. H is Wick's contraction in which the quarks of a bilinear belong together; the
// other one has b and d exchanged.
//
// Colors are contracted at each site, to sums that are exact: the mean over gauge fields in Landau gauge is
// symmetric under global rotations of color, so that H is A delta delta + B delta delta in color, with spins
// open, and both follow from
//   joined H^aa,cc = 9 A + 3 B   and   crossed H^ac,ca = 3 A + 9 B.
// On unit links H_F = sum Gamma S Gamma S with legs, B = 0.
#pragma once

#include <string>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "core/field/field.hpp"
#include "kernels/gluon/lattice_momenta.hpp"
#include "observables/quark/vertex_values.hpp"

namespace plaq {

/// Names of the five F in their order: "scalar", "pseudoscalar", "vector", "axial", "tensor".
const std::vector<std::string>& four_quark_names();

class FourQuarkVertices {
 public:
  explicit FourQuarkVertices(const SharedLattice& lattice) : lattice_(lattice) {}

  /// H of four_quark_names(), in their order. Quark fields have twelve columns in single or double precision,
  /// of volume sources of one boundary. Collective; the same bits on any process grid.
  /// @param in  quark field of the momentum of both quarks that come in
  /// @param n_in  that momentum
  /// @param out  quark field of the momentum of both quarks that leave
  /// @param n_out  that momentum
  std::vector<FourQuarkSpins> operator()(const Field& in, const Momentum4& n_in, const Field& out,
                                         const Momentum4& n_out) const;

 private:
  SharedLattice lattice_;
};

}  // namespace plaq
