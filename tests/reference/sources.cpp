#include "tests/reference/sources.hpp"

namespace plaq::reference {

SpinorField spatial_laplacian(const GaugeField& gauge, const SpinorField& psi) {
  const Lattice& lattice = gauge.lattice;
  SpinorField out = zero_spinor(lattice);
  for (int site = 0; site < lattice.volume(); ++site)
    for (int i = 0; i < 3; ++i) {
      const int next = lattice.forward(site, i), last = lattice.backward(site, i);
      for (int spin = 0; spin < 4; ++spin) {
        const auto ahead = gauge.link[site][i] * psi[next][spin];
        const auto behind = dagger(gauge.link[last][i]) * psi[last][spin];
        for (int color = 0; color < 3; ++color)
          out[site][spin][color] += ahead[color] + behind[color] - 2.0 * psi[site][spin][color];
      }
    }
  return out;
}

SpinorField gaussian_smeared(const GaugeField& gauge, SpinorField psi, double sigma, int steps) {
  for (int n = 0; n < steps; ++n) add(psi, sigma * sigma / (4.0 * steps), spatial_laplacian(gauge, psi));
  return psi;
}

SpinorField plane_wave_source(const Lattice& lattice, const std::array<int, 4>& n, int t, int spin,
                              int color) {
  SpinorField field = zero_spinor(lattice);
  for (int site = 0; site < lattice.volume(); ++site) {
    if (t >= 0 && lattice.coordinates(site)[3] != t) continue;
    field[site][spin][color] = std::polar(1.0, lattice.angle(lattice.momentum({1, 1, 1, 1}, n), site));
  }
  return field;
}

}  // namespace plaq::reference
