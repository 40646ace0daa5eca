// Inverses of dense matrices on a GPU by cuSOLVER. The library is loaded when it is wanted: it is large.
#pragma once

#include <complex>

#include "core/launch/queue.hpp"

namespace plaq {

// Inverts like invert_dense(), on the queue's device; `matrix` stays. Needs memory there for two such
// matrices and cuSOLVER's own. False if plaq was built without cuSOLVER, or it cannot be loaded. Waits.
// Throws Error(device) if a call fails.
bool invert_by_cusolver(std::complex<double>* inverse, const std::complex<double>* matrix, int n,
                        const Queue& queue);

}  // namespace plaq
