// Conjugate gradients on the normal equations A^dagger A x = A^dagger b, in the form that carries r = b - A x
// along (CGLS: Hestenes, Stiefel 1952; Bjoerck 1996, algorithm 7.4.1), so that it stops on the residual of A
// x = b, which it minimises (CGNR).
//
// An iteration reads and writes, beside A and A^dagger: s, p, x (x by the last step, p); q (|q|^2); q, r (r,
// |r|^2); s (|s|^2): 7 reads and 3 writes of a vector. The host waits once.
#pragma once

#include <array>

#include "solvers/krylov/captured_step.hpp"
#include "solvers/krylov/krylov_solver.hpp"

namespace plaq {

// After a reliable update s = A^dagger r is new too, and p is orthogonalised to the new s before the next
// direction is made of both (Strzodka, Goeddeke, FCCM 2006; Clark et al. 2010, footnote 9): so |s|^2 = (s, p)
// still holds, on which the step length depends.
class Cgnr final : public KrylovMethod {
 public:
  Cgnr(LinearOperator& a, int batch);
  std::string_view name() const override { return "cg"; }
  void begin(Batch& batch, const ActiveSet& which, const Field& r) override;
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
            std::vector<char>& breakdown) override;
  void flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field& r) override;
  void after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) override;

 private:
  Field s_, p_, q_;
  CapturedStep step_;
};

class ConjugateGradients final : public KrylovSolver {
 public:
  ConjugateGradients(LinearOperator& a, const ProcessGrid& grid, int batch)
      : KrylovSolver(std::make_unique<Cgnr>(a, batch), grid, batch) {}
  static constexpr std::array<const char*, 4> vectors = {"r", "s", "p", "q"};  // of its workspace
};

}  // namespace plaq
