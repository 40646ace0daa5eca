#include "solvers/bicgstab.hpp"

#include <cmath>
#include <complex>

namespace plaq {
namespace {

using Complex64 = std::complex<double>;

void set(blas::Coefficients& c, int k, Complex64 z) {
  c.value[2 * k] = z.real();
  c.value[2 * k + 1] = z.imag();
}

class Method final : public KrylovMethod {
 public:
  Method(LinearOperator& a, Field& r0, Field& p, Field& v, Field& t) : a_(a), r0_(r0), p_(p), v_(v), t_(t) {}

  void begin(Batch& batch, Field& r) override {
    const auto c = batch.coefficients();
    batch.update<blas::Copy>(c, {&r, &r0_});
    batch.update<blas::Copy>(c, {&r, &p_});
    const auto squares = batch.sum<blas::Norm>(c, {&r});
    rho_.assign(squares.begin(), squares.end());
  }

  // v = A p; alpha = rho/(r0, v); r -= alpha v; t = A r; omega = (t, r)/|t|^2;
  // x += alpha p + omega r; r -= omega t; beta = (rho'/rho) (alpha/omega); p = r + beta (p - omega v)
  void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) override {
    a_.apply(v_, p_);
    auto c = batch.coefficients();
    const auto r0v = batch.sum<blas::Dot>(c, {&r0_, &v_});
    std::vector<Complex64> alpha(c.size()), omega(c.size());
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c[i].active == 0) continue;
      const Complex64 d(r0v[2 * i], r0v[2 * i + 1]);
      broke[i] = d == 0.0;
      alpha[i] = broke[i] ? 0 : rho_[i] / d;
      set(c[i], 0, -alpha[i]);
    }
    batch.update<blas::Axpy>(c, {&v_, &r});
    a_.apply(t_, r);
    batch.count_apply(a_, 2);
    const auto tr = batch.sum<blas::DotNorm>(c, {&t_, &r});
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c[i].active == 0) continue;
      omega[i] = tr[3 * i + 2] == 0 ? 0 : Complex64(tr[3 * i], tr[3 * i + 1]) / tr[3 * i + 2];
      set(c[i], 0, alpha[i]);
      set(c[i], 1, omega[i]);
    }
    batch.update<blas::BicgstabSolution>(c, {&p_, &r, &x});
    const auto rr = batch.sum<blas::BicgstabResidual>(c, {&t_, &r0_, &r});
    for (std::size_t i = 0; i < c.size(); ++i) {
      if (c[i].active == 0) continue;
      norms[i] = std::sqrt(rr[3 * i]);
      const Complex64 rho(rr[3 * i + 1], rr[3 * i + 2]);
      broke[i] = broke[i] || omega[i] == 0.0 || rho == 0.0;
      set(c[i], 0, broke[i] ? 0 : (rho / rho_[i]) * (alpha[i] / omega[i]));
      rho_[i] = rho;
    }
    batch.update<blas::BicgstabDirection>(c, {&r, &v_, &p_});
  }

 private:
  LinearOperator& a_;
  Field &r0_, &p_, &v_, &t_;
  std::vector<Complex64> rho_;  // (r0, r)
};

}  // namespace

Bicgstab::Bicgstab(LinearOperator& a, const ProcessGrid& grid, int batch) : a_(a), grid_(grid) {
  for (Field* f : std::array<Field*, vectors.size()>{&r_, &r0_, &p_, &v_, &t_})
    *f = Field(a.geometry(), a.spec(batch));
}

SolveReport Bicgstab::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  Method method(a_, r0_, p_, v_, t_);
  return run_krylov(method, a_, grid_, x, b, r_, t_, parameters);
}

}  // namespace plaq
