#include "tests/reference/gluon.hpp"

#include <cmath>

namespace plaq::reference {

std::array<ColorMatrix, 8> color_generators() {
  const Complex i(0, 1);
  std::array<ColorMatrix, 8> t;
  t[0](0, 1) = t[0](1, 0) = 0.5;
  t[1](0, 1) = -0.5 * i;
  t[1](1, 0) = 0.5 * i;
  t[2](0, 0) = 0.5;
  t[2](1, 1) = -0.5;
  t[3](0, 2) = t[3](2, 0) = 0.5;
  t[4](0, 2) = -0.5 * i;
  t[4](2, 0) = 0.5 * i;
  t[5](1, 2) = t[5](2, 1) = 0.5;
  t[6](1, 2) = -0.5 * i;
  t[6](2, 1) = 0.5 * i;
  t[7](0, 0) = t[7](1, 1) = 0.5 / std::sqrt(3.0);
  t[7](2, 2) = -1 / std::sqrt(3.0);
  return t;
}

std::array<double, 8> gluon_components(const ColorMatrix& link) {
  static const auto t = color_generators();
  const ColorMatrix a = Complex(0, -0.5) * (link - dagger(link));  // its trace drops out below
  std::array<double, 8> components{};
  for (std::size_t k = 0; k < 8; ++k) components[k] = 2 * trace(t[k] * a).real();
  return components;
}

GluonModes gluon_modes(const GaugeField& gauge, const std::array<int, 4>& n, int only_slice) {
  const Lattice& lattice = gauge.lattice;
  const auto p = lattice.momentum({1, 1, 1, 1}, n);
  GluonModes modes{};
  for (int x = 0; x < lattice.volume(); ++x) {
    if (only_slice >= 0 && lattice.coordinates(x)[3] != only_slice) continue;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      const auto a = gluon_components(gauge.link[static_cast<std::size_t>(x)][mu]);
      const Complex wave = std::polar(1.0, -lattice.angle(p, x) - p[mu] / 2);
      for (std::size_t k = 0; k < 8; ++k) modes[mu][k] += wave * a[k];
    }
  }
  return modes;
}

AdjointField faddeev_popov(const GaugeField& gauge, const AdjointField& w) {
  static const auto t = color_generators();
  const Lattice& lattice = gauge.lattice;
  AdjointField result(w.size());
  for (int x = 0; x < lattice.volume(); ++x)
    for (int mu = 0; mu < 4; ++mu) {
      const auto at = [](int site) { return static_cast<std::size_t>(site); };
      const int ahead = lattice.forward(x, mu), behind = lattice.backward(x, mu);
      const ColorMatrix& u = gauge.link[at(x)][at(mu)];
      const ColorMatrix& v = gauge.link[at(behind)][at(mu)];
      for (std::size_t a = 0; a < 8; ++a)
        for (std::size_t b = 0; b < 8; ++b) {
          const ColorMatrix ab = t[a] * t[b], ba = t[b] * t[a];
          result[at(x)][a] += trace((ab + ba) * (u + v)).real() * w[at(x)][b] -
                              2 * trace(ba * u).real() * w[at(ahead)][b] -
                              2 * trace(ab * v).real() * w[at(behind)][b];
        }
    }
  return result;
}

AdjointField without_constant(AdjointField w) {
  std::array<double, 8> mean{};
  for (const auto& site : w)
    for (std::size_t a = 0; a < 8; ++a) mean[a] += site[a] / static_cast<double>(w.size());
  for (auto& site : w)
    for (std::size_t a = 0; a < 8; ++a) site[a] -= mean[a];
  return w;
}

}  // namespace plaq::reference
