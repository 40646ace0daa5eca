// Dense matrices of any size, and their inverses by Gauss-Jordan elimination with pivots.
#pragma once

#include <algorithm>
#include <cmath>
#include <complex>
#include <stdexcept>
#include <vector>

namespace plaq::reference {

// sum + a b; of complex numbers without the care for infinities that std::complex takes.
inline double plus_product(double sum, double a, double b) { return sum + a * b; }
inline std::complex<double> plus_product(const std::complex<double>& sum, const std::complex<double>& a,
                                         const std::complex<double>& b) {
  return {sum.real() + (a.real() * b.real() - a.imag() * b.imag()),
          sum.imag() + (a.real() * b.imag() + a.imag() * b.real())};
}

template <class T>
class Dense {
 public:
  explicit Dense(int size)
      : size_(size), element_(static_cast<std::size_t>(size) * static_cast<std::size_t>(size)) {}
  static Dense diagonal(const std::vector<double>& d) {
    Dense m(static_cast<int>(d.size()));
    for (int i = 0; i < m.size_; ++i) m(i, i) = d[static_cast<std::size_t>(i)];
    return m;
  }
  static Dense unit(int size) { return diagonal(std::vector<double>(static_cast<std::size_t>(size), 1.0)); }

  int size() const { return size_; }
  T& operator()(int i, int j) { return element_[place(i, j)]; }
  const T& operator()(int i, int j) const { return element_[place(i, j)]; }

  friend Dense operator+(Dense a, const Dense& b) {
    for (std::size_t k = 0; k < a.element_.size(); ++k) a.element_[k] += b.element_[k];
    return a;
  }
  friend Dense operator*(double f, Dense a) {
    for (T& e : a.element_) e *= f;
    return a;
  }
  friend Dense operator-(const Dense& a, const Dense& b) { return a + (-1.0) * b; }
  friend Dense operator*(const Dense& a, const Dense& b) {
    Dense product(a.size_);
    for (int i = 0; i < a.size_; ++i)
      for (int k = 0; k < a.size_; ++k) {
        const T f = a(i, k);
        for (int j = 0; j < a.size_; ++j) product(i, j) = plus_product(product(i, j), f, b(k, j));
      }
    return product;
  }
  Dense transposed() const {
    Dense t(size_);
    for (int i = 0; i < size_; ++i)
      for (int j = 0; j < size_; ++j) t(j, i) = (*this)(i, j);
    return t;
  }

  Dense inverse() const {
    Dense a = *this, inverse = unit(size_);
    for (int column = 0; column < size_; ++column) {
      int pivot = column;
      for (int i = column; i < size_; ++i)
        if (std::abs(a(i, column)) > std::abs(a(pivot, column))) pivot = i;
      if (std::abs(a(pivot, column)) == 0) throw std::runtime_error("a singular matrix has no inverse");
      for (int j = 0; j < size_; ++j) {
        std::swap(a(column, j), a(pivot, j));
        std::swap(inverse(column, j), inverse(pivot, j));
      }
      const T scale = T(1) / a(column, column);
      for (int j = 0; j < size_; ++j) {
        a(column, j) *= scale;
        inverse(column, j) *= scale;
      }
      for (int i = 0; i < size_; ++i) {
        const T f = a(i, column);
        if (i == column || f == T(0)) continue;
        for (int j = 0; j < size_; ++j) {
          a(i, j) = plus_product(a(i, j), -f, a(column, j));
          inverse(i, j) = plus_product(inverse(i, j), -f, inverse(column, j));
        }
      }
    }
    return inverse;
  }

 private:
  std::size_t place(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size_) + static_cast<std::size_t>(j);
  }
  int size_;
  std::vector<T> element_;
};

using RealDense = Dense<double>;
using ComplexDense = Dense<std::complex<double>>;

// Eigenvalues of a Hermitian matrix, ascending, by Jacobi's rotations.
inline std::vector<double> hermitian_eigenvalues(ComplexDense a) {
  const int n = a.size();
  const auto off_diagonal = [&] {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < i; ++j) sum += std::norm(a(i, j));
    return std::sqrt(sum);
  };
  for (int sweep = 0; sweep < 40 && off_diagonal() > 1e-13; ++sweep)
    for (int p = 0; p < n; ++p)
      for (int q = p + 1; q < n; ++q) {
        const double size = std::abs(a(p, q));
        if (size < 1e-300) continue;
        const double tau = (a(q, q).real() - a(p, p).real()) / (2 * size);
        const double t = (tau < 0 ? -1 : 1) / (std::abs(tau) + std::sqrt(1 + tau * tau));
        const double c = 1 / std::sqrt(1 + t * t);
        const std::complex<double> s = t * c * a(p, q) / size;
        for (int i = 0; i < n; ++i) {
          const auto left = a(i, p), right = a(i, q);
          a(i, p) = c * left - std::conj(s) * right;
          a(i, q) = s * left + c * right;
        }
        for (int i = 0; i < n; ++i) {
          const auto upper = a(p, i), lower = a(q, i);
          a(p, i) = c * upper - s * lower;
          a(q, i) = std::conj(s) * upper + c * lower;
        }
      }
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(a(i, i).real());
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace plaq::reference
