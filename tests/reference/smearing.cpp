#include "tests/reference/smearing.hpp"

#include <algorithm>
#include <cmath>

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

ColorMatrix polar_su3(const ColorMatrix& v, double* ratio) {
  // Rotate columns until they are orthogonal: a = v r, r unitary; then W = (a / its column norms) r^dagger.
  WideMatrix a = widened(v), r = WideMatrix::unit();
  for (int sweep = 0; sweep < 40; ++sweep)
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
        if (size == 0) continue;
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
  const WideMatrix w = a * dagger(r);
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

}  // namespace plaq::reference
