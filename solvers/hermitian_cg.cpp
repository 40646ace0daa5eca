#include "solvers/hermitian_cg.hpp"

#include <cmath>

#include "kernels/blas/krylov_operations.hpp"

namespace plaq {

HermitianCg::HermitianCg(LinearOperator& a, int batch)
    : KrylovMethod(a, batch), p_(vector()), q_(vector()), state_(size_) {}

void HermitianCg::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  const auto c = batch.coefficients(which);
  batch.update<blas::Copy>(c, {&r, &p_});
  const auto rr = batch.sum<blas::Norm>(c, {&r});
  for_each_of(which, [&](std::size_t i) {
    state_[i] = {};
    state_[i].gamma = rr[i];
  });
}

// p = r + (|r|^2/|r_old|^2) p; q = A p; alpha = |r|^2/(p, q); r -= alpha q; later: x += alpha p
void HermitianCg::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                       std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  auto c = batch.coefficients(active);
  for_each_of(active, [&](std::size_t i) {
    set(c[i], 0, state_[i].length);
    set(c[i], 1, state_[i].r_part);
    set(c[i], 2, state_[i].p_part);
  });
  batch.update<blas::CgDirection>(c, {&r, &p_, &x});
  batch.apply(a_, q_, p_, active);
  const auto pq = batch.sum<blas::Dot>(c, {&p_, &q_});
  for_each_of(active, [&](std::size_t i) {
    broke[i] = pq[2 * i] <= 0;
    state_[i].length = broke[i] ? 0 : state_[i].gamma / pq[2 * i];
    set(c[i], 0, -state_[i].length);
  });
  const auto rr = batch.sum<blas::AxpyNorm>(c, {&q_, &r});
  for_each_of(active, [&](std::size_t i) {
    State& my = state_[i];
    norms[i] = std::sqrt(rr[i]);
    my.r_part = 1;
    my.p_part = my.gamma == 0 ? 0 : rr[i] / my.gamma;
    my.gamma = rr[i];
  });
}

void HermitianCg::settle(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  auto c = batch.coefficients(which);
  for_each_of(which, [&](std::size_t i) {
    set(c[i], 0, state_[i].length);
    state_[i].length = 0;
  });
  batch.update<blas::Axpy>(c, {&p_, &x});
}

void HermitianCg::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  const auto sums = batch.sum<blas::DotNorm>(batch.coefficients(which), {&r, &p_});
  for_each_of(which, [&](std::size_t i) {
    State& my = state_[i];
    const std::complex<double> rp(sums[3 * i], sums[3 * i + 1]);
    my.gamma = sums[3 * i + 2];
    my.r_part = my.gamma == 0 ? 0 : 1.0 - my.p_part * rp / my.gamma;
  });
}

}  // namespace plaq
