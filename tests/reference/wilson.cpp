#include "tests/reference/wilson.hpp"

#include <cmath>

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

// Factor of a step in spin space: from(mu, 1) when it comes from
// x + mu, from(mu, -1) from x - mu.
template <class From>
SpinorField sum_of_steps(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in,
                         const From& from) {
  const Lattice& lattice = gauge.lattice;
  SpinorField out = zero_spinor(lattice);
  for (int mu = 0; mu < 4; ++mu) {
    const SpinMatrix from_forward = from(mu, 1), from_backward = from(mu, -1);
    const double w = weight(parameters, mu), around = w * parameters.boundary[mu];
    for (int x = 0; x < lattice.volume(); ++x) {
      const int up = lattice.forward(x, mu), down = lattice.backward(x, mu);
      accumulate(out[x], lattice.wraps_forward(x, mu) ? around : w, from_forward, gauge.link[x][mu], in[up]);
      accumulate(out[x], lattice.wraps_backward(x, mu) ? around : w, from_backward,
                 dagger(gauge.link[down][mu]), in[down]);
    }
  }
  return out;
}

SpinorField with_diagonal(const WilsonParameters& parameters, const SpinorField& in,
                          const SpinorField& hopped) {
  SpinorField out(in.size());
  add(out, -0.5, hopped);
  add(out, diagonal(parameters), in);
  return out;
}

}  // namespace

double mass_from_kappa(double kappa) { return 1.0 / (2.0 * kappa) - 4.0; }

SpinorField hop(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in) {
  return sum_of_steps(parameters, gauge, in,
                      [](int mu, int sign) { return SpinMatrix::unit() - Complex(sign) * gamma(mu); });
}

// (hop_mu)_{x',x} with x' = x + mu is the step back, (1 + gamma_mu) U_mu(x)^dagger; its adjoint takes x + mu
// to x.
SpinorField hop_dagger(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& in) {
  return sum_of_steps(parameters, gauge, in, [](int mu, int sign) {
    return dagger(SpinMatrix::unit() + Complex(sign) * gamma(mu));
  });
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
  return lattice.momentum(parameters.boundary, n);
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
