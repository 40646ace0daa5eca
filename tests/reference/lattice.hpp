// A periodic lattice in lexicographic order. Directions 0..3 are x, y, z, t; x runs fastest.
// Boundary signs belong to the operators, not to the lattice.
#pragma once

#include <array>
#include <numbers>

namespace plaq::reference {

using Coordinates = std::array<int, 4>;

struct Lattice {
  std::array<int, 4> extents{};

  int volume() const { return extents[0] * extents[1] * extents[2] * extents[3]; }

  int index(const Coordinates& x) const {
    return x[0] + extents[0] * (x[1] + extents[1] * (x[2] + extents[2] * x[3]));
  }

  Coordinates coordinates(int site) const {
    Coordinates x{};
    for (int mu = 0; mu < 4; ++mu) {
      x[mu] = site % extents[mu];
      site /= extents[mu];
    }
    return x;
  }

  int forward(int site, int mu) const { return step(site, mu, 1); }
  int backward(int site, int mu) const { return step(site, mu, -1); }

  // True if the step from this site to its neighbour goes around the lattice.
  bool wraps_forward(int site, int mu) const { return coordinates(site)[mu] == extents[mu] - 1; }
  bool wraps_backward(int site, int mu) const { return coordinates(site)[mu] == 0; }

  // 0 (even) or 1 (odd): x + y + z + t modulo 2.
  int parity(int site) const {
    const Coordinates x = coordinates(site);
    return (x[0] + x[1] + x[2] + x[3]) % 2;
  }

  // Slices in t from that of the source.
  int slices_from(const Coordinates& source, int site) const {
    return (coordinates(site)[3] - source[3] + extents[3]) % extents[3];
  }

  // Momenta that the boundary signs (1 or -1) allow: p_mu = (2 pi n_mu + (boundary[mu] == -1 ? pi : 0)) /
  // L_mu.
  std::array<double, 4> momentum(const std::array<int, 4>& boundary, const Coordinates& n) const {
    std::array<double, 4> p{};
    for (int mu = 0; mu < 4; ++mu)
      p[mu] = std::numbers::pi * (2 * n[mu] + (boundary[mu] == -1 ? 1 : 0)) / extents[mu];
    return p;
  }
  // sum_mu p_mu (x_mu - origin_mu), at this site.
  double angle(const std::array<double, 4>& p, int site, const Coordinates& origin = {}) const {
    const Coordinates x = coordinates(site);
    double sum = 0.0;
    for (int mu = 0; mu < 4; ++mu) sum += p[mu] * (x[mu] - origin[mu]);
    return sum;
  }

  bool operator==(const Lattice&) const = default;

 private:
  int step(int site, int mu, int sign) const {
    Coordinates x = coordinates(site);
    x[mu] = (x[mu] + sign + extents[mu]) % extents[mu];
    return index(x);
  }
};

}  // namespace plaq::reference
