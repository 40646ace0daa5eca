// Between quarks in four dimensions and domain-wall fields in five
// (kernels/dirac/domain_wall/domain_wall.hpp):
//   source  B_s = (1 - sigma_s D_w) b_s,  b_1 = P_+ b, b_Ns = P_- b, all others 0
//   quark   q = P_- psi_1 + P_+ psi_Ns,   in the middle q_mid = P_- psi_(Ns/2 + 1) + P_+ psi_(Ns/2)
//   current field  (omega_s psi_s + sigma_s [(L psi)_s + b_s]) / sqrt(omega_s + sigma_s), of which conserved
//     currents are made (observables/quark/bilinears.hpp): D_w of D(m) and of B acts on it times the root
// Then D(m) psi = B gives q = S b with S = (D_ov^-1 - 1) / (1 - m), D_ov = (1 + m)/2 + ((1 - m)/2) gamma5
// s(H), s(H) = (1 - T)/(1 + T), T the product of the slices' transfer matrices.
#pragma once

#include "kernels/dirac/domain_wall/domain_wall.hpp"

namespace plaq {

class DomainWallQuark {
 public:
  // The hopping term in single or double precision.
  DomainWallQuark(WilsonHoppingPtr hopping, const DomainWallParameters& parameters);

  // Fields in four dimensions: one subfield a right-hand side; all in the precision of the hopping term, both
  // parities. Collective; workspace is two fields in four dimensions, for that long.
  void make_source(Field& five, const Field& four) const;
  void to_4d(Field& four, const Field& five) const;
  // Throws Error(job_file) for odd Ls.
  void midpoint_to_4d(Field& four, const Field& five) const;
  // The current field of a solution psi in `five`, in its place; `four` is the source b in four dimensions.
  // Shamir's is psi, which is left alone. All omega_s + sigma_s > 0. Workspace is three fields in four
  // dimensions.
  void make_current_field(Field& five, const Field& four) const;

 private:
  int Ls() const { return parameters_.Ls(); }
  WilsonHoppingPtr hopping_;
  DomainWallParameters parameters_;
};

}  // namespace plaq
