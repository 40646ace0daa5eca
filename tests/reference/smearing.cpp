#include "tests/reference/smearing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

namespace plaq::reference {
namespace {

using Real = long double;
using Wide = std::complex<Real>;
using WideMatrix = Matrix<3, Wide>;

WideMatrix widened(const ColorMatrix& a) {
  WideMatrix w;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) w(i, j) = Wide(a(i, j).real(), a(i, j).imag());
  return w;
}

ColorMatrix rounded(const WideMatrix& w) {
  ColorMatrix a;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      a(i, j) = {static_cast<double>(w(i, j).real()), static_cast<double>(w(i, j).imag())};
  return a;
}

}  // namespace

ColorMatrix exponential(const ColorMatrix& a) {
  WideMatrix scaled = widened(a);
  Real norm = 0;
  for (const auto& row : scaled.element)
    for (const Wide& z : row) norm += std::norm(z);
  int squarings = 0;
  for (Real size = std::sqrt(norm); size > 0.5L; size /= 2) ++squarings;
  scaled = Wide(std::ldexp(Real(1), -squarings)) * scaled;
  WideMatrix sum = WideMatrix::unit(), term = sum;
  for (int n = 1; n <= 30; ++n) {
    term = Wide(Real(1) / n) * (term * scaled);
    sum = sum + term;
  }
  for (int k = 0; k < squarings; ++k) sum = sum * sum;
  return rounded(sum);
}

namespace {

WideMatrix unitary_factor(const ColorMatrix& v, double* ratio) {
  // Rotate columns until they are orthogonal: a = v r, r unitary; then W = (a / its column norms) r^dagger.
  WideMatrix a = widened(v), r = WideMatrix::unit();
  bool orthogonal = false;
  for (int sweep = 0; sweep < 40 && !orthogonal; ++sweep) {
    orthogonal = true;
    for (int p = 0; p < 2; ++p)
      for (int q = p + 1; q < 3; ++q) {
        Real pp = 0, qq = 0;
        Wide pq = 0;
        for (int i = 0; i < 3; ++i) {
          pp += std::norm(a(i, p));
          qq += std::norm(a(i, q));
          pq += std::conj(a(i, p)) * a(i, q);
        }
        const Real size = std::abs(pq);
        if (size <= 4e-19L * std::sqrt(pp * qq)) continue;
        orthogonal = false;
        const Wide phase = pq / size;
        const Real zeta = (qq - pp) / (2 * size);
        const Real t = (zeta >= 0 ? 1 : -1) / (std::abs(zeta) + std::sqrt(1 + zeta * zeta));
        const Real c = 1 / std::sqrt(1 + t * t), s = c * t;
        for (WideMatrix* m : {&a, &r})
          for (int i = 0; i < 3; ++i) {
            const Wide x = (*m)(i, p), y = std::conj(phase) * (*m)(i, q);
            (*m)(i, p) = c * x - s * y;
            (*m)(i, q) = s * x + c * y;
          }
      }
  }
  Real least = 1e4000L, most = 0;
  for (int j = 0; j < 3; ++j) {
    Real norm = 0;
    for (int i = 0; i < 3; ++i) norm += std::norm(a(i, j));
    norm = std::sqrt(norm);
    least = std::min(least, norm);
    most = std::max(most, norm);
    for (int i = 0; i < 3; ++i) a(i, j) /= norm;
  }
  if (ratio != nullptr) *ratio = static_cast<double>(least / most);
  return a * dagger(r);
}

}  // namespace

ColorMatrix polar_u3(const ColorMatrix& v, double* ratio) { return rounded(unitary_factor(v, ratio)); }

ColorMatrix polar_su3(const ColorMatrix& v, double* ratio) {
  const WideMatrix w = unitary_factor(v, ratio);
  const Wide root = std::polar(Real(1), -std::arg(determinant(w)) / 3);
  return rounded(root * w);
}

ColorMatrix traceless_antihermitian(const ColorMatrix& a) {
  const ColorMatrix difference = Complex(0.5) * (a - dagger(a));
  return difference - (trace(difference) / 3.0) * ColorMatrix::unit();
}

ColorMatrix path_sum(const GaugeField& gauge, int site, int mu, int directions) {
  const Lattice& lattice = gauge.lattice;
  const auto& u = gauge.link;
  ColorMatrix sum;
  for (int nu = 0; nu < directions; ++nu) {
    if (nu == mu) continue;
    const int ahead = lattice.forward(site, mu), up = lattice.forward(site, nu);
    const int down = lattice.backward(site, nu);
    sum = sum + u[site][nu] * u[up][mu] * dagger(u[ahead][nu]);
    sum = sum + dagger(u[down][nu]) * u[down][mu] * u[lattice.forward(down, mu)][nu];
  }
  return sum;
}

