// Measurement of the quality of a preconditioner.
#pragma once

#include "core/operator/linear_operator.hpp"
#include "multigrid/hierarchy/hierarchy.hpp"

namespace plaq {

// Time of an amount of work on a GPU, by its bytes and flops. Choices are made by it and not by a clock, so
// that they are equal everywhere; only ratios matter.
double modelled_seconds(const Work& work);

struct ProbeResult {
  double reduction = 1;          // rho: of the residual, by an iteration
  double coarse_iterations = 0;  // of a cycle
  Work iteration;                // mean, of one right-hand side, on all ranks: operators, and vectors of GCR
  // Modelled, of an iteration, and of as many as take a factor of e off the residual.
  double seconds() const { return modelled_seconds(iteration); }
  double seconds_per_e() const;
  // Iterations of a solve to this relative residual; infinite if nothing is reduced.
  double iterations(double tolerance) const;
};

// The mean reduction by an iteration of GCR with cycles, over four random sources and iterations 5 to 10: the
// first ones take off what is far from the low modes, and are faster. The same bits
// on any process grid. Collective.
ProbeResult probe(Hierarchy& hierarchy, std::uint64_t seed);

// The mean reduction in solves of random sources to 1e-4, by GCR(16). On fields with a nearly singular
// operator the iterations that probe() counts may be those of a mode which later ones find: what is best for
// them need not be for solves. The work is that in batches of twelve. The same bits
// on any process grid. Collective.
inline constexpr int solves_of_probe = 2;
ProbeResult probe_solves(Hierarchy& hierarchy, std::uint64_t seed);

}  // namespace plaq
