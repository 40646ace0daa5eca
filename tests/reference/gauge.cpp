#include "tests/reference/gauge.hpp"

#include <algorithm>
#include <cmath>

namespace plaq::reference {

ColorMatrix project_su3(const ColorMatrix& a) {
  ColorMatrix u = a;
  const auto normalise = [&](int row) {
    double norm = 0.0;
    for (int k = 0; k < 3; ++k) norm += std::norm(u(row, k));
    for (int k = 0; k < 3; ++k) u(row, k) /= std::sqrt(norm);
  };
  normalise(0);
  for (int repeat = 0; repeat < 2; ++repeat) {  // the second removes what rounding left
    Complex overlap = 0.0;
    for (int k = 0; k < 3; ++k) overlap += std::conj(u(0, k)) * u(1, k);
    for (int k = 0; k < 3; ++k) u(1, k) -= overlap * u(0, k);
    normalise(1);
  }
  complete_rows(u);
  return u;
}

ColorMatrix random_su3(Generator& generator) {
  ColorMatrix a;
  for (auto& row : a.element)
    for (Complex& element : row) element = normal(generator);
  return project_su3(a);
}

ColorMatrix random_su3_near_unit(Generator& generator, double strength) {
  ColorMatrix a = ColorMatrix::unit();
  for (auto& row : a.element)
    for (Complex& element : row) element += strength * normal(generator);
  return project_su3(a);
}

GaugeField unit_gauge(const Lattice& lattice) {
  GaugeField gauge(lattice);
  for (auto& links : gauge.link) links.fill(ColorMatrix::unit());
  return gauge;
}

GaugeField random_gauge(const Lattice& lattice, Generator& generator) {
  GaugeField gauge(lattice);
  for (auto& links : gauge.link)
    for (ColorMatrix& u : links) u = random_su3(generator);
  return gauge;
}

GaugeField weak_gauge(const Lattice& lattice, Generator& generator, double strength) {
  GaugeField gauge(lattice);
  for (auto& links : gauge.link)
    for (ColorMatrix& u : links) u = random_su3_near_unit(generator, strength);
  return gauge;
}

GaugeTransformation random_transformation(const Lattice& lattice, Generator& generator) {
  GaugeTransformation g(lattice.volume());
  for (ColorMatrix& matrix : g) matrix = random_su3(generator);
  return g;
}

GaugeField transformed(const GaugeField& gauge, const GaugeTransformation& g) {
  const Lattice& lattice = gauge.lattice;
  GaugeField result(lattice);
  for (int x = 0; x < lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu)
      result.link[x][mu] = g[x] * gauge.link[x][mu] * dagger(g[lattice.forward(x, mu)]);
  return result;
}

ColorMatrix plaquette(const GaugeField& gauge, int site, int mu, int nu) {
  const auto& u = gauge.link;
  const int site_mu = gauge.lattice.forward(site, mu), site_nu = gauge.lattice.forward(site, nu);
  return u[site][mu] * u[site_mu][nu] * dagger(u[site_nu][mu]) * dagger(u[site][nu]);
}

PlaquetteAverages average_plaquette(const GaugeField& gauge) {
  const int volume = gauge.lattice.volume();
  long double spatial = 0.0L, temporal = 0.0L;
  for (int x = 0; x < volume; ++x)
    for (int nu = 1; nu < 4; ++nu)
      for (int mu = 0; mu < nu; ++mu)
        (nu == 3 ? temporal : spatial) += trace(plaquette(gauge, x, mu, nu)).real() / 3.0L;
  return {static_cast<double>((spatial + temporal) / (6.0L * volume)),
          static_cast<double>(spatial / (3.0L * volume)), static_cast<double>(temporal / (3.0L * volume))};
}

double link_trace(const GaugeField& gauge) {
  long double sum = 0.0L;
  for (const auto& links : gauge.link)
    for (const ColorMatrix& u : links) sum += trace(u).real() / 3.0L;
  return static_cast<double>(sum / (4.0L * gauge.lattice.volume()));
}

std::vector<ColorMatrix> polyakov_lines(const GaugeField& gauge) {
  const Lattice& lattice = gauge.lattice;
  std::vector<ColorMatrix> lines(static_cast<std::size_t>(lattice.volume() / lattice.extents[3]),
                                 ColorMatrix::unit());
  for (std::size_t start = 0; start < lines.size(); ++start)
    for (int t = 0, x = static_cast<int>(start); t < lattice.extents[3]; ++t, x = lattice.forward(x, 3))
      lines[start] = lines[start] * gauge.link[x][3];
  return lines;
}

Complex polyakov_loop(const GaugeField& gauge) {
  const auto lines = polyakov_lines(gauge);
  Complex sum = 0.0;
  for (const ColorMatrix& line : lines) sum += trace(line) / 3.0;
  return sum / static_cast<double>(lines.size());
}

GaugeTransformation temporal_transformation(const GaugeField& gauge) {
  const Lattice& lattice = gauge.lattice;
  GaugeTransformation g(static_cast<std::size_t>(lattice.volume()), ColorMatrix::unit());
  for (int x = 0; x < lattice.volume(); ++x)  // t is slowest: g(x) is there before it is used
    if (!lattice.wraps_forward(x, 3)) g[lattice.forward(x, 3)] = g[x] * gauge.link[x][3];
  return g;
}

GaugeField temporal_gauge(const GaugeField& gauge) {
  GaugeField fixed = transformed(gauge, temporal_transformation(gauge));
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    if (!gauge.lattice.wraps_forward(x, 3)) fixed.link[x][3] = ColorMatrix::unit();
  return fixed;
}

UnitarityViolation unitarity_violation(const ColorMatrix& link) {
  return {max_difference(link * dagger(link), ColorMatrix::unit()), std::abs(determinant(link) - 1.0)};
}

UnitarityViolation unitarity_violation(const GaugeField& gauge) {
  UnitarityViolation worst{0.0, 0.0};
  for (const auto& links : gauge.link)
    for (const ColorMatrix& u : links) {
      const UnitarityViolation violation = unitarity_violation(u);
      worst.unitarity = std::max(worst.unitarity, violation.unitarity);
      worst.determinant = std::max(worst.determinant, violation.determinant);
    }
  return worst;
}

ColorMatrix staple_sum(const GaugeField& gauge, int site, int mu) {
  const Lattice& lattice = gauge.lattice;
  const auto& u = gauge.link;
  const int site_mu = lattice.forward(site, mu);
  ColorMatrix sum;
  for (int nu = 0; nu < 4; ++nu) {
    if (nu == mu) continue;
    const int up = lattice.forward(site, nu), down = lattice.backward(site, nu);
    sum = sum + u[site_mu][nu] * dagger(u[up][mu]) * dagger(u[site][nu]);
    sum = sum + dagger(u[lattice.backward(site_mu, nu)][nu]) * dagger(u[down][mu]) * u[down][nu];
  }
  return sum;
}

}  // namespace plaq::reference
