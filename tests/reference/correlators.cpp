#include "tests/reference/correlators.hpp"

#include <cmath>

#include "tests/reference/bytes.hpp"
#include "tests/reference/gamma.hpp"

namespace plaq::reference {
namespace {

// All permutations of three colors with their signs.
struct Order {
  int a, b, c;
  double sign;
};
constexpr Order orders[] = {{0, 1, 2, 1},  {1, 2, 0, 1},  {2, 0, 1, 1},
                            {0, 2, 1, -1}, {2, 1, 0, -1}, {1, 0, 2, -1}};

// < chi_g(x) chibar_h > from the contractions of u_a u_c with ubar_c' ubar_a':
//   eps eps' G_{al,be} Gbar_{de,rh} D_{b be, b' de} (U_{c g, c' h} U_{a al, a' rh} - U_{a al, c' h} U_{c g,
//   a' rh})
// with G = C gamma5, Gbar = gamma_t G^dagger gamma_t^T.
SpinMatrix nucleon(const Matrix12& up, const Matrix12& down) {
  const SpinMatrix g = gamma(3) * gamma(1) * gamma5();
  SpinMatrix time_transposed;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) time_transposed(i, j) = gamma(3)(j, i);
  const SpinMatrix gbar = gamma(3) * dagger(g) * time_transposed;
  const auto u = [&](int spin, int color, int source_spin, int source_color) {
    return up(3 * spin + color, 3 * source_spin + source_color);
  };
  SpinMatrix result;
  for (const Order& o : orders)
    for (const Order& p : orders)
      for (int al = 0; al < 4; ++al)
        for (int be = 0; be < 4; ++be)
          for (int de = 0; de < 4; ++de)
            for (int rh = 0; rh < 4; ++rh) {
              const Complex factor =
                  o.sign * p.sign * g(al, be) * gbar(de, rh) * down(3 * be + o.b, 3 * de + p.b);
              if (factor == 0.0) continue;
              for (int i = 0; i < 4; ++i)
                for (int j = 0; j < 4; ++j)
                  result(i, j) += factor * (u(i, o.c, j, p.c) * u(al, o.a, rh, p.a) -
                                            u(al, o.a, j, p.c) * u(i, o.c, rh, p.a));
            }
  return result;
}

}  // namespace

Matrix12 spin_times_unit(const SpinMatrix& spin) {
  Matrix12 m;
  for (int s = 0; s < 4; ++s)
    for (int r = 0; r < 4; ++r)
      for (int color = 0; color < 3; ++color) m(3 * s + color, 3 * r + color) = spin(s, r);
  return m;
}

Matrix12 at_site(const Propagator& columns, int site) {
  Matrix12 m;
  for (int row = 0; row < 12; ++row)
    for (int column = 0; column < 12; ++column) m(row, column) = columns[column][site][row / 3][row % 3];
  return m;
}

Propagator random_propagator(const Lattice& lattice, Generator& generator) {
  Propagator columns;
  for (SpinorField& column : columns) column = random_spinor(lattice, generator);
  return columns;
}

Complex phase(const Lattice& lattice, const std::array<int, 3>& n, int site, const Coordinates& source) {
  const auto p = lattice.momentum({1, 1, 1, 1}, {-n[0], -n[1], -n[2], 0});
  return std::polar(1.0, lattice.angle(p, site, source));
}

CorrelatorInTime meson(const Lattice& lattice, const Propagator& s1, const Propagator& s2,
                       const SpinMatrix& sink, const SpinMatrix& source_gamma, const std::array<int, 3>& n,
                       const Coordinates& source) {
  CorrelatorInTime c(lattice.extents[3]);
  const Matrix12 left = spin_times_unit(sink), middle = spin_times_unit(source_gamma * gamma5()),
                 right = spin_times_unit(gamma5());
  for (int site = 0; site < lattice.volume(); ++site)
    c[lattice.slices_from(source, site)] +=
        phase(lattice, n, site, source) *
        trace(left * at_site(s1, site) * middle * dagger(at_site(s2, site)) * right);
  return c;
}

CorrelatorInTime proton(const Lattice& lattice, const Propagator& up, const Propagator& down,
                        const SpinMatrix& projector, const std::array<int, 3>& n, const Coordinates& source,
                        int boundary) {
  CorrelatorInTime c(lattice.extents[3]);
  for (int site = 0; site < lattice.volume(); ++site) {
    const double sign = lattice.coordinates(site)[3] < source[3] ? boundary : 1;
    c[lattice.slices_from(source, site)] +=
        sign * phase(lattice, n, site, source) *
        trace(projector * nucleon(at_site(up, site), at_site(down, site)));
  }
  return c;
}

std::vector<double> free_pion(const WilsonParameters& parameters, const Lattice& lattice) {
  const auto& extents = lattice.extents;
  const int space = extents[0] * extents[1] * extents[2];
  std::vector<double> c(extents[3]);
  for (int k = 0; k < space; ++k) {
    std::vector<SpinMatrix> in_time(extents[3]);  // S(p, t)
    for (int k4 = 0; k4 < extents[3]; ++k4) {
      Coordinates n = lattice.coordinates(k);
      n[3] = k4;
      const auto p = momentum(parameters, lattice, n);
      // M = A + i sum_mu B_mu gamma_mu, hence M^-1 = (A - i B gamma) / (A^2 + B^2) = M^dagger / (A^2 + B^2).
      const SpinMatrix m = wilson_symbol(parameters, p);
      const double square = trace(m * dagger(m)).real() / 4;
      for (int t = 0; t < extents[3]; ++t)
        in_time[t] = in_time[t] + std::polar(1.0 / (square * extents[3]), p[3] * t) * dagger(m);
    }
    for (int t = 0; t < extents[3]; ++t) c[t] += 3 * trace(in_time[t] * dagger(in_time[t])).real() / space;
  }
  return c;
}

GaugeField read_big_endian_links(const std::string& path, const Lattice& lattice, long offset) {
  const std::string bytes = file_bytes(path);
  NumberReader reader{bytes, static_cast<std::size_t>(offset), 8, true};
  GaugeField gauge(lattice);
  for (auto& site : gauge.link)
    for (ColorMatrix& u : site) u = reader.next_matrix();
  return gauge;
}

}  // namespace plaq::reference
