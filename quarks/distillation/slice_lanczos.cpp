#include "quarks/distillation/slice_lanczos.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/profiler.hpp"
#include "core/system/runs_dry.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/eigen/chebyshev_filter.hpp"
#include "solvers/eigen/lanczos_run.hpp"

namespace plaq {
namespace {

int multiple_above(int n, int of) { return (n + of - 1) / of * of; }

Field vectors_like(const LinearOperator& a, int subfields) { return Field(a.geometry(), a.spec(subfields)); }

}  // namespace

bool SliceLanczosReport::all_converged() const {
  return std::all_of(converged.begin(), converged.end(), [](char one) { return one != 0; });
}

SliceLanczos::SliceLanczos(LinearOperator& a, const ProcessGrid& grid, double largest,
                           const SliceLanczosParameters& parameters)
    : a_(a),
      grid_(grid),
      largest_(largest),
      p_(parameters),
      slices_(a.geometry()->global()[3]),
      local_(a.geometry()->local()[3]),
      first_(a.geometry()->offset()[3]) {
  const auto refuse = [](const std::string& what) { throw Error(ErrorKind::job_file, what); };
  const Extents& global = a.geometry()->global();
  const auto of_slice = std::int64_t{3} * global[0] * global[1] * global[2];
  dimension_ = static_cast<int>(std::min<std::int64_t>(of_slice, std::numeric_limits<int>::max()));
  if (p_.modes < 1 || p_.modes > dimension_)
    refuse(fmt::format("{} modes of each time slice: there are 1 to {}", p_.modes, dimension_));
  if (p_.block < 1 || p_.filter_degree < 1 || !(p_.tolerance > 0))
    refuse(
        "modes of time slices need a block of 1 or more, a filter of degree 1 or more and a tolerance above "
        "0");
  const int block = block_size(), wanted = multiple_above(p_.modes, block);
  if (p_.basis == 0) p_.basis = 2 * wanted + 2 * block;
  size_ = multiple_above(std::min(p_.basis, dimension_), block);
  if (size_ < wanted + block && size_ < dimension_)
    refuse(fmt::format("a basis of {} vectors for {} modes in blocks of {}: take at least {}", p_.basis,
                       p_.modes, block, wanted + block));
  kept_ = std::max(wanted, std::min(multiple_above((p_.modes + size_) / 2, block), size_ - block));
  basis_ = vectors_like(a, size_ / 4);
  spare_ = vectors_like(a, kept_ / 4);
  block_ = vectors_like(a, p_.block);
  work_ = vectors_like(a, p_.block);
  product_ = vectors_like(a, p_.block);
  modes_ = vectors_like(a, (p_.modes + 3) / 4);
}

double SliceLanczos::rounding() const {
  return basis_.precision() == Precision::double_precision
             ? std::numeric_limits<double>::epsilon()
             : static_cast<double>(std::numeric_limits<float>::epsilon());
}

SliceMatrices SliceLanczos::local_part(const SliceMatrices& all) const {
  const std::size_t matrix = all.size() / static_cast<std::size_t>(slices_);
  const auto from = all.begin() + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(first_) * matrix);
  return {from, from + static_cast<std::ptrdiff_t>(static_cast<std::size_t>(local_) * matrix)};
}

int SliceLanczos::alive_in_basis(int t) const {
  const auto from = alive_.begin() + static_cast<std::ptrdiff_t>(at(t, 0));
  return static_cast<int>(std::count(from, from + count_, 1));
}

bool SliceLanczos::all_done() const {
  return std::all_of(done_.begin(), done_.end(), [](char one) { return one != 0; });
}

void SliceLanczos::set_random(Field& block) {
  random_source(block, Noise::normal, p_.seed, random_);
  random_ += static_cast<std::uint32_t>(p_.block);
}

