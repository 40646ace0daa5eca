// The low-mode part of M^-1 of Wilson and clover quarks in factors, for averages over all sources. With the
// even-odd form S x_e = b' of M x = b, b' = R (b_e - D_eo C_o^-1 b_o), R = 1 or C_e^-1, and S^dagger S v_i =
// l_i v_i, the part of the solution in the modes is
//   x = sum_i phi_i (chi_i, b) + C_o^-1 b_o on the odd sites
//   phi_i = (v_i, -C_o^-1 D_oe v_i)                          on even and odd sites
//   chi_i = gamma5 (g_i, -C_o^-1 D_oe g_i), g_i = gamma5 R S v_i / l_i
// since R is Hermitian, commutes with gamma5, and M is gamma5-hermitian. The last term is on the source's own
// site alone; it is left out here.
#pragma once

#include <vector>

#include "core/field/field.hpp"
#include "quarks/action/action.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "solvers/krylov/batch.hpp"
#include "solvers/krylov/krylov_basis.hpp"

namespace plaq {

class LowModePairs {
 public:
  /// Takes modes of the form of this action on these links: the first subfields on the even sites, in single
  /// precision, and their eigenvalues l_i. Keeps two vectors in double precision a mode. Collective.
  LowModePairs(const FermionLinks& links, const ActionPtr& action, Preconditioning form, const Field& modes,
               const std::vector<double>& values);

  int count() const { return count_; }
  const Field& phi(int i) const { return phi_[i]; }
  const Field& chi(int i) const { return chi_[i]; }

  /// x = sum_i phi_i (chi_i, b) for each column. Collective; the same bits on any process grid.
  void apply(Field& x, const Field& b);

 private:
  int count_;
  Batch one_;
  FieldSpec spec_;
  KrylovBasis phi_, chi_;
};

}  // namespace plaq
