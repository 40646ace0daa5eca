#include "tests/reference/stout_force.hpp"

#include "tests/reference/matrix_exponential.hpp"
#include "tests/reference/smearing.hpp"

namespace plaq::reference {

ColorMatrix averaged_over_exponential(const ColorMatrix& x, const ColorMatrix& f) {
  return exponential(Complex(-1) * x) * exponential_derivative(x, f);
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
