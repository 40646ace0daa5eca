// A cycle for spinors of its precision or of another one. On a device it is one launch from its third
// application to a batch on, where nothing in it waits (solvers/krylov/captured_step.hpp).
#pragma once

#include <memory>

#include "kernels/blas/blas.hpp"
#include "multigrid/cycle/cycle.hpp"
#include "solvers/krylov/captured_step.hpp"

namespace plaq {

class CycleInPrecision final : public ResidualInverse {
 public:
  CycleInPrecision(const ProcessGrid& grid, std::unique_ptr<Cycle> cycle, Precision precision, int batch);

  const GeometryPtr& geometry() const override { return cycle_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return cycle_->queue(); }
  Work work(int batch) const override { return cycle_->work(batch); }
  // A cycle in another precision has no residual that is precise enough.
  const Field* residual() const override { return in_ ? nullptr : cycle_->residual(); }
  const Cycle& cycle() const { return *cycle_; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void copy_active(Field& to, const Field& from, const ActiveSet& active) const;

  std::unique_ptr<Cycle> cycle_;
  Precision precision_;
  Batch batch_;
  CapturedStep step_;
  Field in_;   // where the precisions differ
  Field out_;  // there, and where cycles are captured: what is captured always writes to the same field
};

}  // namespace plaq
