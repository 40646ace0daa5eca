#include "tests/reference/stout_force.hpp"

#include <cmath>

#include "tests/reference/smearing.hpp"

namespace plaq::reference {
namespace {

using BlockMatrix = Matrix<6, std::complex<long double>>;

// By a Taylor series of a / 64, squared six times.
BlockMatrix block_exponential(const BlockMatrix& a) {
  const BlockMatrix scaled = std::complex<long double>(1 / 64.0L) * a;
  BlockMatrix sum = BlockMatrix::unit(), term = sum;
  for (int n = 1; n <= 12; ++n) {
    term = std::complex<long double>(1.0L / n) * (term * scaled);
    sum = sum + term;
  }
  for (int k = 0; k < 6; ++k) sum = sum * sum;
  return sum;
}

}  // namespace

// exp of the blocks (X F; 0 X) has the integral of exp((1-s) X) F exp(s X) in its corner.
ColorMatrix averaged_over_exponential(const ColorMatrix& x, const ColorMatrix& f) {
  BlockMatrix blocks;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      blocks(i, j) = blocks(3 + i, 3 + j) = std::complex<long double>(x(i, j).real(), x(i, j).imag());
      blocks(i, 3 + j) = std::complex<long double>(f(i, j).real(), f(i, j).imag());
    }
  const BlockMatrix e = block_exponential(blocks);
  ColorMatrix corner;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      corner(i, j) = {static_cast<double>(e(i, 3 + j).real()), static_cast<double>(e(i, 3 + j).imag())};
  return exponential(Complex(-1) * x) * corner;
}

// dS = -2 Re sum of tr(dX G), X = TA(rho C U^dagger): the paths of C U^dagger with -2 rho G where they start.
LinkMatrices carried_back(const GaugeField& gauge, double rho, int directions, const LinkMatrices& force) {
  LinkMatrices n(gauge.link.size()), f = force;
  for (int site = 0; site < gauge.lattice.volume(); ++site)
    for (int mu = 0; mu < directions; ++mu) {
      const ColorMatrix x = traceless_antihermitian(Complex(rho) * path_sum(gauge, site, mu, directions) *
                                                    dagger(gauge.link[site][mu]));
      const ColorMatrix z = Complex(-2 * rho) * averaged_over_exponential(x, force[site][mu]);
      for (int nu = 0; nu < directions; ++nu) {
        if (nu == mu) continue;
        cut_open(gauge, site, {nu, mu, nu - 4, mu - 4}, z, n);
        cut_open(gauge, site, {nu - 4, mu, nu, mu - 4}, z, n);
      }
      f[site][mu] = exponential(Complex(-1) * x) * force[site][mu] * exponential(x);
    }
  const LinkMatrices staples = force_of(n);
  for (std::size_t x = 0; x < f.size(); ++x)
    for (int mu = 0; mu < 4; ++mu) f[x][mu] = f[x][mu] + staples[x][mu];
  return f;
}

}  // namespace plaq::reference
