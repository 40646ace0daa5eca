#include "quarks/distillation/slice_lanczos.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/system/runs_dry.hpp"
#include "solvers/eigen/lanczos_run.hpp"

// Blocks of vectors that are orthonormal on each slice.
namespace plaq {

void SliceLanczos::project_out() {
  if (count_ == 0) return;
  subtract(slice_dots(grid_, basis_vectors(0, count_), block_of(block_), a_.queue()));
}

void SliceLanczos::subtract(const SliceMatrices& overlaps) {
  SliceMatrices c = local_part(overlaps);
  for (auto& one : c) one = -one;
  slice_axpys(basis_vectors(0, count_), c, 1, block_of(block_), {}, a_.queue());
}

bool SliceLanczos::normalise(const std::vector<double>& scale) {
  const int n = block_size();
  const SliceMatrixShape shape{n, n};
  const SliceMatrices gram = slice_dots(grid_, block_of(block_), block_of(block_), a_.queue());
  SliceMatrices c(shape.size(local_));
  bool good = true;
  for (int t = 0; t < slices_; ++t) {
    const auto slice = static_cast<std::size_t>(t);
    const auto from = gram.begin() + static_cast<std::ptrdiff_t>(shape(t, 0, 0));
    const SmallSpectrum spectrum = small_spectrum({from, from + n * n}, n, n);
    const double least = std::pow(100 * rounding(), 2) * scale[slice];
    int alive = runs_dry() ? n : 0;
    for (int k = n - 1; k >= 0 && !done_[slice] && !runs_dry(); --k) {
      const double norm = spectrum.values[static_cast<std::size_t>(k)];
      if (!(norm > least)) break;
      good &= norm > 0.25 * scale[slice];
      if (t >= first_ && t < first_ + local_)
        for (int i = 0; i < n; ++i)
          c[shape(t - first_, i, alive)] =
              spectrum.vectors[static_cast<std::size_t>(k * n + i)] / std::sqrt(norm);
      ++alive;
    }
    alive_in_block_[slice] = alive;
  }
  slice_axpys(block_of(block_), c, 0, block_of(work_), {}, a_.queue());
  std::swap(block_, work_);
  return good;
}

bool SliceLanczos::replace_lost() {
  const int n = block_size();
  const SliceMatrixShape shape{n, n};
  SliceMatrices c(shape.size(local_));
  bool any = false;
  for (int t = 0; t < slices_; ++t) {
    const auto slice = static_cast<std::size_t>(t);
    if (done_[slice]) continue;
    const int room = dimension_ - alive_in_basis(t), end = std::min(n, room);
    for (int i = alive_in_block_[slice]; i < end; ++i) {
      any = true;
      if (t >= first_ && t < first_ + local_)
        c[shape(t - first_, i, i)] = 1 / std::sqrt(static_cast<double>(dimension_));
    }
  }
  if (!any) return false;
  set_random(work_);
  slice_axpys(block_of(work_), c, 1, block_of(block_), {}, a_.queue());
  return true;
}

void SliceLanczos::orthonormalise(std::vector<double> scale, bool projected) {
  constexpr int most_passes = 6, most_replacements = 4;
  const std::vector<double> unit(scale.size(), 1);
  for (int replaced = 0; replaced <= most_replacements; ++replaced) {
    for (int pass = 0; pass < most_passes; ++pass) {
      if (!projected) project_out();
      projected = false;
      const bool good = normalise(scale);
      scale = unit;
      if (good && pass > 0) break;
    }
    if (!replace_lost()) break;
  }
}

}  // namespace plaq
