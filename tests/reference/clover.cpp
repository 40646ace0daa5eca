#include "tests/reference/clover.hpp"

#include "tests/reference/gamma.hpp"

namespace plaq::reference {

ColorMatrix path_product(const GaugeField& gauge, int site, const std::vector<PathStep>& path) {
  ColorMatrix product = ColorMatrix::unit();
  for (const PathStep& step : path) {
    if (step.up) {
      product = product * gauge.link[site][step.mu];
      site = gauge.lattice.forward(site, step.mu);
    } else {
      site = gauge.lattice.backward(site, step.mu);
      product = product * dagger(gauge.link[site][step.mu]);
    }
  }
  return product;
}

// Each leaf begins in the direction that the one before it came back along.
ColorMatrix clover_field_strength(const GaugeField& gauge, int site, int mu, int nu) {
  const PathStep turn[4] = {{mu, true}, {nu, true}, {mu, false}, {nu, false}};
  ColorMatrix q;
  for (int leaf = 0; leaf < 4; ++leaf)
    q = q + path_product(gauge, site,
                         {turn[leaf], turn[(leaf + 1) % 4], turn[(leaf + 2) % 4], turn[(leaf + 3) % 4]});
  return Complex(0.0, -1.0 / 8) * (q - dagger(q));
}

SpinMatrix sigma(int mu, int nu) {
  return Complex(0.0, 0.5) * (gamma(mu) * gamma(nu) - gamma(nu) * gamma(mu));
}

CloverMatrices clover_matrices(const CloverParameters& parameters, const GaugeField& gauge) {
  CloverMatrices a(gauge.link.size());
  for (int x = 0; x < gauge.lattice.volume(); ++x)
    for (int nu = 1; nu < 4; ++nu)
      for (int mu = 0; mu < nu; ++mu) {
        const double c = nu == 3 ? parameters.temporal : parameters.spatial;
        const SpinMatrix s = sigma(mu, nu);
        const ColorMatrix f = clover_field_strength(gauge, x, mu, nu);
        for (int i = 0; i < 12; ++i)
          for (int j = 0; j < 12; ++j) a[x](i, j) -= c / 2 * s(i / 3, j / 3) * f(i % 3, j % 3);
      }
  return a;
}

SpinorField times(const CloverMatrices& a, const SpinorField& in) {
  SpinorField out(in.size());
  for (std::size_t x = 0; x < in.size(); ++x)
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) out[x][i / 3][i % 3] += a[x](i, j) * in[x][j / 3][j % 3];
  return out;
}

SpinorField clover_dirac_apply(const CloverParameters& parameters, const GaugeField& gauge,
                               const CloverMatrices& a, const SpinorField& in) {
  SpinorField out = wilson(parameters.wilson, gauge, in);
  add(out, 1.0, times(a, in));
  return out;
}

SpinorField clover_dirac_dagger(const CloverParameters& parameters, const GaugeField& gauge,
                                const CloverMatrices& a, const SpinorField& in) {
  SpinorField out = wilson_dagger(parameters.wilson, gauge, in);
  for (std::size_t x = 0; x < in.size(); ++x)
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j < 12; ++j) out[x][i / 3][i % 3] += std::conj(a[x](j, i)) * in[x][j / 3][j % 3];
  return out;
}

Solution solve(const CloverParameters& parameters, const GaugeField& gauge, const CloverMatrices& a,
               const SpinorField& b, double tolerance, int max_iterations) {
  return solve([&](const SpinorField& v) { return clover_dirac_apply(parameters, gauge, a, v); },
               [&](const SpinorField& v) { return clover_dirac_dagger(parameters, gauge, a, v); }, b,
               tolerance, max_iterations);
}

}  // namespace plaq::reference
