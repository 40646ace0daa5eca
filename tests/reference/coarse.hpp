// A coarse operator on a whole lattice, Clark et al. 2016, eq. (3), with all its matrices:
//   (M psi)(X) = sum over mu of Y_2mu(X) psi(X+mu) + Y_2mu+1(X) psi(X-mu), and Y_8(X) psi(X).
#pragma once

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

}  // namespace plaq::reference
