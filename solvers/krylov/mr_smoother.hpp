// Steps of minimal residuals as a smoother: x += alpha r, r -= alpha A r, alpha = omega (A r, r) / |A r|^2.
//
// A step reads and writes, beside A: q, r (dot, |q|^2); q, r, x (x, r): 5 reads and 2 writes of a vector. Its
// workspace is q and, as an approximate inverse, r.
#pragma once

#include "solvers/krylov/recorded_step.hpp"
#include "solvers/method_settings.hpp"
#include "solvers/smoother.hpp"

namespace plaq {

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
  int recordable(int batch) override { return a_.recordable(batch); }
  // What was done, and how often the host waited for it.
  const Batch& batch() const { return batch_; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void queue_steps(Field& x, Field& r, const ActiveSet& which);

  LinearOperator& a_;
  int steps_;
  double omega_;
  Batch batch_;
  Field q_, r_;
  RecordedStep recorded_;
};

}  // namespace plaq
