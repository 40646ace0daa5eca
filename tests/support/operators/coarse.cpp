#include "tests/support/operators/coarse.hpp"

#include "multigrid/coarse/coarse_operator.hpp"
#include "multigrid/coarse/galerkin.hpp"
#include "multigrid/coarse/wide_operator.hpp"
#include "tests/reference/aggregates.hpp"

namespace plaq::test {
namespace {

constexpr auto wide = Precision::double_precision, single = Precision::single_precision;

// Gamma5: the second half of a site's components has the other sign.
Vector times_coarse_gamma5(Vector v, int components) {
  for (std::size_t i = 0; i < v.size(); ++i)
    if (static_cast<int>(i) % components >= components / 2) v[i] = -v[i];
  return v;
}

std::shared_ptr<LinearOperator> operator_of(CoarseLinks links, const Setting& s) {
  if (links.diagonal.empty())
    return std::make_shared<CoarseOperator>(s.grid, std::move(links.nearest), s.storage.precision, true,
                                            s.queue, s.carrier());
  return std::make_shared<WideOperator>(s.grid, std::move(links), s.storage.precision, s.queue, s.carrier());
}

}  // namespace

Level top_level(const OperatorProblem& problem) {
  return {problem, [extents = problem.extents](const ProcessGrid& grid, std::uint32_t forced) {
            return grid.geometry(extents, forced);
          }};
}

Level coarse_level(const Level& fine, const Extents& block, int vectors) {
  const OperatorProblem& f = fine.problem;
  const Vectors near_null = random_vectors(f, vectors, 61);
  const auto exact = std::make_shared<const reference::Aggregates>(
      reference::Lattice{f.extents}, block, f.shape.components(), fine.chiralities, near_null, f.shape.Ls);
  Level level;
  level.chiralities = fine.chiralities;
  level.coarse_order = fine.coarse_order;
  OperatorProblem& p = level.problem;
  p.name = f.name + "_by_" + to_string(block);
  p.extents = exact->coarse().extents;
  p.shape = {fine.chiralities, 1, vectors};
  p.bounds = {{wide, 18, 1e-13, 2e-14}, {single, 18, 1e-5, 2e-6}};
  p.general = true;
  p.general_order = fine.coarse_order;
  p.batch = 3;
  p.has_adjoint = f.has_adjoint;
  p.fits = [fine, block](const Geometry& coarse) {
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (!fine.problem.general && coarse.local()[mu] * block[mu] % 2 != 0) return false;
    return true;
  };
  level.geometry = [fine, block](const ProcessGrid& grid, std::uint32_t forced) {
    return fine.aggregation(fine.geometry(grid, forced), block).coarse_ptr();
  };
  p.make = [fine, block, near_null](const Setting& s) {
    const Location where = s.queue.location();
    const GeometryPtr geometry = fine.geometry(s.grid, s.geometry->decomposition().forced);
    const auto m = std::dynamic_pointer_cast<StencilOperator>(fine.problem.make(
        {s.grid, geometry, s.storage, s.queue, static_cast<int>(near_null.size()), s.transport}));
    const Transfer transfer(s.grid, fine.aggregation(geometry, block),
                            fine.problem.field(near_null, geometry, Subset::full, s.storage.precision, where),
                            s.storage.precision, s.queue);
    return operator_of(galerkin_links(s.grid, *m, transfer, s.storage.precision, s.carrier()), s);
  };
  p.image = [f, exact](const Vector& v, bool dagger) {
    return exact->restrict(f.image(exact->prolong(v), dagger));
  };
  if (fine.chiralities == 2)
    p.gamma5 = [vectors](const Vector& v) { return times_coarse_gamma5(v, 2 * vectors); };
  return level;
}

Vectors rows_of(const CoarseLinks& links) {
  Vectors all = to_vectors(links.nearest);
  const std::size_t n = all.size(), of_nearest = coarse_matrices * n, sites = all[0].size() / of_nearest;
  std::vector<Vectors> diagonal;
  for (const Field& field : links.diagonal) diagonal.push_back(to_vectors(field));
  for (std::size_t row = 0; row < n; ++row) {
    Vector joined;
    for (std::size_t site = 0; site < sites; ++site) {
      const auto add = [&](const Vector& from) {
        const auto some = static_cast<std::ptrdiff_t>(from.size() / sites);
        const auto first = from.begin() + static_cast<std::ptrdiff_t>(site) * some;
        joined.insert(joined.end(), first, first + some);
      };
      add(all[row]);
      for (const Vectors& of_hop : diagonal) add(of_hop[row]);
    }
    all[row] = std::move(joined);
  }
  return all;
}

}  // namespace plaq::test