GaugeField ape_smeared(const GaugeField& gauge, double alpha, int directions) {
  GaugeField result = gauge;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int mu = 0; mu < directions; ++mu)
      result.link[x][mu] =
          polar_su3(Complex(1 - alpha) * gauge.link[x][mu] +
                    Complex(alpha / (2 * (directions - 1))) * path_sum(gauge, x, mu, directions));
  return result;
}

GaugeField stout_smeared(const GaugeField& gauge, double rho, int directions) {
  const Complex i(0, 1);
  GaugeField result = gauge;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int mu = 0; mu < directions; ++mu) {
      const ColorMatrix& u = gauge.link[x][mu];
      const ColorMatrix omega = Complex(rho) * path_sum(gauge, x, mu, directions) * dagger(u);
      const ColorMatrix difference = dagger(omega) - omega;
      const ColorMatrix q = (i / 2.0) * difference - (i / 6.0 * trace(difference)) * ColorMatrix::unit();
      result.link[x][mu] = exponential(i * q) * u;
    }
  return result;
}

namespace {

using Links = std::vector<ColorMatrix>;  // of one direction, by site

// Sums of the two paths from x to x + mu that go around by +nu and -nu: `side` has their outer links,
// `middle` those between.
ColorMatrix around(const Lattice& lattice, const Links& side, const Links& middle, int x, int mu, int nu) {
  const int ahead = lattice.forward(x, mu), down = lattice.backward(x, nu);
  return side[x] * middle[lattice.forward(x, nu)] * dagger(side[ahead]) +
         dagger(side[down]) * middle[down] * side[lattice.forward(down, mu)];
}

Links of_direction(const GaugeField& gauge, int mu) {
  Links links;
  for (const auto& at : gauge.link) links.push_back(at[mu]);
  return links;
}

// Vbar_mu;nu,rho, with staples along the direction eta that is left.
Links hyp_bar(const GaugeField& gauge, double alpha3, int mu, int eta) {
  const Links u = of_direction(gauge, mu), side = of_direction(gauge, eta);
  Links v;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    v.push_back(polar_su3(Complex(1 - alpha3) * u[x] +
                          Complex(alpha3 / 2) * around(gauge.lattice, side, u, x, mu, eta)));
  return v;
}

// Matrices `make`(mu, nu) of all directions mu and nu.
template <class Make>
std::array<std::array<Links, 4>, 4> of_pairs(const Make& make) {
  std::array<std::array<Links, 4>, 4> all;
  for (int mu = 0; mu < 4; ++mu)
    for (int nu = 0; nu < 4; ++nu)
      if (nu != mu) all[mu][nu] = make(mu, nu);
  return all;
}

// Vtilde_mu;nu by mu and nu.
std::array<std::array<Links, 4>, 4> hyp_tilde(const GaugeField& gauge, double alpha2, double alpha3) {
  const auto bar = of_pairs([&](int mu, int eta) { return hyp_bar(gauge, alpha3, mu, eta); });
  return of_pairs([&](int mu, int nu) {
    Links v;
    for (int x = 0; x < gauge.lattice.volume(); ++x) {
      ColorMatrix sum;
      for (int rho = 0; rho < 4; ++rho) {
        if (rho == mu || rho == nu) continue;
        const int eta = 6 - mu - nu - rho;  // the direction that is left
        sum = sum + around(gauge.lattice, bar[rho][eta], bar[mu][eta], x, mu, rho);
      }
      v.push_back(polar_su3(Complex(1 - alpha2) * gauge.link[x][mu] + Complex(alpha2 / 4) * sum));
    }
    return v;
  });
}

}  // namespace

GaugeField hyp_smeared(const GaugeField& gauge, double alpha1, double alpha2, double alpha3) {
  const auto tilde = hyp_tilde(gauge, alpha2, alpha3);
  GaugeField result(gauge.lattice);
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) {
      ColorMatrix sum;
      for (int nu = 0; nu < 4; ++nu)
        if (nu != mu) sum = sum + around(gauge.lattice, tilde[nu][mu], tilde[mu][nu], x, mu, nu);
      result.link[x][mu] = polar_su3(Complex(1 - alpha1) * gauge.link[x][mu] + Complex(alpha1 / 6) * sum);
    }
  return result;
}

GaugeField hyp_smeared_in_space(const GaugeField& gauge, double alpha2, double alpha3) {
  const auto tilde = hyp_tilde(gauge, alpha2, alpha3);
  GaugeField result = gauge;
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int mu = 0; mu < 3; ++mu) result.link[x][mu] = tilde[mu][3][x];
  return result;
}

}  // namespace plaq::reference
