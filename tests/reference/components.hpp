// Sums over the components of fields, whatever a site has of them: arrays of complex numbers in one another.
#pragma once

#include <array>
#include <vector>

#include "tests/reference/random.hpp"

namespace plaq::reference::components {

inline void add(Complex& y, Complex a, const Complex& x) { y += a * x; }
template <class Container>
void add(Container& y, Complex a, const Container& x) {
  for (std::size_t i = 0; i < y.size(); ++i) add(y[i], a, x[i]);
}

struct Sum {
  long double re = 0.0L, im = 0.0L;
};
inline void dot(Sum& sum, const Complex& a, const Complex& b) {
  const Complex product = std::conj(a) * b;
  sum.re += product.real();
  sum.im += product.imag();
}
template <class Container>
void dot(Sum& sum, const Container& a, const Container& b) {
  for (std::size_t i = 0; i < a.size(); ++i) dot(sum, a[i], b[i]);
}
template <class Field>
Complex dot(const Field& a, const Field& b) {
  Sum sum;
  dot(sum, a, b);
  return {static_cast<double>(sum.re), static_cast<double>(sum.im)};
}

inline void fill_normal(Complex& z, Generator& generator) { z = normal(generator); }
template <class Container>
void fill_normal(Container& all, Generator& generator) {
  for (auto& part : all) fill_normal(part, generator);
}

// Conjugate gradients on M^dagger M x = M^dagger b; each round starts from the true residual, so that what
// the recurrence lost comes back. The residual ||b - M x|| / ||b||; more than
// the tolerance when it is missed.
template <class Field>
struct Solved {
  Field x;
  int iterations = 0;
  double residual = 0.0;
};
template <class Field, class Map>
Solved<Field> solve(const Map& m, const Map& m_dagger, const Field& b, double tolerance, int max_iterations) {
  const auto norm = [](const Field& f) { return std::sqrt(dot(f, f).real()); };
  const double b_norm = norm(b);
  Solved<Field> solved{Field(b.size())};
  if (b_norm == 0.0) return solved;
  for (int round = 0; round < 10; ++round) {
    Field r = b;
    add(r, -1.0, m(solved.x));
    solved.residual = norm(r) / b_norm;
    if (solved.residual <= tolerance) break;
    Field s = m_dagger(r), p = s;
    double s_norm = dot(s, s).real();
    while (norm(r) / b_norm > 0.5 * tolerance && solved.iterations < max_iterations) {
      const Field q = m(p);
      const double alpha = s_norm / dot(q, q).real();
      add(solved.x, alpha, p);
      add(r, -alpha, q);
      s = m_dagger(r);
      const double before = s_norm;
      s_norm = dot(s, s).real();
      Field next = s;
      add(next, s_norm / before, p);
      p = std::move(next);
      ++solved.iterations;
    }
  }
  return solved;
}

}  // namespace plaq::reference::components
