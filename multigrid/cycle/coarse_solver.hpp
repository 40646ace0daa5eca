// The solve of a coarse system within a cycle: GCR on its even-odd form, a few iterations to a loose tolerance.
#pragma once

#include "multigrid/coarse/coarse_schur.hpp"
#include "solvers/krylov/krylov_solver.hpp"

namespace plaq {

struct CoarseSolveSettings {
  double tolerance = 0.25;  // of the residual, relative
  int most_iterations = 16;
};

class CoarseSolver {
 public:
  // On a lattice with a checkerboard. `transport` of its grid. Collective. Throws where the matrix of a site is singular.
  CoarseSolver(const ProcessGrid& grid, std::shared_ptr<CoarseOperator> m, int batch,
               const CoarseSolveSettings& settings, std::shared_ptr<Transport> transport);

  // e is approximately M^-1 b, on both parities. Collective.
  void solve(Field& e, const Field& b, const ActiveSet& active);
  int iterations() const { return iterations_; }  // of the last solve, at most of its right-hand sides

 private:
  CoarseSolveSettings settings_;
  CoarseSchur schur_;
  KrylovSolver gcr_;
  Field reduced_, solution_;
  int iterations_ = 0;
};

}  // namespace plaq
