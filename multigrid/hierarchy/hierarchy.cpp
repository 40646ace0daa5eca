#include "multigrid/hierarchy/hierarchy.hpp"

#include <utility>

#include "multigrid/coarse/galerkin.hpp"
#include "multigrid/cycle/coarse_gcr.hpp"
#include "multigrid/setup/near_null_vectors.hpp"
#include "solvers/krylov/mr_smoother.hpp"

namespace plaq {
namespace {

// R of them, as near-null vectors of the coarse lattice.
Field restricted(const Transfer& transfer, const Field& vectors) {
  Field coarse(transfer.aggregation().coarse_ptr(),
               transfer.coarse_spec(vectors.batch(), vectors.precision()));
  transfer.restrict(coarse, vectors, ActiveSet(vectors.batch()));
  return coarse;
}

}  // namespace

void Hierarchy::build(const Field& vectors) {
  below_.clear();
  Field of_level = vectors;
  for (int level = 0; level + 1 < levels(); ++level) {
    below_.push_back(made(level, of_level));
    if (level + 2 == levels()) return;
    of_level = restricted(transfer(level), of_level);
    filter_vectors(operators(level + 1), of_level, "gcr", settings_.coarse_filter_iterations);
  }
}

Hierarchy::Below Hierarchy::made(int level, const Field& vectors) {
  LevelOperators& above = operators(level);
  NearestNeighborOperator& m = above.full();
  const int components = vectors.reals_per_site() / 2;
  Below below;
  below.transfer =
      std::make_unique<Transfer>(above.grid(), Aggregation(m.geometry(), settings(level).block, components),
                                 vectors, settings_.storage, m.queue());
  Field links = galerkin_links(above.grid(), m, *below.transfer, m.spec(1).precision, above.transport());
  below.operators = std::make_unique<CoarseLevel>(above.grid(), std::move(links), true, settings_.storage,
                                                  m.queue(), above.transport());
  return below;
}

void Hierarchy::settle() {
  for (Below& below : below_) below.operators->settle();
}

std::unique_ptr<Cycle> Hierarchy::cycle(int level, int batch) {
  LevelOperators& here = operators(level);
  std::unique_ptr<SchurOperator> s = here.smoothed(batch);
  MethodSettings smoothing;
  smoothing.omega = settings_.omega;
  auto smoother =
      std::make_unique<MrSmoother>(*s, here.grid(), batch, settings(level).smoothing_steps, smoothing);
  return std::make_unique<Cycle>(std::move(s), transfer(level), coarse_solver(level, batch),
                                 std::move(smoother), batch);
}

// Of the lattice below `level`.
std::unique_ptr<CoarseSolver> Hierarchy::coarse_solver(int level, int batch) {
  LevelOperators& coarse = operators(level + 1);
  std::unique_ptr<LinearOperator> preconditioner;
  if (level + 2 < levels()) preconditioner = cycle(level + 1, batch);
  return std::make_unique<CoarseGcr>(coarse.grid(), coarse.reduced(batch), std::move(preconditioner), batch,
                                     settings(level).coarse);
}

}  // namespace plaq
