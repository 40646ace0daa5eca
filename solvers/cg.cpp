#include "solvers/cg.hpp"

#include <algorithm>
#include <cmath>

#include "kernels/blas/krylov_operations.hpp"

namespace plaq {

Cgnr::Cgnr(LinearOperator& a, int batch)
    : KrylovMethod(a, batch), s_(vector()), p_(vector()), q_(vector()), state_(size_) {}

void Cgnr::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  batch.apply_dagger(a_, s_, r, which);
  const auto c = batch.coefficients(which);
  batch.update<blas::Copy>(c, {&s_, &p_});
  const auto ss = batch.sum<blas::Norm>(c, {&s_});
  for_each_of(which, [&](std::size_t i) {
    state_[i] = {};
    state_[i].gamma = ss[i];
  });
}

// p = s + (|s|^2/|s_old|^2) p; q = A p; alpha = |s|^2/|q|^2; r -= alpha q; s = A^dagger r; later: x += alpha
// p
void Cgnr::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  auto c = batch.coefficients(active);
  for_each_of(active, [&](std::size_t i) {
    set(c[i], 0, state_[i].length);
    set(c[i], 1, state_[i].s_part);
    set(c[i], 2, state_[i].p_part);
  });
  batch.update<blas::CgDirection>(c, {&s_, &p_, &x});
  batch.apply(a_, q_, p_, active);
  const auto qq = batch.sum<blas::Norm>(c, {&q_});
  for_each_of(active, [&](std::size_t i) {
    broke[i] = qq[i] == 0;
    state_[i].largest = std::max(state_[i].largest, qq[i] / state_[i].gamma);
    state_[i].length = broke[i] ? 0 : state_[i].gamma / qq[i];
    set(c[i], 0, -state_[i].length);
  });
  const auto rr = batch.add_sums<blas::AxpyNorm>(c, {&q_, &r});
  batch.apply_dagger(a_, s_, r, active);
  const auto ss = batch.add_sums<blas::Norm>(c, {&s_});
  const auto sums = batch.fetch_sums();
  const double invisible = 16 * rounding();
  for_each_of(active, [&](std::size_t i) {
    State& my = state_[i];
    norms[i] = std::sqrt(sums[rr + i]);
    my.s_part = 1;
    my.p_part = my.gamma == 0 ? 0 : sums[ss + i] / my.gamma;
    my.gamma = sums[ss + i];
    // What is left of r is invisible to A^dagger in this precision: there is no solution, or none to be
    // found.
    broke[i] = broke[i] || my.gamma <= invisible * invisible * my.largest * sums[rr + i];
  });
}

void Cgnr::settle(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  auto c = batch.coefficients(which);
  for_each_of(which, [&](std::size_t i) {
    set(c[i], 0, state_[i].length);
    state_[i].length = 0;
  });
  batch.update<blas::Axpy>(c, {&p_, &x});
}

// p - ((s, p)/|s|^2) s is orthogonal to s; p = s + beta times that.
void Cgnr::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  batch.apply_dagger(a_, s_, r, which);
  const auto sums = batch.sum<blas::DotNorm>(batch.coefficients(which), {&s_, &p_});
  for_each_of(which, [&](std::size_t i) {
    State& my = state_[i];
    const std::complex<double> sp(sums[3 * i], sums[3 * i + 1]);
    my.gamma = sums[3 * i + 2];
    my.s_part = my.gamma == 0 ? 0 : 1.0 - my.p_part * sp / my.gamma;
  });
}

}  // namespace plaq
