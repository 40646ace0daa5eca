// Galerkin operators of Wilson and clover quarks on random links, as cases of tests.
#pragma once

#include "tests/support/operators/checks.hpp"
#include "tests/support/operators/coarse.hpp"
#include "tests/support/operators/wilson.hpp"

namespace plaq::test {

inline Level wilson_quarks(const Extents& extents, Clover clover, double more_mass = 0) {
  WilsonProblem problem = make_wilson(extents, clover);
  problem.ours.mass += more_mass;
  return top_level(wilson_operator(problem));
}

struct Coarsening {
  Extents block;
  int vectors;
};
// One lattice further down for each of these.
inline OperatorCase coarse_case(const char* name, const Extents& extents, Clover clover,
                                const std::vector<Coarsening>& coarsenings) {
  return {name, [=] {
            Level level = wilson_quarks(extents, clover);
            for (const auto& [block, vectors] : coarsenings) level = coarse_level(level, block, vectors);
            return level.problem;
          }};
}

// Relative to the largest component.
inline double distance(const Field& found, const Field& expected) {
  return deviation(found, Columns(to_vectors(expected))).most();
}

}  // namespace plaq::test
