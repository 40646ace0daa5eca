// BiCGstab (van der Vorst, SIAM J. Sci. Stat. Comput. 13 (1992) 631), the method of Clark et al. 2010.
//
// With r' the residual between the two halves of an iteration, t = A r', (r0, r) = (r0, r') - omega (r0, t)
// and |r|^2 = |r'|^2 - 2 Re(omega* (t, r')) + |omega|^2 |t|^2 are known beforehand: so that x, r and p are
// updated in one pass. omega = (t, r')/|t|^2, but made larger where t and r' are nearly orthogonal (cosine
// below 0.4), as Sleijpen, van der Vorst (Numer. Algorithms 10 (1995) 203) advise with 0.7: else (r0, r)
// drowns in rounding. An iteration reads and writes, beside A twice: r0, v (dot); v, r (r', |r'|^2); t, r, r0
// (dots); t, v, p, r, x (x, r, p): 12 reads and 4 writes of a vector. The host waits once.
#pragma once

#include <array>

#include "solvers/krylov/captured_step.hpp"
#include "solvers/krylov/krylov_solver.hpp"

namespace plaq {

// After a reliable update, (r0, r) is computed again, and the next p is made of the new r, p, v: r0, p and v
// stay. A residual without a new minimum for long is a breakdown, and r0 is chosen again.
class BicgstabMethod final : public KrylovMethod {
 public:
  BicgstabMethod(LinearOperator& a, int batch);
  std::string_view name() const override { return "bicgstab"; }
  void begin(Batch& batch, const ActiveSet& which, const Field& r) override;
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
            std::vector<char>& breakdown) override;
  void flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field& r) override;
  void after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) override;

 private:
  Field r0_, p_, v_, t_;
  std::vector<char> pending_;  // of each right-hand side: updates of x, r and p are left for later
  CapturedStep step_;
};

class Bicgstab final : public KrylovSolver {
 public:
  Bicgstab(LinearOperator& a, const ProcessGrid& grid, int batch)
      : KrylovSolver(std::make_unique<BicgstabMethod>(a, batch), grid, batch) {}
  static constexpr std::array<const char*, 5> vectors = {"r", "r0", "p", "v", "t"};  // of its workspace
};

}  // namespace plaq
