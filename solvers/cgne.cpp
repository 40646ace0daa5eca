#include "solvers/cgne.hpp"

#include <cmath>

#include "kernels/blas/krylov_operations.hpp"

namespace plaq {

Cgne::Cgne(LinearOperator& a, int batch)
    : KrylovMethod(a, batch), p_(vector()), q_(vector()), state_(size_) {}

void Cgne::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  const auto c = batch.coefficients(which);
  batch.update<blas::Zero>(c, {&p_});
  const auto rr = batch.sum<blas::Norm>(c, {&r});
  for_each_of(which, [&](std::size_t i) {
    state_[i] = {};
    state_[i].gamma = rr[i];
  });
}

// beta = -(p, A^dagger r)/|p|^2 for those whose r was replaced.
void Cgne::find_beta(Batch& batch) {
  std::vector<char> flags(size_, 0);
  for_each_of(batch.active_set(), [&](std::size_t i) {
    flags[i] = state_[i].mend;
    state_[i].mend = false;
  });
  const ActiveSet mended(flags);
  if (mended.count() == 0) return;
  const auto pq = batch.sum<blas::Dot>(batch.coefficients(mended), {&p_, &q_});
  for_each_of(mended, [&](std::size_t i) {
    state_[i].beta = -std::complex<double>(pq[2 * i], pq[2 * i + 1]) / state_[i].pp;
  });
}

// p = A^dagger r + (|r|^2/|r_old|^2) p; alpha = |r|^2/|p|^2; r -= alpha A p; later: x += alpha p
void Cgne::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  batch.apply_dagger(a_, q_, r, active);
  find_beta(batch);
  auto c = batch.coefficients(active);
  for_each_of(active, [&](std::size_t i) {
    set(c[i], 0, state_[i].length);
    set(c[i], 1, 1);
    set(c[i], 2, state_[i].beta);
  });
  const auto pp = batch.sum<blas::CraigDirection>(c, {&q_, &p_, &x});
  for_each_of(active, [&](std::size_t i) {
    broke[i] = pp[i] == 0;
    state_[i].pp = pp[i];
    state_[i].length = broke[i] ? 0 : state_[i].gamma / pp[i];
    set(c[i], 0, -state_[i].length);
  });
  batch.apply(a_, q_, p_, active);
  const auto rr = batch.sum<blas::AxpyNorm>(c, {&q_, &r});
  for_each_of(active, [&](std::size_t i) {
    State& my = state_[i];
    norms[i] = std::sqrt(rr[i]);
    my.last_gamma = my.gamma;
    my.gamma = rr[i];
    my.beta = my.last_gamma == 0 ? 0 : my.gamma / my.last_gamma;
  });
}

void Cgne::settle(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  auto c = batch.coefficients(which);
  for_each_of(which, [&](std::size_t i) {
    set(c[i], 0, state_[i].length);
    state_[i].length = 0;
  });
  batch.update<blas::Axpy>(c, {&p_, &x});
}

void Cgne::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  const auto rr = batch.sum<blas::Norm>(batch.coefficients(which), {&r});
  for_each_of(which, [&](std::size_t i) {
    state_[i].gamma = rr[i];
    state_[i].mend = state_[i].pp > 0;
  });
}

}  // namespace plaq
