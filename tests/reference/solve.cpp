#include "tests/reference/solve.hpp"

#include <cmath>
#include <stdexcept>
#include <utility>

namespace plaq::reference {

Solution solve(const Map& m, const Map& m_dagger, const SpinorField& b, double tolerance,
               int max_iterations) {
  const double b_norm = std::sqrt(norm_squared(b));
  Solution solution{SpinorField(b.size()), 0, 0.0};
  if (b_norm == 0.0) return solution;

  // Each round starts from the true residual, so that what the recurrence lost comes back.
  for (int round = 0; round < 10; ++round) {
    SpinorField r = b;
    add(r, -1.0, m(solution.x));
    solution.residual = std::sqrt(norm_squared(r)) / b_norm;
    if (solution.residual <= tolerance) return solution;

    SpinorField s = m_dagger(r);
    SpinorField p = s;
    double s_norm = norm_squared(s);
    while (std::sqrt(norm_squared(r)) / b_norm > 0.5 * tolerance && solution.iterations < max_iterations) {
      const SpinorField q = m(p);
      const double alpha = s_norm / norm_squared(q);
      add(solution.x, alpha, p);
      add(r, -alpha, q);
      s = m_dagger(r);
      const double s_norm_before = s_norm;
      s_norm = norm_squared(s);
      SpinorField next = s;
      add(next, s_norm / s_norm_before, p);
      p = std::move(next);
      ++solution.iterations;
    }
  }
  throw std::runtime_error("reference solve: the tolerance was missed");
}

Solution solve(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& b,
               double tolerance, int max_iterations) {
  return solve([&](const SpinorField& v) { return wilson(parameters, gauge, v); },
               [&](const SpinorField& v) { return wilson_dagger(parameters, gauge, v); }, b, tolerance,
               max_iterations);
}

Propagator propagator(const WilsonParameters& parameters, const GaugeField& gauge, int source_site,
                      double tolerance) {
  Propagator columns;
  for (int spin = 0; spin < 4; ++spin)
    for (int color = 0; color < 3; ++color)
      columns[3 * spin + color] =
          solve(parameters, gauge, point_source(gauge.lattice, source_site, spin, color), tolerance).x;
  return columns;
}

std::vector<double> pion_correlator(const Lattice& lattice, const Propagator& columns) {
  std::vector<long double> sum(lattice.extents[3], 0.0L);
  for (const SpinorField& column : columns)
    for (int x = 0; x < lattice.volume(); ++x)
      for (const auto& spin : column[x])
        for (const Complex& color : spin) sum[lattice.coordinates(x)[3]] += std::norm(color);
  return {sum.begin(), sum.end()};
}

}  // namespace plaq::reference
