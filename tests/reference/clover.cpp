#include "tests/reference/clover.hpp"

#include "tests/reference/asqtad.hpp"
#include "tests/reference/gamma.hpp"
#include "tests/reference/matrix_exponential.hpp"

namespace plaq::reference {

// Each leaf begins in the direction that the one before it came back along.
ColorMatrix clover_field_strength(const GaugeField& gauge, int site, int mu, int nu) {
  const int turn[4] = {mu + 1, nu + 1, -(mu + 1), -(nu + 1)};
  ColorMatrix q;
  for (int leaf = 0; leaf < 4; ++leaf)
    q = q +
        along(gauge, site, {turn[leaf], turn[(leaf + 1) % 4], turn[(leaf + 2) % 4], turn[(leaf + 3) % 4]});
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
  const double d = parameters.diagonal();
  for (Matrix12& m : a) {
    if (parameters.exponential)
      m = Complex(d) * (rounded(matrix_exponential(Complex(1 / d) * m)) - Matrix12::unit());
    const SpinMatrix twist = Complex(0.0, parameters.twisted_mass) * gamma5();
    for (int i = 0; i < 12; ++i) m(i, i) += twist(i / 3, i / 3);
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
  CloverMatrices adjoint;
  for (const Matrix12& m : a) adjoint.push_back(dagger(m));
  SpinorField out = wilson_dagger(parameters.wilson, gauge, in);
  add(out, 1.0, times(adjoint, in));
  return out;
}

Solution solve(const CloverParameters& parameters, const GaugeField& gauge, const CloverMatrices& a,
               const SpinorField& b, double tolerance, int max_iterations) {
  return solve([&](const SpinorField& v) { return clover_dirac_apply(parameters, gauge, a, v); },
               [&](const SpinorField& v) { return clover_dirac_dagger(parameters, gauge, a, v); }, b,
               tolerance, max_iterations);
}

}  // namespace plaq::reference
