// Galerkin operators of Wilson, clover and domain-wall quarks on random links, as cases of tests.
#pragma once

#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/coarse.hpp"
#include "tests/support/operators/domain_wall.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq::test {

inline Level wilson_quarks(const Extents& extents, Clover clover, double more_mass = 0) {
  WilsonProblem problem = make_wilson(extents, clover);
  problem.ours.mass += more_mass;
  return top_level(wilson_operator(problem));
}

// The product that multigrid coarsens of domain walls. `order`: of coarse lattices.
inline Level walls(const Extents& extents, Wall wall, int n_s,
                   std::optional<LatticeOrder> order = LatticeOrder::lexicographic) {
  Level level = top_level(wall_product(make_wall_problem(extents, wall, n_s, 0)));
  level.chiralities = 1;
  level.coarse_order = order;
  return level;
}

struct Coarsening {
  Extents block;
  int vectors;
};
// One lattice further down for each of these.
inline OperatorCase coarse_case(const char* name, const std::function<Level()>& finest,
                                const std::vector<Coarsening>& coarsenings) {
  return {name, [=] {
            Level level = finest();
            for (const auto& [block, vectors] : coarsenings) level = coarse_level(level, block, vectors);
            return level.problem;
          }};
}
inline OperatorCase coarse_case(const char* name, const Extents& extents, Clover clover,
                                const std::vector<Coarsening>& coarsenings) {
  return coarse_case(
      name, [=] { return wilson_quarks(extents, clover); }, coarsenings);
}
inline OperatorCase coarse_case(const char* name, const Extents& extents, Wall wall, int n_s,
                                const std::vector<Coarsening>& coarsenings,
                                std::optional<LatticeOrder> order = LatticeOrder::lexicographic) {
  return coarse_case(
      name, [=] { return walls(extents, wall, n_s, order); }, coarsenings);
}

// Relative to the largest component.
inline double distance(const Field& found, const Field& expected) {
  return deviation(found, Columns(to_vectors(expected))).most();
}

}  // namespace plaq::test
