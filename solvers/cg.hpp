// Conjugate gradients on the normal equations A^dagger A x = A^dagger b, in the form that carries r = b - A x
// along (CGLS: Hestenes, Stiefel 1952; Bjoerck 1996, algorithm 7.4.1), so that it stops on the residual of A
// x = b. An iteration reads and writes, beside A and A^dagger: q once (|q|^2); p, q, x, r (x and r updated,
// |r|^2); s once (|s|^2); s, p (p updated): 8 reads and 3 writes of a vector, three sums over ranks.
#pragma once

#include <array>

#include "solvers/batch.hpp"

namespace plaq {

class ConjugateGradients final : public Solver {
 public:
  ConjugateGradients(LinearOperator& a, const ProcessGrid& grid, int batch);
  std::string_view name() const override { return "cg"; }
  static constexpr std::array<const char*, 4> vectors = {"r", "s", "p", "q"};  // of its workspace
  SolveReport solve(Field& x, const Field& b, const SolverParameters& parameters) override;

 private:
  LinearOperator& a_;
  const ProcessGrid& grid_;
  Field r_, s_, p_, q_;
};

}  // namespace plaq
