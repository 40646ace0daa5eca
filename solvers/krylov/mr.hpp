// Minimal residual iteration with relaxation: x += omega alpha r, alpha = (A r, r)/|A r|^2 (Saad 2003,
// algorithm 5.3; omega 0.8 to 1.1). Converges for operators with a positive definite Hermitian part; a few
// iterations make a smoother.
//
// An iteration reads and writes, beside A: q, r (dot, |q|^2); q, r, x (x, r, |r|^2): 5 reads and 2 writes of
// a vector. The host waits once.
#pragma once

#include <array>

#include "solvers/krylov/captured_step.hpp"
#include "solvers/krylov/krylov_solver.hpp"
#include "solvers/method_settings.hpp"
#include "solvers/preconditioner.hpp"

namespace plaq {

// It has no search space that a reliable update could change.
class MinimalResidual final : public KrylovMethod {
 public:
  MinimalResidual(LinearOperator& a, int batch, double omega = 1);
  std::string_view name() const override { return "mr"; }
  void begin(Batch&, const ActiveSet&, const Field&) override {}
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
            std::vector<char>& breakdown) override;
  void flush_updates(Batch&, const ActiveSet&, Field&, const Field&) override {}
  void after_reliable_update(Batch&, const ActiveSet&, const Field&) override {}
  static constexpr std::array<const char*, 1> vectors = {"q"};  // of its workspace

 private:
  double omega_;
  Field q_;
  CapturedStep step_;
};

// Steps of minimal residuals as a smoother: x += alpha r, r -= alpha A r, alpha = omega (A r, r) / |A r|^2.
//
// A step reads and writes, beside A: q, r (dot, |q|^2); q, r, x (x, r): 5 reads and 2 writes of a vector. Its
// workspace is q and, as an approximate inverse, r.
class MrSmoother final : public Smoother {
 public:
  // Among the settings only omega matters.
  MrSmoother(LinearOperator& a, const ProcessGrid& grid, int batch, int steps,
             const MethodSettings& settings = {});
  void smooth(Field& x, Field& r, const ActiveSet& which) override;

  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return a_.capturable(batch); }
  // Batch that counts the work done, and the waits of the host for it.
  const Batch& batch() const { return batch_; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void queue_steps(Field& x, Field& r, const ActiveSet& which);

  LinearOperator& a_;
  int steps_;
  double omega_;
  Batch batch_;
  Field q_, r_;
  CapturedStep captured_;
};

}  // namespace plaq
