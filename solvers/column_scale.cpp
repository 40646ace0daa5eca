#include "solvers/column_scale.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/runs_dry.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq {
namespace {

// Norms within 2^-n .. 2^n are left alone. Numbers of a site are smaller by up to 2^20, those of residuals by
// the tolerance, and double precision holds their squares down to 2^-1022; single
// precision holds them down to 2^-126.
constexpr int range_of_double = 256, range_of_single = 32;
// A first factor 2^n or 2^-n, by which the norm of any column that is not 0 is found.
constexpr int towards_one = 600;

int range_of(Precision precision) {
  return precision == Precision::double_precision ? range_of_double : range_of_single;
}

std::vector<double> norms_of(const ProcessGrid& grid, blas::Workspace& work, const Field& b) {
  auto sums = blas::update_and_sum<blas::Norm>(
      work, std::vector<blas::Coefficients>(static_cast<std::size_t>(b.batch())), {&b});
  auto norms = global_sums(grid, sums);
  for (double& norm : norms) norm = std::sqrt(norm);
  return norms;
}

}  // namespace

ColumnScale::ColumnScale(const ProcessGrid& grid, const Queue& queue, const Field& b, Precision precision)
    : grid_(grid),
      queue_(queue),
      range_(range_of(precision)),
      exponents_(static_cast<std::size_t>(b.batch()), 0) {
  blas::Workspace work(queue, b.batch());
  scaled_norms_ = norms_ = norms_of(grid, work, b);
  const double least = std::ldexp(1.0, -range_), most = std::ldexp(1.0, range_);
  for (std::size_t i = 0; i < norms_.size(); ++i) {
    const double norm = by_data(norms_[i], 1.0);
    if (norm < least) exponents_[i] = towards_one;
    if (norm > most) exponents_[i] = -towards_one;
  }
  if (!any()) return;
  const std::vector<double> found = norms_of(grid, work, scaled(b));
  for (std::size_t i = 0; i < norms_.size(); ++i) {
    if (exponents_[i] == 0) continue;
    const bool ordinary = found[i] > 0 && std::isfinite(found[i]);
    if (ordinary) norms_[i] = std::ldexp(found[i], -exponents_[i]);
    const int more = ordinary ? -std::ilogb(found[i]) : -exponents_[i];
    exponents_[i] += more;
    scaled_norms_[i] = ordinary ? std::ldexp(found[i], more) : norms_[i];
  }
}

bool ColumnScale::any() const {
  return std::any_of(exponents_.begin(), exponents_.end(), [](int e) { return e != 0; });
}

Field ColumnScale::scaled(const Field& field) const {
  Field to(field.geometry_ptr(), field.spec());
  multiply(to, field, 1);
  return to;
}

Field ColumnScale::scaled_guess(const Field& x) const {
  Field guess = scaled(x);
  blas::Workspace work(queue_, x.batch());
  std::vector<blas::Coefficients> useless(exponents_.size());
  const std::vector<double> norms = norms_of(grid_, work, guess);
  for (std::size_t i = 0; i < norms.size(); ++i)
    useless[i].active = exponents_[i] != 0 && !(norms[i] <= std::ldexp(1.0, range_)) ? 1 : 0;
  blas::update<blas::Zero>(work, useless, {&guess});
  queue_.synchronize();
  return guess;
}

void ColumnScale::unscale(Field& to, const Field& from) const { multiply(to, from, -1); }

// In two steps: the power itself may be beyond the range of a double.
void ColumnScale::multiply(Field& to, const Field& from, int sign) const {
  blas::Workspace work(queue_, from.batch());
  std::vector<blas::Coefficients> first(exponents_.size()), second = first;
  for (std::size_t i = 0; i < exponents_.size(); ++i) {
    const int exponent = sign * exponents_[i], half = exponent / 2;
    first[i].value[0] = std::ldexp(1.0, half);
    second[i].value[0] = std::ldexp(1.0, exponent - half);
  }
  blas::update<blas::Scale>(work, first, {&from, &to});
  blas::update<blas::Scale>(work, second, {&to, &to});
  queue_.synchronize();
}

}  // namespace plaq
