#include "solvers/bicgstab.hpp"

#include <cmath>

#include "kernels/blas/krylov_operations.hpp"

namespace plaq {
namespace {

constexpr double least_cosine = 0.4;
// In the first iteration (r0, r) below so many roundings of |r0| |r| is none: for a point source and the
// Wilson operator with r = 1 it vanishes after one iteration, since no path of two hops comes back. Later it
// is small for good reasons, and rounding errors of many components average out.
constexpr double noise_of_rho = 10;
constexpr int first_iterations = 1;

}  // namespace

BicgstabMethod::BicgstabMethod(LinearOperator& a, int batch)
    : KrylovMethod(a, batch), r0_(vector()), p_(vector()), v_(vector()), t_(vector()), state_(size_) {}

void BicgstabMethod::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  const auto c = batch.coefficients(which);
  batch.update<blas::Copy>(c, {&r, &r0_});
  batch.update<blas::Copy>(c, {&r, &p_});
  const auto rr = batch.sum<blas::Norm>(c, {&r});
  for_each_of(which, [&](std::size_t i) {
    state_[i] = {};
    state_[i].rho = rr[i];
    state_[i].r0_norm = std::sqrt(rr[i]);
  });
}

// v = A p; alpha = rho/(r0, v); r -= alpha v; t = A r; omega = (t, r)/|t|^2; later:
// x += alpha p + omega r; r -= omega t; beta = (rho/rho_old) (alpha/omega); p = r + beta (p - omega v)
void BicgstabMethod::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                          std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  auto c = batch.coefficients(active);
  bool any_pending = false;
  for_each_of(active, [&](std::size_t i) {
    c[i].active = state_[i].pending;
    any_pending = any_pending || state_[i].pending;
    if (!state_[i].pending) return;
    set(c[i], 0, state_[i].alpha);
    set(c[i], 1, state_[i].omega);
    set(c[i], 2, state_[i].beta());
  });
  if (any_pending) batch.update<blas::BicgstabUpdate>(c, {&t_, &v_, &p_, &r, &x});

  batch.apply(a_, v_, p_, active);
  c = batch.coefficients(active);
  const auto r0v = batch.sum<blas::Dot>(c, {&r0_, &v_});
  for_each_of(active, [&](std::size_t i) {
    const std::complex<double> d(r0v[2 * i], r0v[2 * i + 1]);
    broke[i] = d == 0.0;
    state_[i].alpha = broke[i] ? 0 : state_[i].rho / d;
    set(c[i], 0, -state_[i].alpha);
  });
  const auto rr = batch.add_sums<blas::AxpyNorm>(c, {&v_, &r});
  batch.apply(a_, t_, r, active);
  const auto dots = batch.add_sums<blas::BicgstabDots>(c, {&t_, &r, &r0_});
  const auto sums = batch.fetch_sums();
  for_each_of(active, [&](std::size_t i) {
    State& my = state_[i];
    const double* d = &sums[dots + 7 * i];
    const std::complex<double> tr(d[0], d[1]), r0t(d[3], d[4]), r0r(d[5], d[6]);
    my.omega = d[2] == 0 ? 0 : tr / d[2];
    const double cosine = std::abs(tr) / std::sqrt(d[2] * sums[rr + i]);
    if (cosine > 0 && cosine < least_cosine) my.omega *= least_cosine / cosine;
    my.last_rho = my.rho;
    my.rho = r0r - my.omega * r0t;
    my.pending = true;
    // Below 1e-8 of |r'| rounding has eaten the difference; claiming 0 has the true residual computed.
    const double left = sums[rr + i] - 2 * (std::conj(my.omega) * tr).real() + std::norm(my.omega) * d[2];
    norms[i] = left > 1e-16 * sums[rr + i] || std::isnan(left) ? std::sqrt(left) : 0;
    const double noise = my.age < first_iterations ? noise_of_rho * rounding() * my.r0_norm * norms[i] : 0;
    broke[i] = broke[i] || my.omega == 0.0 || std::abs(my.rho) <= noise || my.stalls(norms[i]);
  });
}

void BicgstabMethod::settle(Batch& batch, const ActiveSet& which, Field& x, const Field& r) {
  auto c = batch.coefficients(which);
  for_each_of(which, [&](std::size_t i) { set(c[i], 0, state_[i].alpha); });
  batch.update<blas::Axpy>(c, {&p_, &x});
  for_each_of(which, [&](std::size_t i) {
    set(c[i], 0, state_[i].omega);
    state_[i].pending = false;
  });
  batch.update<blas::Axpy>(c, {&r, &x});
}

// rho = (r0, r); p = r + beta (p - omega v)
void BicgstabMethod::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  auto c = batch.coefficients(which);
  const auto r0r = batch.sum<blas::Dot>(c, {&r0_, &r});
  for_each_of(which, [&](std::size_t i) {
    state_[i].rho = {r0r[2 * i], r0r[2 * i + 1]};
    state_[i].least = HUGE_VAL;
    set(c[i], 0, -state_[i].omega);
  });
  batch.update<blas::Axpy>(c, {&v_, &p_});
  for_each_of(which, [&](std::size_t i) {
    set(c[i], 0, 1);
    set(c[i], 1, state_[i].beta());
  });
  batch.update<blas::Axpby>(c, {&r, &p_});
}

// A new minimum of the residual is long overdue: rounding has eaten (r0, r), and it will not come back.
bool BicgstabMethod::State::stalls(double norm) {
  ++age;
  if (norm < least) {
    least = norm;
    least_at = age;
  }
  return age - least_at > 50 + age / 4;
}

}  // namespace plaq
