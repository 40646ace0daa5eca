#include "multigrid/cycle/coarse_solver.hpp"

#include <utility>

#include "multigrid/coarse/coarse_hat.hpp"
#include "solvers/krylov/make_method.hpp"

namespace plaq {
namespace {

CoarseSchur make_schur(const ProcessGrid& grid, std::shared_ptr<CoarseOperator> m, int batch,
                       std::shared_ptr<Transport> transport) {
  auto hat =
      std::make_shared<CoarseOperator>(grid, coarse_hat_links(grid, m->links(), m->queue()),
                                       m->spec(1).precision, m->chiral(), m->queue(), std::move(transport));
  return CoarseSchur(std::move(m), std::move(hat), 0, batch);
}

MethodSettings settings_of(const CoarseSolveSettings& s) {
  MethodSettings settings;
  settings.restart_length = s.most_iterations;
  return settings;
}

}  // namespace

CoarseSolver::CoarseSolver(const ProcessGrid& grid, std::shared_ptr<CoarseOperator> m, int batch,
                           const CoarseSolveSettings& settings, std::shared_ptr<Transport> transport)
    : settings_(settings),
      schur_(make_schur(grid, std::move(m), batch, std::move(transport))),
      gcr_(make_method("gcr", schur_, batch, settings_of(settings)), grid, batch),
      reduced_(schur_.geometry(), schur_.spec(batch)),
      solution_(schur_.geometry(), schur_.spec(batch)) {}

void CoarseSolver::solve(Field& e, const Field& b, const ActiveSet& active) {
  schur_.reduce_source(reduced_, b);
  SolverParameters parameters;
  parameters.tolerance = settings_.tolerance;
  parameters.max_iterations = settings_.most_iterations;
  parameters.trust_iterated = true;
  parameters.zero_guess = true;
  parameters.active.assign(static_cast<std::size_t>(b.batch()), 0);
  for (int k = 0; k < active.count(); ++k) parameters.active[static_cast<std::size_t>(active[k])] = 1;
  iterations_ = gcr_.solve(solution_, reduced_, parameters).iterations;
  schur_.reconstruct(e, solution_, b);
}

}  // namespace plaq
