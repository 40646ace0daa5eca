// Galerkin operators of other problems, as problems: M_c = R M P with random near-null vectors.
#pragma once

#include "tests/support/operators/problem.hpp"

namespace plaq::test {

// A problem whose operator comes apart into hops, on a lattice that may be blocked again.
struct Level {
  OperatorProblem problem;
  std::function<GeometryPtr(const ProcessGrid&, std::uint32_t forced)> geometry;
};
Level top_level(const OperatorProblem& problem);
// Links and near-null vectors are stored in the precision of the vectors.
Level coarse_level(const Level& fine, const Extents& block, int vectors);

}  // namespace plaq::test
