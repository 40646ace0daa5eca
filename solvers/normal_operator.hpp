// A^dagger A and A + sigma as linear operators.
#pragma once

#include "core/operator/linear_operator.hpp"
#include "kernels/blas/blas.hpp"

namespace plaq {

// A^dagger A: Hermitian positive. Its workspace is one vector.
class NormalOperator final : public LinearOperator {
 public:
  NormalOperator(LinearOperator& a, int batch);
  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return a_.capturable(batch); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  LinearOperator& a_;
  Field between_;
};

// A + shift, shift real.
class ShiftedOperator final : public LinearOperator {
 public:
  ShiftedOperator(LinearOperator& a, double shift, int batch);
  double shift() const { return shift_; }
  void set_shift(double shift) { shift_ = shift; }
  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override;
  // A shift travels with the launch, and another one may be set.
  int capturable(int batch) override { return shift_ == 0 ? a_.capturable(batch) : -1; }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  LinearOperator& a_;
  double shift_;
  blas::Workspace workspace_;
};

}  // namespace plaq
