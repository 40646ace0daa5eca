// Chiralities of 4D and 5D spinor fields put together
// (kernels/dirac/domain_wall/chiral_join.hpp), without half precision.
#pragma once

#include "core/field/field.hpp"

namespace plaq {

// Subfield stride * k + first is that of right-hand side k.
struct ChiralPart {
  const Field* field = nullptr;
  int stride = 1, first = 0;
};
// out = P_+ plus + P_- minus on both parities for right-hand sides 0..count-1; a part without field is 0.
// `out` may be one of the fields where subfields are the same. Queued.
void join_chiralities(Field& out, int out_stride, int out_first, const ChiralPart& plus,
                      const ChiralPart& minus, int count, const Queue& queue);

template <class Target, class S>
void launch_chiral_join(const ChiralPart& out, const ChiralPart& plus, const ChiralPart& minus, int count,
                        const Queue& queue);

}  // namespace plaq
