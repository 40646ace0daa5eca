#include "solvers/krylov/krylov_basis.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/system/error.hpp"
#include "kernels/blas/krylov_operations.hpp"

namespace plaq {
namespace {

constexpr int dots_until_fetched = 12;  // what the workspace of sums holds
constexpr int most_passes = 5;
constexpr double much = 0.5;  // a pass that leaves less of a vector is followed by another

}  // namespace

KrylovBasis::KrylovBasis(const GeometryPtr& geometry, const FieldSpec& spec, Batch& batch, int size)
    : geometry_(geometry), spec_(spec), batch_(batch) {
  require(batch.size() == 1, "a Krylov basis has single vectors");
  grow(size);
}

void KrylovBasis::grow(int size) {
  while (static_cast<int>(v_.size()) < size) v_.emplace_back(geometry_, spec_);
}

double KrylovBasis::norm(const Field& x) { return std::sqrt(batch_.sum<blas::Norm>(one(), {&x})[0]); }

void KrylovBasis::scale(int i, double factor) {
  auto c = one();
  set(c[0], 0, factor);
  batch_.update<blas::Scale>(c, {&(*this)[i], &(*this)[i]});
}

void KrylovBasis::add(const std::vector<Complex64>& factors, int n, Field& y, int first) {
  const auto of = [&](int i) { return &(*this)[first + std::min(i, n - 1)]; };
  for (int i = 0; i < n; i += 3) {
    auto c = one();
    for (int k = 0; k < 3 && i + k < n; ++k) set(c[0], k, factors[static_cast<std::size_t>(i + k)]);
    batch_.update<blas::ThreeAxpys>(c, {of(i), of(i + 1), of(i + 2), &y});
  }
}

std::vector<KrylovBasis::Complex64> KrylovBasis::overlaps(int n, const Field& w) {
  std::vector<Complex64> all(static_cast<std::size_t>(n));
  for (int first = 0; first < n; first += dots_until_fetched) {
    const int end = std::min(n, first + dots_until_fetched);
    const auto of = [&](int i) { return &(*this)[std::min(i, end - 1)]; };
    std::vector<std::size_t> places;
    for (int i = first; i < end; i += 3)
      places.push_back(batch_.add_sums<blas::ThreeDots>(one(), {of(i), of(i + 1), of(i + 2), &w}));
    const auto sums = batch_.fetch_sums();
    for (int i = first; i < end; ++i) {
      const auto step = static_cast<std::size_t>(i - first);
      const double* d = &sums[places[step / 3] + 2 * (step % 3)];
      all[static_cast<std::size_t>(i)] = Complex64(d[0], d[1]);
    }
  }
  return all;
}

KrylovBasis::Projection KrylovBasis::orthogonalise(int n) {
  Field& w = (*this)[n];
  Projection result;
  result.overlap.resize(static_cast<std::size_t>(n));
  double before = result.before = result.norm = norm(w);
  for (int pass = 0; pass < most_passes && n > 0 && result.norm > 0; ++pass) {
    std::vector<Complex64> minus = overlaps(n, w);
    for (std::size_t i = 0; i < minus.size(); ++i) {
      result.overlap[i] += minus[i];
      minus[i] = -minus[i];
    }
    add(minus, n, w);
    result.norm = norm(w);
    if (pass > 0 && !(result.norm < much * before)) break;
    before = result.norm;
  }
  return result;
}

void KrylovBasis::rotate(const std::vector<Complex64>& s, int n, int kept, int first) {
  while (static_cast<int>(spare_.size()) < kept) spare_.emplace_back(geometry_, spec_);
  for (int i = 0; i < kept; ++i) {
    Field& to = spare_[static_cast<std::size_t>(i)];
    batch_.update<blas::Zero>(one(), {&to});
    const auto row = s.begin() + static_cast<std::ptrdiff_t>(i) * n;
    add({row, row + n}, n, to, first);
  }
  for (int i = 0; i < kept; ++i) std::swap((*this)[first + i], spare_[static_cast<std::size_t>(i)]);
}

}  // namespace plaq
