// Costs of forces, in iterations of conjugate gradients on a GPU: as measured on 32x32x32x64
// (docs/performance.md), and the same on every machine, since steps that are chosen by them belong to the
// chain.
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

/// Cost of an iteration of solves that take so many each. Those with multigrid make a cycle in each
/// iteration, and few of them; pairs of flavours with large twists are solved without it.
inline double iteration_cost(const Term& term, const MdSolverSettings& solver, double iterations_of_a_solve) {
  constexpr double most_cycles = 60;
  return solver.multigrid && term.kind == Term::Kind::twisted && iterations_of_a_solve < most_cycles ? 20 : 1;
}

}  // namespace plaq::jobs
