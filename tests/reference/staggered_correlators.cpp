#include "tests/reference/staggered_correlators.hpp"

#include <functional>
#include <stdexcept>

#include "tests/reference/components.hpp"
#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"

namespace plaq::reference {
namespace {

ColorField solved(const StaggeredParameters& parameters, const StaggeredLinks& links, const ColorField& b) {
  using Map = std::function<ColorField(const ColorField&)>;
  const auto solution = components::solve<ColorField, Map>(
      [&](const ColorField& v) { return staggered(parameters, links, v); },
      [&](const ColorField& v) { return staggered(parameters, links, v, true); }, b, 1e-13, 20000);
  if (solution.residual > 1e-13)
    throw std::runtime_error("reference staggered solve: the tolerance was missed");
  return solution.x;
}

double sign_of(const std::array<int, 3>& signs, const Coordinates& r) {
  int sum = 0;
  for (int k = 0; k < 3; ++k) sum += signs[k] * r[k];
  return sum % 2 == 0 ? 1.0 : -1.0;
}

}  // namespace

ColorPropagator staggered_propagator(const StaggeredParameters& parameters, const StaggeredLinks& links,
                                     const std::vector<Complex>& source) {
  ColorPropagator columns;
  for (int color = 0; color < 3; ++color) {
    ColorField b(source.size());
    for (std::size_t x = 0; x < b.size(); ++x) b[x][color] = source[x];
    columns[color] = solved(parameters, links, b);
  }
  return columns;
}

ColorPropagator staggered_propagator(const StaggeredParameters& parameters, const StaggeredLinks& links,
                                     int source_site) {
  std::vector<Complex> source(links.near.lattice.volume());
  source[source_site] = 1.0;
  return staggered_propagator(parameters, links, source);
}

ComplexDense dense_inverse(const StaggeredParameters& parameters, const StaggeredLinks& links) {
  const int volume = links.near.lattice.volume();
  ComplexDense m(3 * volume);
  for (int column = 0; column < 3 * volume; ++column) {
    ColorField unit(volume);
    unit[column / 3][column % 3] = 1.0;
    const ColorField out = staggered(parameters, links, unit);
    for (int row = 0; row < 3 * volume; ++row) m(row, column) = out[row / 3][row % 3];
  }
  return m.inverse();
}

ColorPropagator dense_propagator(const StaggeredParameters& parameters, const StaggeredLinks& links,
                                 int source_site) {
  const int volume = links.near.lattice.volume();
  const ComplexDense inverse = dense_inverse(parameters, links);
  ColorPropagator columns;
  for (int color = 0; color < 3; ++color) {
    columns[color].resize(volume);
    for (int row = 0; row < 3 * volume; ++row)
      columns[color][row / 3][row % 3] = inverse(row, 3 * source_site + color);
  }
  return columns;
}

Complex spin_taste_phase(const Coordinates& x, const SpinMatrix& spin_taste) {
  SpinMatrix omega = SpinMatrix::unit();
  for (int mu = 0; mu < 4; ++mu)
    for (int k = 0; k < x[mu]; ++k) omega = omega * gamma(mu);
  return 0.25 * trace(dagger(omega) * spin_taste * omega * dagger(spin_taste));
}

std::vector<Complex> staggered_meson(const Lattice& lattice, const ColorPropagator& s,
                                     const std::vector<std::array<int, 3>>& signs,
                                     const std::array<int, 3>& n, const Coordinates& source) {
  std::vector<Complex> c(lattice.extents[3]);
  for (int site = 0; site < lattice.volume(); ++site) {
    double square = 0, phi = 0;
    for (const ColorField& column : s)
      for (const Complex& z : column[site]) square += std::norm(z);
    Coordinates r = lattice.coordinates(site);
    for (int k = 0; k < 3; ++k) r[k] -= source[k];
    for (const auto& one : signs) phi += sign_of(one, r);
    c[lattice.slices_from(source, site)] += phase(lattice, n, site, source) * phi * square;
  }
  return c;
}

std::vector<Complex> staggered_meson(const Lattice& lattice, const ColorPropagator& s1,
                                     const ColorPropagator& s2, const std::vector<std::array<int, 3>>& signs,
                                     const std::array<int, 3>& n, const Coordinates& source) {
  std::vector<Complex> c(lattice.extents[3]);
  for (int site = 0; site < lattice.volume(); ++site) {
    Complex product = 0;
    for (int b = 0; b < 3; ++b)
      for (int a = 0; a < 3; ++a) product += s1[b][site][a] * std::conj(s2[b][site][a]);
    double phi = 0;
    Coordinates r = lattice.coordinates(site);
    for (int k = 0; k < 3; ++k) r[k] -= source[k];
    for (const auto& one : signs) phi += sign_of(one, r);
    c[lattice.slices_from(source, site)] += phase(lattice, n, site, source) * phi * product;
  }
  return c;
}

std::vector<Complex> staggered_nucleon(const Lattice& lattice, const ColorPropagator& s,
                                       const std::array<int, 3>& n, const Coordinates& source,
                                       int time_boundary) {
  return staggered_nucleon(lattice, {&s, &s, &s}, n, source, time_boundary);
}

std::vector<Complex> staggered_nucleon(const Lattice& lattice,
                                       const std::array<const ColorPropagator*, 3>& quarks,
                                       const std::array<int, 3>& n, const Coordinates& source,
                                       int time_boundary) {
  const ColorPropagator &u = *quarks[0], &d = *quarks[1], &s = *quarks[2];
  struct Term {
    int a, b, c;
    double sign;
  };
  const Term terms[] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                        {0, 2, 1, -1}, {2, 1, 0, -1}, {1, 0, 2, -1}};
  std::vector<Complex> c(lattice.extents[3]);
  for (int site = 0; site < lattice.volume(); ++site) {
    const Coordinates x = lattice.coordinates(site);
    bool even = true;
    for (int k = 0; k < 3; ++k) even = even && (x[k] - source[k]) % 2 == 0;
    if (!even) continue;
    Complex sum = 0;
    for (const Term& sink : terms)
      for (const Term& at : terms)
        sum += sink.sign * at.sign * u[at.a][site][sink.a] * d[at.b][site][sink.b] * s[at.c][site][sink.c];
    const int t = lattice.slices_from(source, site);
    double sign = x[3] < source[3] ? time_boundary : 1;
    for (int k = 0; k < 3; ++k)
      if (source[k] % 2 != 0 && t % 2 != 0) sign = -sign;
    c[t] += sign * phase(lattice, n, site, source) * sum;
  }
  return c;
}

