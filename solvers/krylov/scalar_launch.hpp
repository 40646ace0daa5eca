// What a method computes of its scalars and sums, where the vectors are.
#pragma once

#include <cstdint>

#include "core/launch/queue.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

// Where the host sees that statuses are there: `seen`, in its memory, becomes ++`count`.
struct StatusSignal {
  std::uint64_t *count = nullptr, *seen = nullptr;
};

// Function is a std::variant of functors f(rhs). The one that it holds is called for each right-hand side of
// a set, all at once; after them comes the signal, where there is one. Compiled for each machine
// (solvers/krylov/scalar_launch_body.hpp).
template <class Target, class Function>
struct ScalarLaunch {
  static void run(const ActiveSet& which, const Function& f, const StatusSignal& signal, const Queue& queue);
};

}  // namespace plaq
