#include "solvers/cg.hpp"

#include <cmath>

namespace plaq {
namespace {

class Cgls final : public KrylovMethod {
 public:
  Cgls(LinearOperator& a, Field& s, Field& p, Field& q) : a_(a), s_(s), p_(p), q_(q) {}

  // s = A^dagger r, p = s
  void begin(Batch& batch, Field& r) override {
    a_.apply_dagger(s_, r);
    batch.count_apply(a_);
    const auto c = batch.coefficients();
    batch.update<blas::Copy>(c, {&s_, &p_});
    gamma_ = batch.sum<blas::Norm>(c, {&s_});
  }

  // q = A p; alpha = |s|^2/|q|^2; x += alpha p; r -= alpha q; s = A^dagger r; p = s + (|s|^2/|s_old|^2) p
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) override {
    a_.apply(q_, p_);
    auto c = batch.coefficients();
    const auto delta = batch.sum<blas::Norm>(c, {&q_});
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c[i].active == 0) continue;
      broke[i] = delta[i] == 0;
      c[i].value[0] = broke[i] ? 0 : gamma_[i] / delta[i];
    }
    const auto squares = batch.sum<blas::CgUpdate>(c, {&p_, &q_, &x, &r});
    a_.apply_dagger(s_, r);
    batch.count_apply(a_, 2);
    const auto gamma = batch.sum<blas::Norm>(c, {&s_});
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c[i].active == 0) continue;
      norms[i] = std::sqrt(squares[i]);
      c[i].value[0] = gamma_[i] == 0 ? 0 : gamma[i] / gamma_[i];
      gamma_[i] = gamma[i];
    }
    batch.update<blas::Xpay>(c, {&s_, &p_});
  }

 private:
  LinearOperator& a_;
  Field &s_, &p_, &q_;
  std::vector<double> gamma_;  // |s|^2
};

}  // namespace

ConjugateGradients::ConjugateGradients(LinearOperator& a, const ProcessGrid& grid, int batch)
    : a_(a), grid_(grid) {
  for (Field* f : std::array<Field*, vectors.size()>{&r_, &s_, &p_, &q_})
    *f = Field(a.geometry(), a.spec(batch));
}

SolveReport ConjugateGradients::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  Cgls method(a_, s_, p_, q_);
  return run_krylov(method, a_, grid_, x, b, r_, q_, parameters);
}

}  // namespace plaq
