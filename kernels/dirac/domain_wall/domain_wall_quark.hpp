// Between quarks in four dimensions and domain-wall fields in five
// (kernels/dirac/domain_wall/domain_wall.hpp):
//   source  B_s = (1 - sigma_s D_w) b_s,  b_1 = P_+ b, b_Ns = P_- b, all others 0
//   quark   q = P_- psi_1 + P_+ psi_Ns,   in the middle q_mid = P_- psi_(Ns/2 + 1) + P_+ psi_(Ns/2)
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

 private:
  int Ls() const { return parameters_.Ls(); }
  WilsonHoppingPtr hopping_;
  DomainWallParameters parameters_;
};

}  // namespace plaq
