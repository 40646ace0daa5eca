// Functors that write down where a launch came by, and reductions over given numbers.
#pragma once

#include <array>

#include "core/field/field.hpp"
#include "core/lattice/domain.hpp"
#include "core/sums/sum_buffer.hpp"

namespace plaq::test {

// In subfield `inner` of `counts` (2x1 components, full), on each site of `parity`: adds 1 to real 0 and
// inner to real 1.
template <class Target, class T>
void launch_count_visits(const Field& counts, int parity, const Domain& domain, const Queue& queue);

// Sums over the domain of real 0 and of 2 * real 1 of subfield `inner` of `values` (2x1 components, full).
// `in_threads`: by a functor whose threads add; `blocks`: as reduce() takes it.
template <class Target, class T>
void launch_sum(const Field& values, int parity, const Domain& domain, SumBuffer& sums, int first,
                const Queue& queue, bool in_threads = false, int blocks = 0);

// The largest |real 0| and |real 1|.
template <class Target, class T>
std::array<double, 2> launch_max(const Field& values, int parity, const Domain& domain, const Queue& queue);

}  // namespace plaq::test
