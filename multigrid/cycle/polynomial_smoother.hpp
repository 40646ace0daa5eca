// A fixed polynomial as a smoother: r becomes p(A) r, p(0) = 1, and x what belongs to it. Unlike steps of
// minimal residuals it takes no sums, so nobody waits for anybody.
//
// p is given by its roots. Each pair theta, theta* is two applications of A with real weights alone:
//   u = c1 r - c2 A r,   x += u,   r -= A u,   c1 = 2 Re theta / |theta|^2,   c2 = 1 / |theta|^2
// and a real one is one: u = r / theta. Beside A a pair reads and writes 8 vectors and a real root 5. Its
// workspace is three vectors.
//
// If the spectrum of A lies around 0, p is of A A^dagger, whose roots are real:
//   u = A^dagger r / theta,   x += u,   r -= A u.
#pragma once

#include <complex>

#include "solvers/krylov/captured_step.hpp"
#include "solvers/preconditioner.hpp"

namespace plaq {

enum class PolynomialOf { itself, normal_operator };  // A, A A^dagger

class PolynomialSmoother final : public Smoother {
 public:
  // Roots as polynomial_roots() has them: in the order of their steps, theta* right behind theta.
  PolynomialSmoother(LinearOperator& a, const ProcessGrid& grid, int batch,
                     const std::vector<std::complex<double>>& roots, PolynomialOf of = PolynomialOf::itself);
  void smooth(Field& x, Field& r, const ActiveSet& which) override;

  const GeometryPtr& geometry() const override { return a_.geometry(); }
  FieldSpec spec(int batch) const override { return a_.spec(batch); }
  const Queue& queue() const override { return a_.queue(); }
  Work work(int batch) const override;
  int capturable(int batch) override { return a_.capturable(batch); }
  // Batch that counts the work done.
  const Batch& batch() const { return batch_; }

 private:
  struct Step {
    bool pair, adjoint;  // two applications; the first one of A^dagger
    blas::CoefficientList::Set
        weights;  // of r and A r in u: c1, -c2; 0, 1 / theta; of one real root: 1 / theta
  };

  static std::vector<Step> steps_of(const std::vector<std::complex<double>>& roots, PolynomialOf of);
  void run(Field& out, const Field& in, bool dagger, const ActiveSet& active) override;
  void queue_steps(Field& x, Field& r, const ActiveSet& which);

  LinearOperator& a_;
  std::vector<Step> steps_;
  Batch batch_;
  Buffer coefficients_;  // for each right-hand side: -1, then of each step
  Field q_, au_, r_;
  CapturedStep captured_;
};

}  // namespace plaq
