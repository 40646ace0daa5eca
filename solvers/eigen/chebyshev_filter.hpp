// A polynomial of a Hermitian operator that raises the low end of its spectrum above the rest.
#pragma once

#include "core/operator/linear_operator.hpp"
#include "kernels/blas/blas.hpp"

namespace plaq {

// p(A) = -T_d((2 A - low - high)/(high - low)), T_d the Chebyshev polynomial of odd degree d (an even one
// becomes the next): eigenvalues in [low, high] go to [-1, 1], those below it to numbers above 1 that grow as
// cosh(2 d sqrt((low - lambda)/(high - low))) and keep their order, those above it below -1: nothing there is
// taken for the low end. One application is d of A. By the recurrence of T: 5 reads and 2 writes of a vector
// beside each A. Its workspace is two vectors.
class ChebyshevFilter final : public LinearOperator {
 public:
  // `a` of double or single precision; low < high.
  ChebyshevFilter(LinearOperator& a, int batch, int degree, double low, double high);

  int degree() const { return degree_; }
  double value(double lambda) const;  // p(lambda)
  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override;

 private:
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  LinearOperator& a_;
  int degree_;
  double low_, high_;
  Field last_, product_;
  blas::Workspace workspace_;
};

}  // namespace plaq
