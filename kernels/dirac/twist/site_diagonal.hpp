// The diagonal of twisted-mass quarks and its inverse, C + i mu gamma5 and (C + i mu gamma5)^-1: on the
// spinors of a site of chirality s = 1, -1 (gamma5)
//   A + i s B,
// A and B Hermitian. C is Hermitian and commutes with gamma5, so the inverse has A = C (C^2 + mu^2)^-1 and
// B = -mu (C^2 + mu^2)^-1.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"
#include "core/operator/linear_operator.hpp"

namespace plaq {

// A and B as chiral blocks (kernels/dirac/clover/chiral_block.hpp) or as numbers. A field of blocks takes the
// place of a number a; one of B multiplies the number b.
struct SiteDiagonal {
  double a = 1, b = 0;
  const Field* a_blocks = nullptr;
  const Field* b_blocks = nullptr;

  // d + i mu gamma5 and its inverse.
  static SiteDiagonal number(double d, double mu) { return {d, mu}; }
  static SiteDiagonal inverse_number(double d, double mu) {
    const double norm = d * d + mu * mu;
    return {d / norm, -mu / norm};
  }
};

// out = add + factor (A + i s B) in, or its dagger, on the sites of `parity`, which all fields hold, for the
// active right-hand sides; the others of `out` are left alone. `out` may be `in` or `add`. Blocks have the
// precision and the location of the spinors. Queued; nothing is exchanged.
void apply_site_diagonal(Field& out, const Field& in, const SiteDiagonal& diagonal, int parity, bool dagger,
                         const ActiveSet& active, const Queue& queue, const Field* add = nullptr,
                         double factor = 1);

// Work of apply_site_diagonal() on the sites of one parity.
Work site_diagonal_work(const Geometry& geometry, Precision precision, const SiteDiagonal& diagonal,
                        int vectors, bool adds = false);

}  // namespace plaq
