// Conjugate gradients on A A^dagger y = b, x = A^dagger y (Craig 1955; Saad 2003, algorithm 8.5): minimises
// the error |x - A^-1 b|, while the residual, on which it stops, may rise on the way.
//
// An iteration reads and writes, beside A and A^dagger: s, p, x (x by the last step, p, |p|^2); q, r (r,
// |r|^2): 5 reads and 3 writes of a vector. The host waits once.
#pragma once

#include <array>

#include "solvers/krylov/captured_step.hpp"
#include "solvers/krylov/krylov_solver.hpp"

namespace plaq {

// Directions p are orthogonal to each other: when r is replaced, the next one is made orthogonal to the last.
class Cgne final : public KrylovMethod {
 public:
  Cgne(LinearOperator& a, int batch);
  std::string_view name() const override { return "cgne"; }
  void begin(Batch& batch, const ActiveSet& which, const Field& r) override;
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
            std::vector<char>& breakdown) override;
  void flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field& r) override;
  void after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) override;
  static constexpr std::array<const char*, 2> vectors = {"p", "q"};  // of its workspace

 private:
  Field p_, q_;  // q: A^dagger r, then A p
  // For each right-hand side: an iteration was done since begin(); r was replaced since the last one.
  std::vector<char> has_direction_, orthogonalize_;
  CapturedStep step_;
};

}  // namespace plaq
