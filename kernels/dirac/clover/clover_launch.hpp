// The launches of the clover term for one machine (and, where it is applied, one precision); how its fields
// are stored.
#pragma once

#include "core/field/field_views.hpp"
#include "core/operator/active_set.hpp"
#include "core/sums/sum_buffer.hpp"
#include "kernels/dirac/clover/chiral_block.hpp"

namespace plaq {

// Chiral blocks: 36 reals a site and chirality
// (kernels/dirac/clover/chiral_block.hpp), subfields are chiralities.
inline FieldSpec clover_spec(Subset subset, Precision precision, Location location) {
  return {subset, 6, 3, 2, precision, location};
}
// Sites of one parity.
template <class Target, class S>
CloverView<Target, S> clover_view(const Field& field, int parity) {
  expect(field, location_of<Target>, precision_of<S>, 6, 3);
  return CloverView<Target, S>({field.data(0, parity), field.subfield_stride()});
}

struct CloverTermCall {
  const Field* gauge = nullptr;  // double, on an extended geometry with a filled halo
  Field* term = nullptr;         // double, both parities, without halo
  double diagonal = 0, spatial = 0, temporal = 0;
};
template <class Target>
void launch_clover_term(const CloverTermCall& call, const Queue& queue);

// d exp(A/d) of blocks A/d, in double (kernels/dirac/clover/clover_exponential.hpp), d the diagonal.
template <class Target>
void launch_clover_exponential(const Field& exponent, Field& term, double diagonal, int halvings,
                               const Queue& queue);

// A and B of (C + i twist)^-1 = A - i B, B where there is a field for it. In double. Adds
// sums[3 * chirality + k], k as in kernels/dirac/clover/clover_inverse.hpp.
template <class Target>
void launch_clover_inverse(const Field& term, double twist, Field& inverse, Field* inverse_twist, int parity,
                           const Queue& queue, SumBuffer& sums);

struct CloverApplyCall {
  const Field* blocks = nullptr;
  const Field* in = nullptr;
  Field* out = nullptr;
  int parity = 0;
  ActiveSet active;
};
template <class Target, class S>
struct CloverApplyLaunch {
  static void run(const CloverApplyCall& call, const Queue& queue);
};

}  // namespace plaq
