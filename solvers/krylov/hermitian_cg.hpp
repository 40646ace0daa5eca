// Conjugate gradients (Hestenes, Stiefel 1952) for a Hermitian positive operator, as A^dagger A + sigma is.
//
// An iteration reads and writes, beside A: r, p, x (x by the last step, p); p, q (dot); q, r (r, |r|^2): 7
// reads and 3 writes of a vector. The host waits once. A negative (p, A p) is a breakdown.
#pragma once

#include <array>

#include "solvers/krylov/captured_step.hpp"
#include "solvers/krylov/krylov_solver.hpp"

namespace plaq {

// After a reliable update p is orthogonalised to r before the next direction is made of both, as in
// solvers/krylov/cg.hpp.
class HermitianCg final : public KrylovMethod {
 public:
  HermitianCg(LinearOperator& a, int batch);
  std::string_view name() const override { return "hermitian-cg"; }
  void begin(Batch& batch, const ActiveSet& which, const Field& r) override;
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
            std::vector<char>& breakdown) override;
  void flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field& r) override;
  void after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) override;
  static constexpr std::array<const char*, 2> vectors = {"p", "q"};  // of its workspace

 private:
  Field p_, q_;
  CapturedStep step_;
};

}  // namespace plaq
