// Deflation by low modes: the part of a solution that lies in them is computed, not iterated. With modes
// v_i of A^dagger A, or of A itself where that is Hermitian and positive, and their eigenvalues l_i
//   x = x + sum_i v_i (v_i, A^dagger r) / l_i     or     x = x + sum_i v_i (v_i, r) / l_i,
// after which r = b - A x has nothing left that needs v_i. Conjugate gradients then see the condition number
// of the rest (Stathopoulos, Orginos, SIAM J. Sci. Comput. 32 (2010) 439).
//
// Modes of low precision leave some of it, and rounding brings more back: so a residual is improved at the
// start of a solve, and again where it has fallen by `again` since (krylov_loop.hpp, defect_correction.hpp).
//
// An improvement of one right-hand side reads for n modes 4 n/3 vectors (overlaps) and 5 n/3 (sum), in single
// precision, and applies A^dagger (not of Hermitian modes) and A once.
#pragma once

#include <vector>

#include "solvers/krylov/krylov_basis.hpp"

namespace plaq {

enum class ModesOf { normal, hermitian };  // of A^dagger A, of a Hermitian positive A

class Deflation {
 public:
  // A residual is improved again when it has fallen by this factor.
  static constexpr double again = 1e-3;

  // For batches of A x = b. `values`: l_i > 0, one a mode. The modes are 0 until mode() has been set. Throws
  // an internal Error without modes, and for values that are not positive.
  Deflation(LinearOperator& a, const ProcessGrid& grid, int batch, ModesOf of, std::vector<double> values);
  // Spec of modes: single vectors in single precision.
  static FieldSpec mode_spec(const LinearOperator& a);

  int modes() const { return static_cast<int>(values_.size()); }
  const std::vector<double>& values() const { return values_; }
  Field& mode(int i) { return modes_[i]; }

  // x and r = b - A x of some right-hand sides of the batch, whose norms[i] = |r_i| becomes that of the new
  // r. Each has the same bits in any batch and on any process grid. In a dry run norms stay as they are.
  // Collective.
  void improve(Batch& batch, Field& x, const Field& b, Field& r, const ActiveSet& which,
               std::vector<double>& norms);

 private:
  void project(int rhs);

  LinearOperator& a_;
  ModesOf of_;
  std::vector<double> values_;
  Batch one_;
  KrylovBasis modes_;
  Field one_rhs_;  // a right-hand side of part_
  Field dagger_;   // A^dagger r, of normal modes
  Field part_;     // of r, then of x
};

}  // namespace plaq
