// A kernel that the tuner has a choice for, on both machines: right-hand sides share what a thread has
// loaded.
#pragma once

#include "core/field/field.hpp"
#include "core/launch/tuning.hpp"

namespace plaq::test {

// y[i] += m(site) x[i] for all subfields i of 2x1 fields, full; m is component 0 of subfield 0 of `m`.
// `launch`: as it is given, or tuned where that is null. Returns what was launched.
template <class Target, class T>
Launch multiply_and_add(const Field& m, const Field& x, const Field& y, const Queue& queue,
                        const Launch* launch);

std::vector<Launch> multiply_and_add_candidates(Location location);

}  // namespace plaq::test
