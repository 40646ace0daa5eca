#include "quarks/distillation/slice_lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

// Modes among the vectors that a cycle has found, and slices that are done.
namespace plaq {

// Rayleigh quotients of A and the norms of what is left, of all vectors of the basis.
void SliceLanczos::measure() {
  const int n = block_size();
  const SliceMatrixShape shape{n, n};
  for (int t = 0; t < slices_; ++t) {
    values_[static_cast<std::size_t>(t)].assign(static_cast<std::size_t>(count_), 0);
    bounds_[static_cast<std::size_t>(t)].assign(static_cast<std::size_t>(count_), 0);
  }
  for (int first = 0; first < count_; first += n) {
    for (int i = 0; i < p_.block; ++i) copy_subfield(work_, i, basis_, first / 4 + i);
    a_.apply(product_, work_);
    ++report_.applications;
    const SliceMatrices dots = slice_dots(grid_, block_of(work_), block_of(product_), a_.queue());
    SliceMatrices minus(shape.size(slices_));
    for (int t = 0; t < slices_; ++t)
      for (int j = 0; j < n; ++j) {
        const double value = dots[shape(t, j, j)].real();
        values_[static_cast<std::size_t>(t)][static_cast<std::size_t>(first + j)] = value;
        minus[shape(t, j, j)] = -value;
      }
    slice_axpys(block_of(work_), local_part(minus), 1, block_of(product_), {}, a_.queue());
    const SliceMatrices left = slice_dots(grid_, block_of(product_), block_of(product_), a_.queue());
    for (int t = 0; t < slices_; ++t)
      for (int j = 0; j < n; ++j)
        bounds_[static_cast<std::size_t>(t)][static_cast<std::size_t>(first + j)] =
            std::sqrt(left[shape(t, j, j)].real());
  }
}

// Order of the modes among the vectors that were measured: values of a filter differ from it by rounding.
void SliceLanczos::keep(const std::vector<char>& slices) {
  const int columns = 4 * modes_.subfields();
  const SliceMatrixShape shape{count_, columns};
  SliceMatrices c(shape.size(local_));
  std::vector<char> mine(static_cast<std::size_t>(local_));
  for (int t = 0; t < slices_; ++t) {
    const auto slice = static_cast<std::size_t>(t);
    if (!slices[slice]) continue;
    const auto &values = values_[slice], &bounds = bounds_[slice];
    std::vector<int> order;
    for (int i = 0; i < count_; ++i)
      if (alive_[at(t, i)]) order.push_back(i);
    std::stable_sort(order.begin(), order.end(), [&](int i, int j) {
      return values[static_cast<std::size_t>(i)] < values[static_cast<std::size_t>(j)];
    });
    order.resize(std::min(order.size(), static_cast<std::size_t>(p_.modes)));
    report_.values[slice].clear();
    report_.bounds[slice].clear();
    for (std::size_t k = 0; k < order.size(); ++k) {
      const auto i = static_cast<std::size_t>(order[k]);
      report_.values[slice].push_back(values[i]);
      report_.bounds[slice].push_back(bounds[i]);
      if (t >= first_ && t < first_ + local_) c[shape(t - first_, order[k], static_cast<int>(k))] = 1;
    }
    if (t >= first_ && t < first_ + local_) mine[static_cast<std::size_t>(t - first_)] = 1;
  }
  slice_axpys(basis_vectors(0, count_), c, 0, all_vectors(modes_), mine, a_.queue());
}

// The basis of these slices has the modes alone, without vectors that did not converge.
void SliceLanczos::drop_others(const std::vector<char>& slices) {
  const SliceMatrixShape shape{count_, count_};
  SliceMatrices c(shape.size(local_));
  for (int t = 0; t < slices_; ++t) {
    const bool drops = slices[static_cast<std::size_t>(t)] != 0;
    const int end = drops ? p_.modes : count_;
    if (t >= first_ && t < first_ + local_)
      for (int i = 0; i < end; ++i) c[shape(t - first_, i, i)] = 1;
    for (int i = end; i < count_; ++i) alive_[at(t, i)] = 0;
  }
  slice_axpys(basis_vectors(0, count_), c, 0, all_vectors(spare_), {}, a_.queue());
  for (int i = 0; i < count_ / 4; ++i) copy_subfield(basis_, i, spare_, i);
}

// The next block is random on these slices.
void SliceLanczos::begin_again(const std::vector<char>& slices) {
  drop_others(slices);
  const int n = block_size();
  const SliceMatrixShape shape{n, n};
  SliceMatrices c(shape.size(local_));
  std::vector<char> mine(static_cast<std::size_t>(local_));
  std::vector<double> scale(static_cast<std::size_t>(slices_), 1);
  for (int t = 0; t < slices_; ++t) {
    if (!slices[static_cast<std::size_t>(t)]) continue;
    scale[static_cast<std::size_t>(t)] = dimension_;
    if (t < first_ || t >= first_ + local_) continue;
    mine[static_cast<std::size_t>(t - first_)] = 1;
    for (int j = 0; j < n; ++j) c[shape(t - first_, j, j)] = 1;
  }
  set_random(work_);
  slice_axpys(block_of(work_), c, 0, block_of(block_), mine, a_.queue());
  orthonormalise(std::move(scale));
}

// True if the vectors that were measured have no value that belongs below those of the modes in the report.
bool SliceLanczos::nothing_new(int t) const {
  const auto slice = static_cast<std::size_t>(t);
  std::vector<double> values;
  for (int i = 0; i < count_; ++i)
    if (alive_[at(t, i)]) values.push_back(values_[slice][static_cast<std::size_t>(i)]);
  std::sort(values.begin(), values.end());
  const auto& kept = report_.values[slice];
  for (std::size_t i = 0; i < kept.size(); ++i)
    if (!(values[i] > kept[i] - p_.tolerance)) return false;
  return true;
}

// Modes that are good go into the report. Their slice is done if another Krylov space finds nothing else.
void SliceLanczos::decide() {
  const auto slices = static_cast<std::size_t>(slices_);
  // Vectors that another Krylov space joins mix with its own, and keep their errors in the mixtures.
  const double strict = std::min(p_.tolerance, std::max(0.1 * p_.tolerance, 50 * rounding() * largest_));
  std::vector<char> good(slices), again(slices);
  bool stuck = false;
  for (std::size_t t = 0; t < slices; ++t) {
    if (done_[t]) continue;
    double worst = HUGE_VAL;
    if (alive_in_basis(static_cast<int>(t)) >= p_.modes)
      worst = *std::max_element(bounds_[t].begin(), bounds_[t].begin() + p_.modes);
    const bool complete = full_[t] && worst <= p_.tolerance;
    const bool confirmed = verified_[t] && nothing_new(static_cast<int>(t));
    good[t] = complete || (!confirmed && worst <= strict);
    again[t] = good[t] && !complete;
    verified_[t] = again[t];
    if (complete || confirmed) done_[t] = report_.converged[t] = 1;
    stuck_[t] = worst < 0.5 * best_[t] ? 0 : stuck_[t] + 1;
    best_[t] = again[t] ? HUGE_VAL : std::min(best_[t], worst);
    stuck |= !done_[t] && stuck_[t] >= 4 && worst <= 100 * p_.tolerance;
  }
  keep(good);
  for (std::size_t t = 0; t < slices; ++t)
    if (done_[t])
      std::fill_n(alive_.begin() + static_cast<std::ptrdiff_t>(at(static_cast<int>(t), 0)), size_, 0);
  // Slices that are done have blocks of 0 from now on: normalise() sees to it.
  if (std::any_of(again.begin(), again.end(), [](char one) { return one != 0; }))
    begin_again(again);
  else if (stuck && !all_done())
    begin_with_sums();
}

}  // namespace plaq
