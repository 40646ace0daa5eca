// How good a preconditioner is.
#pragma once

#include "core/operator/linear_operator.hpp"
#include "multigrid/hierarchy/hierarchy.hpp"

namespace plaq {

struct ProbeResult {
  double reduction = 1;          // rho: of the residual, by an iteration
  double coarse_iterations = 0;  // of a cycle
  Work iteration;                // of one right-hand side, on all ranks
  // That a solve takes to this relative residual; infinite where nothing is reduced.
  double iterations(double tolerance) const;
};

// The mean reduction by an iteration of GCR with cycles, over four random sources and iterations 5 to 10: the first ones
// take off what is far from the low modes, and are faster. The same bits on any process grid. Collective.
ProbeResult probe(Hierarchy& hierarchy, std::uint64_t seed);

}  // namespace plaq
