#include "tests/reference/wilson.hpp"

#include <cmath>
#include <numbers>

#include "tests/reference/gamma.hpp"

namespace plaq::reference {
namespace {

double weight(const WilsonParameters& parameters, int mu) {
  return mu == 3 ? 1.0 : parameters.nu / parameters.xi;
}

double diagonal(const WilsonParameters& parameters) {
  return parameters.mass + 1.0 + 3.0 * parameters.nu / parameters.xi;
}

// out <- out + factor (spin x color) in
void accumulate(Spinor& out, double factor, const SpinMatrix& spin, const ColorMatrix& color,
                const Spinor& in) {
  for (int r = 0; r < 4; ++r) {
    const std::array<Complex, 3> rotated = color * in[r];
    for (int s = 0; s < 4; ++s) {
      const Complex element = factor * spin(s, r);
      if (element == 0.0) continue;
      for (int a = 0; a < 3; ++a) out[s][a] += element * rotated[a];
    }
  }
}

// What the two steps are multiplied by in spin space: from x + mu, and from x - mu.
SpinorField sum_of_steps(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in,
                         const std::array<SpinMatrix, 4>& from_forward,
                         const std::array<SpinMatrix, 4>& from_backward) {
  const Lattice& lattice = gauge.lattice;
  SpinorField out = zero_spinor(lattice);
  for (int x = 0; x < lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) {
      const double w = weight(parameters, mu), sign = parameters.boundary[mu];
      const int up = lattice.forward(x, mu), down = lattice.backward(x, mu);
      accumulate(out[x], lattice.wraps_forward(x, mu) ? sign * w : w, from_forward[mu], gauge.link[x][mu],
                 in[up]);
      accumulate(out[x], lattice.wraps_backward(x, mu) ? sign * w : w, from_backward[mu],
                 dagger(gauge.link[down][mu]), in[down]);
    }
  return out;
}

SpinorField with_diagonal(const WilsonParameters& parameters, const SpinorField& in, SpinorField hopped) {
  for (Spinor& site : hopped)
    for (auto& spin : site)
      for (Complex& color : spin) color *= -0.5;
  add(hopped, diagonal(parameters), in);
  return hopped;
}

}  // namespace

double mass_from_kappa(double kappa) { return 1.0 / (2.0 * kappa) - 4.0; }

SpinorField hop(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in) {
  const SpinMatrix one = SpinMatrix::unit();
  std::array<SpinMatrix, 4> from_forward, from_backward;
  for (int mu = 0; mu < 4; ++mu) {
    from_forward[mu] = one - gamma(mu);
    from_backward[mu] = one + gamma(mu);
  }
  return sum_of_steps(parameters, gauge, in, from_forward, from_backward);
}

// (hop_mu)_{x',x} with x' = x + mu is the step back, (1 + gamma_mu) U_mu(x)^dagger; its adjoint takes x + mu
// to x.
SpinorField hop_dagger(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in) {
  const SpinMatrix one = SpinMatrix::unit();
  std::array<SpinMatrix, 4> from_forward, from_backward;
  for (int mu = 0; mu < 4; ++mu) {
    from_forward[mu] = dagger(one + gamma(mu));
    from_backward[mu] = dagger(one - gamma(mu));
  }
  return sum_of_steps(parameters, gauge, in, from_forward, from_backward);
}

SpinorField wilson(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in) {
  return with_diagonal(parameters, in, hop(parameters, gauge, in));
}

SpinorField wilson_dagger(const WilsonParameters& parameters, const GaugeField& gauge,
                          const SpinorField& in) {
  return with_diagonal(parameters, in, hop_dagger(parameters, gauge, in));
}

std::array<double, 4> momentum(const WilsonParameters& parameters, const Lattice& lattice,
                               const Coordinates& n) {
  std::array<double, 4> p{};
  for (int mu = 0; mu < 4; ++mu)
    p[mu] = std::numbers::pi * (2 * n[mu] + (parameters.boundary[mu] == -1 ? 1 : 0)) / lattice.extents[mu];
  return p;
}

// Written without the helpers of the operator, so that the two can disagree.
SpinMatrix wilson_symbol(const WilsonParameters& parameters, const std::array<double, 4>& p) {
  const double spatial = parameters.nu / parameters.xi;
  const double scalar = parameters.mass + (1.0 - std::cos(p[3])) +
                        spatial * (3.0 - std::cos(p[0]) - std::cos(p[1]) - std::cos(p[2]));
  SpinMatrix symbol = Complex(scalar) * SpinMatrix::unit() + Complex(0.0, std::sin(p[3])) * gamma(3);
  for (int mu = 0; mu < 3; ++mu) symbol = symbol + Complex(0.0, spatial * std::sin(p[mu])) * gamma(mu);
  return symbol;
}

}  // namespace plaq::reference
