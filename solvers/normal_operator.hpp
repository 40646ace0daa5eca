// A^dagger A and A + sigma_i as linear operators, i the number of a right-hand side.
#pragma once

#include <vector>

#include "core/operator/linear_operator.hpp"
#include "kernels/blas/blas.hpp"

namespace plaq {

// A^dagger A, or A A^dagger: Hermitian positive. Its workspace is one vector.
class NormalOperator final : public LinearOperator {
 public:
  enum class First { a, adjoint };
  NormalOperator(LinearOperator& a, int batch, First first = First::a);
  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return a_.capturable(batch); }

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  LinearOperator& a_;
  First first_;
  Field between_;
};

// A + shift, the shift real, and of each right-hand side.
class ShiftedOperator final : public LinearOperator {
 public:
  ShiftedOperator(LinearOperator& a, double shift, int batch);
  void set_shift(double shift) { set_shifts(std::vector<double>(shifts_.size(), shift)); }
  // Sets that of each right-hand side of its batch, whose bits are those of its shift alone.
  void set_shifts(const std::vector<double>& shifts);
  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override;
  // Shifts travel with the launch: other ones are another state.
  int capturable(int batch) override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  bool has_shifts() const;

  LinearOperator& a_;
  std::vector<double> shifts_;
  int version_ = 0;  // of the shifts
  blas::Workspace workspace_;
};

}  // namespace plaq
