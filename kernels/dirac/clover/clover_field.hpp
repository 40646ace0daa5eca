// The clover term of a gauge field together with the diagonal of M,
//   C(x) = d - (1/2) sum_{mu<nu} c_mu,nu sigma_mu,nu F_mu,nu(x)      (kernels/dirac/clover/clover_term.hpp),
// or d exp(A/d) with A = C - d of this form for exponential clover quarks,
// as two Hermitian 6x6 blocks a site, and their inverses. DeGrand-Rossi basis. Computed in double; the same
// bits on any process grid.
#pragma once

#include <array>
#include <cstdint>
#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/version_of.hpp"
#include "kernels/dirac/clover/clover_launch.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq {

// det C over all sites of one parity, spin and color: a part of the determinant of M. With a twist
// det(C + i mu gamma5): its phases cancel between the chiralities of a doublet, and are left out.
struct CloverDeterminant {
  double log = 0;             // of the modulus: an exact sum over the blocks
  std::int64_t negative = 0;  // blocks whose determinant is negative: the sign is (-1)^negative
};

class CloverField {
 public:
  // Collective. `gauge`: any precision and location, no halo; it is not kept. The grid must outlive this
  // object. While it is made, the links are held once more in double, with a halo of depth 1 around them.
  // `twist`: mu of C + i mu gamma5, whose inverse and determinant these then are.
  CloverField(const ProcessGrid& grid, const Field& gauge, double diagonal,
              const CloverCoefficients& coefficients, const Queue& queue,
              std::shared_ptr<Transport> transport, double twist = 0);

  const GeometryPtr& geometry() const { return term_.geometry_ptr(); }
  const Queue& queue() const { return queue_; }
  double diagonal() const { return diagonal_; }
  const CloverCoefficients& coefficients() const { return coefficients_; }
  double twist() const { return twist_; }
  // The links of which it was made.
  const VersionOf& made_of() const { return made_of_; }

  // C in double, both parities, without the twist.
  const Field& term() const { return term_; }
  // C^-1 in double, on the sites of one parity: made by the first call, which is collective and waits for the
  // queue. Throws Error(job_file) on every rank when a block of that parity is singular to rounding
  // (condition number about 1e14 or more) or not finite anywhere on the lattice.
  // With a twist it is A of (C + i mu gamma5)^-1 = A - i gamma5 B, and inverse_twist() is B.
  const Field& inverse(int parity);
  const Field& inverse_twist(int parity);
  // Determinant, which the inverse gives; makes the inverse if it is not there yet.
  CloverDeterminant determinant(int parity);

 private:
  void invert(int parity);

  const ProcessGrid* grid_;
  Queue queue_;
  double diagonal_;
  CloverCoefficients coefficients_;
  double twist_;
  VersionOf made_of_;
  Field term_;
  std::array<Field, 2> inverse_, inverse_twist_;
  std::array<CloverDeterminant, 2> determinant_;
};

// Clover blocks in another precision: what operators keep.
Field clover_blocks(const Field& blocks, Precision precision);

// out = C in on the sites of `parity`, which all three fields hold, for the active right-hand sides; the
// others of `out` are left alone. `blocks`: a term or an inverse, in the precision and at the location of the
// spinors. `out` may be `in`. Queued; nothing is exchanged. 504 flops a site and right-hand side.
void apply_clover(Field& out, const Field& in, const Field& blocks, int parity, const ActiveSet& active,
                  const Queue& queue);

}  // namespace plaq
