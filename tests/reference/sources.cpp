#include "tests/reference/sources.hpp"

namespace plaq::reference {

namespace {

// The sign of a hop from `site` one step ahead in direction i.
double sign_ahead(const Lattice& lattice, int site, int i, const Signs& signs) {
  return lattice.coordinates(site)[i] == lattice.extents[i] - 1 ? signs[i] : 1;
}

}  // namespace

SpinorField spatial_laplacian(const GaugeField& gauge, const SpinorField& psi, const Signs& signs) {
  const Lattice& lattice = gauge.lattice;
  SpinorField out = zero_spinor(lattice);
  for (int site = 0; site < lattice.volume(); ++site)
    for (int i = 0; i < 3; ++i) {
      const int next = lattice.forward(site, i), last = lattice.backward(site, i);
      for (int spin = 0; spin < 4; ++spin) {
        const auto ahead = gauge.link[site][i] * psi[next][spin];
        const auto behind = dagger(gauge.link[last][i]) * psi[last][spin];
        const double forward = sign_ahead(lattice, site, i, signs),
                     backward = sign_ahead(lattice, last, i, signs);
        for (int color = 0; color < 3; ++color)
          out[site][spin][color] +=
              forward * ahead[color] + backward * behind[color] - 2.0 * psi[site][spin][color];
      }
    }
  return out;
}

SpinorField gaussian_smeared(const GaugeField& gauge, SpinorField psi, double sigma, int steps,
                             const Signs& signs) {
  for (int n = 0; n < steps; ++n)
    add(psi, sigma * sigma / (4.0 * steps), spatial_laplacian(gauge, psi, signs));
  return psi;
}

ColorField two_link_smeared(const GaugeField& gauge, ColorField chi, double sigma, int steps,
                            const Signs& signs) {
  const Lattice& lattice = gauge.lattice;
  for (int n = 0; n < steps; ++n) {
    const ColorField from = chi;
    for (int x = 0; x < lattice.volume(); ++x)
      for (int i = 0; i < 3; ++i) {
        const int next = lattice.forward(x, i), last = lattice.backward(x, i);
        const int ahead = lattice.forward(next, i), behind = lattice.backward(last, i);
        const auto up = gauge.link[x][i] * (gauge.link[next][i] * from[ahead]);
        const auto down = dagger(gauge.link[last][i]) * (dagger(gauge.link[behind][i]) * from[behind]);
        const double forward = sign_ahead(lattice, x, i, signs) * sign_ahead(lattice, next, i, signs),
                     backward = sign_ahead(lattice, last, i, signs) * sign_ahead(lattice, behind, i, signs);
        for (int c = 0; c < 3; ++c)
          chi[x][c] +=
              sigma * sigma / (16.0 * steps) * (forward * up[c] + backward * down[c] - 2.0 * from[x][c]);
      }
  }
  return chi;
}

SpinorField gaussian_source(const Lattice& lattice, const Coordinates& center, double width, int stride,
                            int spin, int color) {
  SpinorField field = zero_spinor(lattice);
  for (int site = 0; site < lattice.volume(); ++site) {
    const Coordinates x = lattice.coordinates(site);
    if (x[3] != center[3]) continue;
    double nearest = 1e9;
    bool on = true;
    for (int i = -1; i <= 1; ++i)
      for (int j = -1; j <= 1; ++j)
        for (int k = -1; k <= 1; ++k) {
          const int d[3] = {x[0] - center[0] + i * lattice.extents[0],
                            x[1] - center[1] + j * lattice.extents[1],
                            x[2] - center[2] + k * lattice.extents[2]};
          const double square = d[0] * d[0] + d[1] * d[1] + d[2] * d[2];
          if (square >= nearest) continue;
          nearest = square;
          on = d[0] % stride == 0 && d[1] % stride == 0 && d[2] % stride == 0;
        }
    if (on) field[site][spin][color] = std::exp(-nearest / (width * width));
  }
  return field;
}

SpinorField box_source(const Lattice& lattice, const Coordinates& corner, const std::array<int, 3>& size,
                       int stride, int spin, int color) {
  SpinorField field = zero_spinor(lattice);
  for (int i = 0; i < size[0]; i += stride)
    for (int j = 0; j < size[1]; j += stride)
      for (int k = 0; k < size[2]; k += stride)
        field[lattice.index({(corner[0] + i) % lattice.extents[0], (corner[1] + j) % lattice.extents[1],
                             (corner[2] + k) % lattice.extents[2], corner[3]})][spin][color] = 1;
  return field;
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
