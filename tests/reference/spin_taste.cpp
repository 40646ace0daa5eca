#include "tests/reference/spin_taste.hpp"

#include <algorithm>

#include "tests/reference/correlators.hpp"
#include "tests/reference/gamma.hpp"

namespace plaq::reference {
namespace {

ColorField hop(const GaugeField& gauge, const std::array<int, 4>& boundary, int mu, bool forward,
               const ColorField& in) {
  const Lattice& lattice = gauge.lattice;
  ColorField out(in.size());
  for (int x = 0; x < lattice.volume(); ++x) {
    const int y = forward ? lattice.forward(x, mu) : lattice.backward(x, mu);
    const bool wraps = forward ? lattice.wraps_forward(x, mu) : lattice.wraps_backward(x, mu);
    const ColorMatrix u = forward ? gauge.link[x][mu] : dagger(gauge.link[y][mu]);
    for (int a = 0; a < 3; ++a)
      for (int b = 0; b < 3; ++b)
        out[x][a] += static_cast<double>(wraps ? boundary[mu] : 1) * u(a, b) * in[y][b];
  }
  return out;
}

Exponents differences(const Exponents& spin, const Exponents& taste) {
  Exponents d{};
  for (int mu = 0; mu < 4; ++mu) d[mu] = spin[mu] ^ taste[mu];
  return d;
}

}  // namespace

SpinMatrix product_of_gammas(const Exponents& exponents) {
  SpinMatrix product = SpinMatrix::unit();
  for (int mu = 0; mu < 4; ++mu)
    for (int k = 0; k < exponents[mu]; ++k) product = product * gamma(mu);
  return product;
}

Complex spin_taste_phase(const Coordinates& x, const Exponents& spin, const Exponents& taste) {
  Exponents end = x;
  const Exponents d = differences(spin, taste);
  for (int mu = 0; mu < 4; ++mu) end[mu] += d[mu];
  return 0.25 * trace(dagger(product_of_gammas(x)) * product_of_gammas(spin) * product_of_gammas(end) *
                      dagger(product_of_gammas(taste)));
}

ColorField symmetric_shift(const GaugeField& gauge, const std::array<int, 4>& boundary, const Exponents& d,
                           const ColorField& in) {
  std::vector<int> directions;
  for (int mu = 0; mu < 4; ++mu)
    if (d[mu] != 0) directions.push_back(mu);
  const int hops = static_cast<int>(directions.size());
  ColorField sum(in.size());
  double paths = 0;
  do {
    for (int signs = 0; signs < 1 << hops; ++signs) {
      ColorField end = in;
      for (int i = 0; i < hops; ++i) end = hop(gauge, boundary, directions[i], (signs >> i & 1) != 0, end);
      add(sum, 1.0, end);
      ++paths;
    }
  } while (std::next_permutation(directions.begin(), directions.end()));
  for (auto& site : sum)
    for (Complex& z : site) z /= paths;
  return sum;
}

ColorField times(const ComplexDense& matrix, const ColorField& in) {
  ColorField out(in.size());
  for (int j = 0; j < matrix.size(); ++j) {
    if (in[j / 3][j % 3] == Complex(0)) continue;
    for (int i = 0; i < matrix.size(); ++i) out[i / 3][i % 3] += matrix(i, j) * in[j / 3][j % 3];
  }
  return out;
}

std::vector<Complex> taste_meson(const ComplexDense& inverse, const GaugeField& gauge,
                                 const std::array<int, 4>& boundary, const Exponents& spin,
                                 const Exponents& taste, const std::array<int, 3>& n,
                                 const Coordinates& source) {
  const Lattice& lattice = gauge.lattice;
  const Exponents d = differences(spin, taste);
  const SpinMatrix matrix = product_of_gammas(spin);
  const Complex sign = -0.25 * trace(gamma(3) * matrix * gamma(3) * dagger(matrix));
  const int at = lattice.index(source);
  std::vector<Complex> c(lattice.extents[3]);
  for (int color = 0; color < 3; ++color) {
    ColorField b(lattice.volume());
    b[at][color] = std::conj(spin_taste_phase(source, spin, taste));
    const ColorField x =
        symmetric_shift(gauge, boundary, d, times(inverse, symmetric_shift(gauge, boundary, d, b)));
    for (int site = 0; site < lattice.volume(); ++site)
      for (int a = 0; a < 3; ++a)
        c[lattice.slices_from(source, site)] += sign * phase(lattice, n, site, source) *
                                                spin_taste_phase(lattice.coordinates(site), spin, taste) *
                                                x[site][a] * inverse(3 * at + color, 3 * site + a);
  }
  return c;
}

}  // namespace plaq::reference