void SliceLanczos::begin() {
  const auto slices = static_cast<std::size_t>(slices_);
  count_ = 0;
  random_ = 0;
  degree_ = 1;
  low_ = 0;
  alive_.assign(slices * static_cast<std::size_t>(size_), 0);
  alive_in_block_.assign(slices, block_size());
  h_.assign(static_cast<std::size_t>(local_),
            std::vector<Complex64>(static_cast<std::size_t>(size_) * static_cast<std::size_t>(size_)));
  values_.assign(slices, {});
  bounds_.assign(slices, {});
  done_.assign(slices, 0);
  verified_.assign(slices, 0);
  full_.assign(slices, 0);
  best_.assign(slices, HUGE_VAL);
  stuck_.assign(slices, 0);
  report_ = {};
  report_.values.resize(slices);
  report_.bounds.resize(slices);
  report_.converged.assign(slices, 0);
  set_random(block_);
  orthonormalise(std::vector<double>(slices, dimension_));
}

void SliceLanczos::append_block() {
  const int n = block_size();
  for (int i = 0; i < p_.block; ++i) copy_subfield(basis_, count_ / 4 + i, block_, i);
  for (int t = 0; t < slices_; ++t)
    for (int i = 0; i < n; ++i) alive_[at(t, count_ + i)] = i < alive_in_block_[static_cast<std::size_t>(t)];
  count_ += n;
}

// B V = V H + what the next block has.
void SliceLanczos::extend(LinearOperator& filter) {
  const int n = block_size();
  append_block();
  filter.apply(product_, block_);
  report_.applications += degree_;
  std::swap(block_, product_);
  const SliceMatrices c = slice_dots(grid_, basis_vectors(0, count_), block_of(block_), a_.queue());
  const SliceMatrixShape shape{count_, n};
  for (int t = 0; t < local_; ++t)
    for (int k = 0; k < count_; ++k)
      for (int j = 0; j < n; ++j)
        h_[static_cast<std::size_t>(t)][static_cast<std::size_t>((count_ - n + j) * size_ + k)] =
            std::conj(c[shape(first_ + t, k, j)]);
  // The largest |B v|^2 of the block, as far as it is in the basis.
  std::vector<double> scale(static_cast<std::size_t>(slices_));
  for (int t = 0; t < slices_; ++t)
    for (int j = 0; j < n; ++j) {
      double norm = 0;
      for (int k = 0; k < count_; ++k) norm += std::norm(c[shape(t, k, j)]);
      auto& most = scale[static_cast<std::size_t>(t)];
      most = std::max(most, norm);
    }
  subtract(c);
  orthonormalise(std::move(scale), true);
}

// The vectors of the highest Ritz values of B on each slice.
void SliceLanczos::restart() {
  const SliceMatrixShape shape{count_, kept_};
  SliceMatrices y(shape.size(local_));
  std::vector<std::vector<double>> ritz(static_cast<std::size_t>(local_));
#pragma omp parallel for schedule(dynamic)
  for (int t = 0; t < local_; ++t) {
    std::vector<int> there;
    for (int i = 0; i < count_; ++i)
      if (alive_[at(first_ + t, i)]) there.push_back(i);
    const int n = static_cast<int>(there.size());
    if (n == 0) continue;
    std::vector<Complex64> h(static_cast<std::size_t>(n * n));
    const auto& all = h_[static_cast<std::size_t>(t)];
    for (int i = 0; i < n; ++i)
      for (int j = 0; j <= i; ++j)
        h[static_cast<std::size_t>(i * n + j)] = all[static_cast<std::size_t>(
            there[static_cast<std::size_t>(i)] * size_ + there[static_cast<std::size_t>(j)])];
    const SmallSpectrum spectrum = small_spectrum(h, n, n);
    for (int k = 0; k < std::min(n, kept_); ++k) {
      const int from = n - 1 - k;
      ritz[static_cast<std::size_t>(t)].push_back(spectrum.values[static_cast<std::size_t>(from)]);
      for (int i = 0; i < n; ++i)
        y[shape(t, there[static_cast<std::size_t>(i)], k)] =
            spectrum.vectors[static_cast<std::size_t>(from * n + i)];
    }
  }
  for (int t = 0; t < slices_; ++t) {
    const int n = alive_in_basis(t);
    full_[static_cast<std::size_t>(t)] = n == dimension_;
    for (int i = 0; i < size_; ++i) alive_[at(t, i)] = i < std::min(n, kept_);
  }
  slice_axpys(basis_vectors(0, count_), y, 0, all_vectors(spare_), {}, a_.queue());
  count_ = kept_;
  for (int i = 0; i < kept_ / 4; ++i) copy_subfield(basis_, i, spare_, i);
  for (int t = 0; t < local_; ++t) {
    auto& h = h_[static_cast<std::size_t>(t)];
    std::fill(h.begin(), h.end(), 0);
    const auto& values = ritz[static_cast<std::size_t>(t)];
    for (std::size_t k = 0; k < values.size(); ++k) h[k * static_cast<std::size_t>(size_) + k] = values[k];
  }
  ++report_.cycles;
}

