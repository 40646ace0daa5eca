#include "tests/support/operators/coarse.hpp"

#include "multigrid/coarse/coarse_operator.hpp"
#include "multigrid/coarse/galerkin.hpp"
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

}  // namespace

Level top_level(const OperatorProblem& problem) {
  return {problem, [extents = problem.extents](const ProcessGrid& grid, std::uint32_t forced) {
            return grid.geometry(extents, forced);
          }};
}

Level coarse_level(const Level& fine, const Extents& block, int vectors) {
  const OperatorProblem& f = fine.problem;
  const int components = f.shape.components();
  const Vectors near_null = random_vectors(f, vectors, 61);
  const auto exact = std::make_shared<const reference::Aggregates>(reference::Lattice{f.extents}, block,
                                                                   components, 2, near_null);
  Level level;
  OperatorProblem& p = level.problem;
  p.name = f.name + "_by_" + to_string(block);
  p.extents = exact->coarse().extents;
  p.shape = {2, 1, vectors};
  p.bounds = {{wide, 18, 1e-13, 2e-14}, {single, 18, 1e-5, 2e-6}};
  p.general = true;
  p.batch = 3;
  p.fits = [fine, block](const Geometry& coarse) {
    for (std::size_t mu = 0; mu < 4; ++mu)
      if (!fine.problem.general && coarse.local()[mu] * block[mu] % 2 != 0) return false;
    return true;
  };
  level.geometry = [fine, block](const ProcessGrid& grid, std::uint32_t forced) {
    return Blocking(fine.geometry(grid, forced), block).coarse_ptr();
  };
  p.make = [fine, block, components, near_null](const Setting& s) {
    const Location where = s.queue.location();
    const GeometryPtr geometry = fine.geometry(s.grid, s.geometry->decomposition().forced);
    const auto m = std::dynamic_pointer_cast<NearestNeighborOperator>(fine.problem.make(
        {s.grid, geometry, s.storage, s.queue, static_cast<int>(near_null.size()), s.transport}));
    const Transfer transfer(s.grid, Aggregation(geometry, block, components),
                            fine.problem.field(near_null, geometry, Subset::full, s.storage.precision, where),
                            s.storage.precision, s.queue);
    Field links = galerkin_links(s.grid, *m, transfer, s.storage.precision, s.carrier());
    return std::make_shared<CoarseOperator>(s.grid, std::move(links), s.storage.precision, true, s.queue,
                                            s.carrier());
  };
  p.image = [f, exact](const Vector& v, bool dagger) {
    return exact->restrict(f.image(exact->prolong(v), dagger));
  };
  p.gamma5 = [vectors](const Vector& v) { return times_coarse_gamma5(v, 2 * vectors); };
  return level;
}

}  // namespace plaq::test
