// A cycle for spinors of another precision than its own.
#pragma once

#include <memory>

#include "kernels/blas/blas.hpp"
#include "multigrid/cycle/cycle.hpp"

namespace plaq {

class CycleInPrecision final : public ResidualInverse {
 public:
  CycleInPrecision(std::unique_ptr<Cycle> cycle, Precision precision, int batch);

  const GeometryPtr& geometry() const override { return cycle_->geometry(); }
  FieldSpec spec(int batch) const override;
  const Queue& queue() const override { return cycle_->queue(); }
  Work work(int batch) const override { return cycle_->work(batch); }
  // Of a cycle in another precision nothing that is precise enough.
  const Field* residual() const override { return in_ ? nullptr : cycle_->residual(); }
  const Cycle& cycle() const { return *cycle_; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;

  std::unique_ptr<Cycle> cycle_;
  Precision precision_;
  blas::Workspace workspace_;
  Field in_, out_;  // where the precisions differ
};

}  // namespace plaq
