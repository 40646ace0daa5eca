// Spin matrices as Python has them: linear combinations of products of Euclidean
// gamma matrices, DeGrand-Rossi basis.
#pragma once

#include <nanobind/nanobind.h>

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "plaq/correlators.hpp"

namespace plaq::python {

class SpinMatrix {
 public:
  using Number = std::complex<double>;
  /// Coefficients of the products of gamma_mu in the order x, y, z, t; bit mu of the
  /// index says that gamma_mu is there.
  using Coefficients = std::array<Number, 16>;

  SpinMatrix() = default;
  /// Throws Error(usage) where a coefficient is not finite.
  explicit SpinMatrix(const Coefficients& coefficients);
  static SpinMatrix product_of(unsigned gammas);

  const Coefficients& coefficients() const { return coefficients_; }
  bool operator==(const SpinMatrix&) const = default;

  /// [row][column]
  std::array<Number, 16> matrix() const;
  /// "0.5 * identity + 0.5 * gamma(3)"
  std::string text() const;

 private:
  Coefficients coefficients_{};
};

SpinMatrix operator+(const SpinMatrix& a, const SpinMatrix& b);
SpinMatrix operator*(const SpinMatrix& a, const SpinMatrix& b);
SpinMatrix operator*(const SpinMatrix::Number& a, const SpinMatrix& b);

/// The terms of a meson with these matrices at sink and source.
std::vector<SpinStructure> structures_of(const SpinMatrix& sink, const SpinMatrix& source);

void bind_gamma(nanobind::module_& module);

}  // namespace plaq::python
