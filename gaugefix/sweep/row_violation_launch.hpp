// The launch of row_violation() for one machine and one precision of g.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq {

// Adds |g g^dagger - 1| of all sites of copy k to sums[k]; returns the largest on this rank, NaN where one
// is. Waits.
template <class Target, class T>
double launch_row_violation(const Field& g, SumBuffer& sums, const Queue& queue);

}  // namespace plaq
