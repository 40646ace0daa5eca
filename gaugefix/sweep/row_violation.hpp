// Distance of g, as it is stored, from SU(3).
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq {

// |g g^dagger - 1| of a site: the root of the sum over its elements' squares. The two stored rows are read as
// they are, the third one is made of them; all in double.
struct RowViolation {
  double average = 0, largest = 0;  // over all sites and copies; NaN where one is
};

// g: as GaugeFixer::rows(), at the queue's location. Collective over the grid; waits.
RowViolation row_violation(const ProcessGrid& grid, const Field& g, const Queue& queue);

// The launch for one machine and one precision of g: adds |g g^dagger - 1| of all sites of copy k to sums[k];
// returns the largest on this rank, NaN where one is. Waits.
template <class Target, class T>
double launch_row_violation(const Field& g, SumBuffer& sums, const Queue& queue);

}  // namespace plaq