// The damped part begins above the modes, at a value that Ritz values tell, and comes down with them. No mode
// is at the edge itself, where the filter would not tell it from what is damped, even if it has many copies.
// The degree is such that the lowest mode is not amplified beyond what leaves digits to others. Returns true
// if the filter is another one.
bool SliceLanczos::choose_filter() {
  constexpr double worth = 0.85;  // another filter costs the Krylov space of the last one
  constexpr double margin = 0.05;
  const double most = basis_.precision() == Precision::double_precision ? 1e5 : 1e2;
  double edge = 0, bottom = largest_;
  for (int t = 0; t < slices_; ++t) {
    const auto slice = static_cast<std::size_t>(t);
    if (done_[slice]) continue;
    std::vector<double> values;
    for (int i = 0; i < count_; ++i)
      if (alive_[at(t, i)]) values.push_back(values_[slice][static_cast<std::size_t>(i)]);
    std::sort(values.begin(), values.end());
    if (values.empty()) continue;
    const auto above = static_cast<std::size_t>(p_.modes + (kept_ - p_.modes) / 2);
    const double last = values[std::min(static_cast<std::size_t>(p_.modes), values.size()) - 1];
    edge =
        std::max({edge, values[std::min(above, values.size() - 1)], last + margin * (last - values.front())});
    bottom = std::min(bottom, values.front());
  }
  edge = std::clamp(edge, 1e-3 * largest_, 0.95 * largest_);
  const bool waits = std::any_of(verified_.begin(), verified_.end(), [](char one) { return one != 0; });
  if (low_ > 0 && waits) return false;
  if (low_ > 0 && edge > worth * low_) return false;
  const double x = (largest_ + edge - 2 * std::min(bottom, edge)) / (largest_ - edge);
  int degree = p_.filter_degree;
  if (x > 1) degree = std::min(degree, static_cast<int>(std::acosh(most) / std::acosh(x)));
  degree = std::max(degree, 1);
  if (degree % 2 == 0) --degree;  // a filter of even degree takes the next
  low_ = edge;
  degree_ = degree;
  return true;
}

// A Krylov space of its own, as of another filter, that begins with sums of the vectors that were found.
void SliceLanczos::begin_with_sums() {
  const int n = block_size();
  const SliceMatrixShape shape{count_, n};
  SliceMatrices c(shape.size(local_));
  for (int t = 0; t < local_; ++t)
    for (int i = 0; i < count_; ++i) c[shape(t, i, i % n)] = 1;
  slice_axpys(basis_vectors(0, count_), c, 0, block_of(block_), {}, a_.queue());
  count_ = 0;
  std::fill(alive_.begin(), alive_.end(), 0);
  std::fill(verified_.begin(), verified_.end(), 0);
  std::fill(best_.begin(), best_.end(), HUGE_VAL);
  std::fill(stuck_.begin(), stuck_.end(), 0);
  for (auto& h : h_) std::fill(h.begin(), h.end(), 0);
  orthonormalise(std::vector<double>(static_cast<std::size_t>(slices_), 1));
}

SliceLanczosReport SliceLanczos::run() {
  const ScopedRange range("slice_lanczos");
  begin();
  while (!all_done()) {
    {
      ChebyshevFilter filter(a_, p_.block, degree_, low_, largest_);
      const int before = count_;
      while (count_ < size_ && (count_ == before || report_.applications < p_.max_applications))
        extend(filter);
      if (count_ == before) break;  // nothing is left to be gained
    }
    restart();
    measure();
    if (runs_dry()) break;
    decide();
    if (all_done()) break;
    if (report_.applications >= p_.max_applications) break;
    if (count_ > 0 && choose_filter()) begin_with_sums();
  }
  std::vector<char> left(done_);
  for (char& one : left) one = one == 0;
  keep(left);
  return report_;
}

}  // namespace plaq
