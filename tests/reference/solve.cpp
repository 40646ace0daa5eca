#include "tests/reference/solve.hpp"

#include <stdexcept>
#include <utility>

#include "tests/reference/components.hpp"

namespace plaq::reference {

Solution solve(const Map& m, const Map& m_dagger, const SpinorField& b, double tolerance,
               int max_iterations) {
  auto [x, iterations, residual] =
      components::solve<SpinorField, Map>(m, m_dagger, b, tolerance, max_iterations);
  if (residual > tolerance) throw std::runtime_error("reference solve: the tolerance was missed");
  return {std::move(x), iterations, residual};
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
