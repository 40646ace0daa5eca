// A coarse operator on a whole lattice, Clark et al. 2016, eq. (3), with all its matrices:
//   (M psi)(X) = sum over mu of Y_2mu(X) psi(X+mu) + Y_2mu+1(X) psi(X-mu), and Y_8(X) psi(X).
#pragma once

#include <array>
#include <complex>
#include <vector>

#include "tests/reference/lattice.hpp"

namespace plaq::reference {

struct CoarseMatrices {
  using Complex = std::complex<double>;
  using Vector = std::vector<Complex>;  // [site][component]

  Lattice lattice;
  int components = 0;
  // rows[i]: [site][matrix][column], row i of the nine matrices.
  std::vector<Vector> rows;

  // `parity`: 0 or 1, that part of the result alone, 0 elsewhere; -1: all of it.
  Vector apply(const Vector& psi, bool with_site = true, int parity = -1) const {
    Vector out(psi.size());
    for (int x = 0; x < lattice.volume(); ++x) {
      if (parity >= 0 && lattice.parity(x) != parity) continue;
      for (int i = 0; i < components; ++i)
        for (int d = 0; d < (with_site ? 9 : 8); ++d) {
          const int y = d == 8 ? x : d % 2 == 0 ? lattice.forward(x, d / 2) : lattice.backward(x, d / 2);
          for (int j = 0; j < components; ++j)
            out[static_cast<std::size_t>(x * components + i)] +=
                rows[static_cast<std::size_t>(i)][static_cast<std::size_t>((x * 9 + d) * components + j)] *
                psi[static_cast<std::size_t>(y * components + j)];
        }
    }
    return out;
  }
};

// A coarse operator with any neighbours: (M psi)(X) = sum over d of Y_d(X) psi(X + offset d).
struct StencilMatrices {
  using Complex = std::complex<double>;
  using Vector = std::vector<Complex>;

  Lattice lattice;
  int components = 0;
  std::vector<std::array<int, 4>> offsets;
  // rows[i]: [site][matrix][column], row i of all matrices.
  std::vector<Vector> rows;

  // `part`: that matrix alone; -1: all.
  Vector apply(const Vector& psi, int part = -1) const {
    const auto at = [](int i) { return static_cast<std::size_t>(i); };
    const int matrices = static_cast<int>(offsets.size());
    Vector out(psi.size());
    for (int x = 0; x < lattice.volume(); ++x)
      for (int d = part < 0 ? 0 : part; d < (part < 0 ? matrices : part + 1); ++d) {
        Coordinates to = lattice.coordinates(x);
        for (std::size_t mu = 0; mu < 4; ++mu)
          to[mu] = (to[mu] + offsets[at(d)][mu] + lattice.extents[mu]) % lattice.extents[mu];
        const int y = lattice.index(to);
        for (int i = 0; i < components; ++i)
          for (int j = 0; j < components; ++j)
            out[at(x * components + i)] +=
                rows[at(i)][at((x * matrices + d) * components + j)] * psi[at(y * components + j)];
      }
    return out;
  }
};

// Offsets of the nearest neighbours, ahead and behind in x, y, z, t, of the site itself, and of neighbours
// one step away in each of two directions: in the order of the directions, ahead first.
inline std::vector<std::array<int, 4>> wide_offsets() {
  std::vector<std::array<int, 4>> offsets;
  for (std::size_t mu = 0; mu < 4; ++mu)
    for (const int step : {1, -1}) offsets.emplace_back()[mu] = step;
  offsets.emplace_back();
  for (std::size_t mu = 0; mu < 4; ++mu)
    for (const int first : {1, -1})
      for (std::size_t nu = mu + 1; nu < 4; ++nu)
        for (const int second : {1, -1}) {
          offsets.emplace_back()[mu] = first;
          offsets.back()[nu] = second;
        }
  return offsets;
}

}  // namespace plaq::reference
