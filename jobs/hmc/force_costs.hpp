// Costs of forces, in iterations of conjugate gradients on a GPU: as measured on 32x32x32x64 (docs/performance.md),
// and the same on every machine, since steps that are chosen by them belong to the chain.
#pragma once

#include "dynamics/terms/hmc_action.hpp"

namespace plaq::jobs {

/// Cost of a force without its solves.
inline double force_cost(const Term& term, const LoopWeights& gauge) {
  switch (term.kind) {
    case Term::Kind::gauge:
      return gauge.chair != 0 ? 30 : gauge.has_rectangles() ? 13 : 3;
    case Term::Kind::determinant:
      return 10;
    case Term::Kind::own:
      return 3;
    default:  // outer products, and the clover term
      return 15;
  }
}

/// Cost of an iteration of a solve. Multigrid makes a cycle in each, for pairs of flavours.
inline double iteration_cost(const Term& term, const MdSolverSettings& solver) {
  return solver.multigrid && term.kind == Term::Kind::twisted ? 20 : 1;
}

}  // namespace plaq::jobs
