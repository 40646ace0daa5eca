// The launches behind the Faddeev-Popov operator, in double precision.
#pragma once

#include "core/sums/sum_buffer.hpp"
#include "kernels/dirac/hop/hop_launch.hpp"

namespace plaq {

// kernels/gluon/faddeev_popov_hop.hpp on the sites of `parity`; `in` has both parities, and is `add` too.
// On faces of both parities, right-hand side + right-hand sides * parity.
struct FaddeevPopovCall : HopCall {
  const Field* links = nullptr;     // of 18 reals
  const Field* diagonal = nullptr;  // K, one right-hand side; null: the sum of the hops alone
};

inline constexpr int color_matrix_reals = 18;

// Sums over this rank's sites of all reals of a field of matrices: sums[18 k + real] of active right-hand
// side k, [row][column] real, imaginary.
template <class Target>
void launch_color_matrix_sums(const Field& w, const ActiveSet& active, SumBuffer& sums, const Queue& queue);
// Takes constant[18 k + real] from each site of active right-hand side k; `constant` is at the queue's
// location.
template <class Target>
void launch_subtract_constant(Field& w, const ActiveSet& active, const double* constant, const Queue& queue);

}  // namespace plaq
