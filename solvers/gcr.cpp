#include "solvers/gcr.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "kernels/blas/krylov_operations.hpp"

namespace plaq {
namespace {

constexpr int dots_until_fetched = 12;  // what the workspace of sums holds

}  // namespace

Gcr::Gcr(LinearOperator& a, int batch, int restart_length, LinearOperator* preconditioner)
    : KrylovMethod(a, batch), length_(restart_length), preconditioner_(preconditioner), state_(size_) {
  require(restart_length >= 1, "GCR restarts after one direction or more");
  const auto k = static_cast<std::size_t>(restart_length);
  for (std::size_t j = 0; j < k; ++j) {
    p_.push_back(vector());
    z_.push_back(vector());
  }
  for (State& s : state_) {
    s.zz.resize(k);
    s.length.resize(k);
    s.overlap.resize(k);
    for (std::size_t j = 0; j < k; ++j) s.overlap[j].resize(j);
  }
}

template <class F>
void Gcr::for_each_position(const ActiveSet& which, F&& f) {
  std::vector<std::vector<char>> at(static_cast<std::size_t>(length_) + 1);
  for_each_of(which, [&](std::size_t i) {
    auto& flags = at[static_cast<std::size_t>(state_[i].position)];
    flags.resize(size_, 0);
    flags[i] = 1;
  });
  for (std::size_t j = 0; j < at.size(); ++j)
    if (!at[j].empty()) f(static_cast<int>(j), ActiveSet(at[j]));
}

void Gcr::begin(Batch&, const ActiveSet& which, const Field&) {
  for_each_of(which, [&](std::size_t i) { state_[i].position = 0; });
}

void Gcr::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  for_each_position(active, [&](int j, const ActiveSet& full) {
    if (j < length_) return;
    settle(batch, full, x, r);
    begin(batch, full, r);
  });
  for_each_position(active, [&](int j, const ActiveSet& which) {
    const auto at = static_cast<std::size_t>(j);
    new_direction(batch, j, which, r);
    auto c = batch.coefficients(which);
    const auto sums = batch.sum<blas::DotNorm>(c, {&z_[at], &r});
    for_each_of(which, [&](std::size_t i) {
      State& my = state_[i];
      const Complex64 zr(sums[3 * i], sums[3 * i + 1]);
      my.zz[at] = sums[3 * i + 2];
      broke[i] = my.zz[at] == 0 || zr == 0.0;
      my.length[at] = broke[i] ? 0 : zr / my.zz[at];
      my.position = broke[i] ? j : j + 1;
      set(c[i], 0, -my.length[at]);
    });
    const auto rr = batch.sum<blas::AxpyNorm>(c, {&z_[at], &r});
    for_each_of(which, [&](std::size_t i) { norms[i] = std::sqrt(rr[i]); });
  });
}

void Gcr::new_direction(Batch& batch, int j, const ActiveSet& which, const Field& r) {
  Field& p = p_[static_cast<std::size_t>(j)];
  if (preconditioner_ != nullptr) {
    batch.precondition(*preconditioner_, p, r, which);
  } else {
    batch.update<blas::Copy>(batch.coefficients(which), {&r, &p});
  }
  batch.apply(a_, z_[static_cast<std::size_t>(j)], p, which);
  orthogonalise(batch, j, which);
}

void Gcr::orthogonalise(Batch& batch, int j, const ActiveSet& which) {
  const auto at = static_cast<std::size_t>(j);
  const auto c = batch.coefficients(which);
  std::vector<std::vector<Complex64>> minus(size_, std::vector<Complex64>(at));
  for (int first = 0; first < j; first += dots_until_fetched) {
    const int end = std::min(j, first + dots_until_fetched);
    const auto z = [&](int i) { return &z_[static_cast<std::size_t>(std::min(i, end - 1))]; };
    std::vector<std::size_t> places;
    for (int i = first; i < end; i += 3)
      places.push_back(batch.add_sums<blas::ThreeDots>(c, {z(i), z(i + 1), z(i + 2), &z_[at]}));
    const auto sums = batch.fetch_sums();
    for_each_of(which, [&](std::size_t rhs) {
      for (int i = first; i < end; ++i) {
        const auto k = static_cast<std::size_t>(i), step = static_cast<std::size_t>(i - first);
        const double* d = &sums[places[step / 3] + 6 * rhs + 2 * (step % 3)];
        state_[rhs].overlap[at][k] = Complex64(d[0], d[1]) / state_[rhs].zz[k];
        minus[rhs][k] = -state_[rhs].overlap[at][k];
      }
    });
  }
  add_all(batch, j, which, z_, minus, z_[at]);
}

void Gcr::add_all(Batch& batch, int j, const ActiveSet& which, const std::vector<Field>& v,
                  const std::vector<std::vector<Complex64>>& factors, Field& y) {
  const auto of = [&](int i) { return &v[static_cast<std::size_t>(std::min(i, j - 1))]; };
  for (int i = 0; i < j; i += 3) {
    auto c = batch.coefficients(which);
    for_each_of(which, [&](std::size_t rhs) {
      for (int k = 0; k < 3 && i + k < j; ++k) set(c[rhs], k, factors[rhs][static_cast<std::size_t>(i + k)]);
    });
    batch.update<blas::ThreeAxpys>(c, {of(i), of(i + 1), of(i + 2), &y});
  }
}

// length_i = y_i + sum_{j>i} overlap[j][i] y_j; x += sum_j y_j p_j
void Gcr::settle(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  for_each_position(which, [&](int j, const ActiveSet& same) {
    std::vector<std::vector<Complex64>> y(size_);
    for_each_of(same, [&](std::size_t rhs) {
      State& my = state_[rhs];
      y[rhs].assign(my.length.begin(), my.length.begin() + j);
      for (std::size_t i = y[rhs].size(); i-- > 0;) {
        for (std::size_t k = i + 1; k < y[rhs].size(); ++k) y[rhs][i] -= my.overlap[k][i] * y[rhs][k];
        my.length[i] = 0;
      }
    });
    add_all(batch, j, same, p_, y, x);
  });
}

}  // namespace plaq