std::vector<double> free_staggered_meson(const StaggeredParameters& parameters, const Lattice& lattice,
                                         const std::vector<std::array<int, 3>>& signs) {
  std::vector<Complex> g(lattice.volume());
  for (int k = 0; k < lattice.volume(); ++k) {
    const auto p = staggered_momentum(parameters, lattice, lattice.coordinates(k));
    double square = parameters.mass * parameters.mass;
    for (const double sine : staggered_sines(parameters, p)) square += sine * sine;
    for (int site = 0; site < lattice.volume(); ++site)
      g[site] += std::polar(1.0 / (square * lattice.volume()), lattice.angle(p, site));
  }
  const auto neighbor = [&](int site, int mu, bool ahead) {
    const bool wraps = ahead ? lattice.wraps_forward(site, mu) : lattice.wraps_backward(site, mu);
    const Complex z = g[ahead ? lattice.forward(site, mu) : lattice.backward(site, mu)];
    return wraps ? static_cast<double>(parameters.boundary[mu]) * z : z;
  };
  std::vector<double> c(lattice.extents[3]);
  for (int site = 0; site < lattice.volume(); ++site) {
    Complex s = parameters.mass * g[site];
    for (int mu = 0; mu < 4; ++mu)
      s -= 0.5 * eta(lattice, site, mu) * (neighbor(site, mu, true) - neighbor(site, mu, false));
    const Coordinates x = lattice.coordinates(site);
    double phi = 0;
    for (const auto& one : signs) phi += sign_of(one, x);
    c[x[3]] += 3 * phi * std::norm(s);
  }
  return c;
}

StaggeredLinks moved(const StaggeredLinks& links, int nu) {
  const Lattice& lattice = links.near.lattice;
  StaggeredLinks result = links;
  for (int x = 0; x < lattice.volume(); ++x) {
    result.near.link[lattice.forward(x, nu)] = links.near.link[x];
    result.far.link[lattice.forward(x, nu)] = links.far.link[x];
  }
  return result;
}

}  // namespace plaq::reference
