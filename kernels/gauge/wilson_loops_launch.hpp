// The launches behind Wilson loops for one machine, in double on an extended
// geometry (kernels/site/wilson_loop.hpp).
#pragma once

#include "core/field/field.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq {

// At all stored sites, the halo included.
template <class Target>
void launch_loop_start(const Field& gauge, Field& ends, const Queue& queue);
// Multiplies lines at the owned sites; `ends` has a halo in mu.
template <class Target>
void launch_loop_hop(const Field& gauge, const Field& ends, Field& moved, int mu, bool forward,
                     const Queue& queue);

struct LoopRiseCall {
  const Field* ends = nullptr;
  const Field* from = nullptr;  // has a halo in time
  Field* to = nullptr;
  int from_subfield = 0, to_subfield = 0;
  bool keep = true;
};
// Re tr of the loops, summed over the owned sites, is added to sums[number].
template <class Target>
void launch_loop_rise(const Field& gauge, const LoopRiseCall& call, const Queue& queue, SumBuffer& sums,
                      int number);

}  // namespace plaq
