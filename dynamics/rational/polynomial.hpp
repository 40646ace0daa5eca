// Polynomials c_0 + c_1 x + ... in numbers of any precision: values, interpolation, real roots.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

namespace plaq {

template <class Number>
struct Polynomial {
  std::vector<Number> c;  // c[i]: coefficient of x^i

  /// The polynomial of degree n through n + 1 points (x, y), by Newton's divided differences.
  static Polynomial through(const std::vector<Number>& x, std::vector<Number> y) {
    const std::size_t n = x.size();
    for (std::size_t order = 1; order < n; ++order)
      for (std::size_t i = n - 1; i >= order; --i) y[i] = (y[i] - y[i - 1]) / (x[i] - x[i - order]);
    Polynomial p{std::vector<Number>(n, Number(0))};
    for (std::size_t i = n; i-- > 0;) {  // p = p (x - x_i) + y_i
      for (std::size_t k = n - 1; k > 0; --k) p.c[k] = p.c[k - 1] - x[i] * p.c[k];
      p.c[0] = y[i] - x[i] * p.c[0];
    }
    return p;
  }

  struct Values {
    Number value, first, half_second;  // p, p', p''/2
  };
  Values at(const Number& x) const {
    Values v{Number(0), Number(0), Number(0)};
    for (std::size_t i = c.size(); i-- > 0;) {
      v.half_second = v.half_second * x + v.first;
      v.first = v.first * x + v.value;
      v.value = v.value * x + c[i];
    }
    return v;
  }

  /// p/(x - root).
  Polynomial without(const Number& root) const {
    Polynomial q{std::vector<Number>(c.size() - 1)};
    Number carried = 0;
    for (std::size_t i = c.size() - 1; i > 0; --i) q.c[i - 1] = carried = carried * root + c[i];
    return q;
  }

  /// All roots, from 0 down, if they are real, negative and distinct; otherwise nothing.
  std::optional<std::vector<Number>> negative_roots() const {
    std::vector<Number> roots;
    Polynomial left = *this;
    while (left.c.size() > 1) {
      const std::optional<Number> root = left.first_root();
      if (!root || !(*root < 0) || (!roots.empty() && !(*root < roots.back()))) return std::nullopt;
      roots.push_back(*root);
      left = left.without(*root);
    }
    return roots;
  }

 private:
  // Laguerre's method from 0 down. If all roots are real it converges to the largest one below, from above,
  // and cubically: a step of half the digits is the last one.
  std::optional<Number> first_root() const {
    using std::abs, std::sqrt;
    const int n = static_cast<int>(c.size()) - 1;
    const Number half_digits = sqrt(std::numeric_limits<Number>::epsilon());
    Number x = 0;
    for (int step = 0; step < 200; ++step) {
      const Values p = at(x);
      if (p.value == 0) return x;
      const Number g = p.first / p.value, h = g * g - 2 * p.half_second / p.value;
      const Number square = (n - 1) * (n * h - g * g);
      if (square < -half_digits * g * g) return std::nullopt;  // some roots are not real
      const Number root = square > 0 ? sqrt(square) : Number(0);
      const Number divisor = g < 0 ? Number(g - root) : Number(g + root);
      if (divisor == 0) return std::nullopt;
      const Number change = n / divisor;
      x -= change;
      if (abs(change) <= half_digits * abs(x)) return x;
    }
    return std::nullopt;
  }
};

}  // namespace plaq
