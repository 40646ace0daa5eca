// Galerkin operators of other problems, as problems: M_c = R M P with random near-null vectors.
#pragma once

#include "multigrid/coarse/coarse_links.hpp"
#include "multigrid/transfer/transfer.hpp"
#include "tests/support/operators/problem.hpp"

namespace plaq::test {

// A problem whose operator comes apart into hops, on a lattice that may be blocked again.
struct Level {
  OperatorProblem problem;
  std::function<GeometryPtr(const ProcessGrid&, std::uint32_t forced)> geometry;
  int chiralities = 2;  // that aggregates keep apart
  // Order of coarser lattices, if it is not that which their extents allow.
  std::optional<LatticeOrder> coarse_order = {};

  // Aggregates of the sites of `fine`, which is geometry() of a grid.
  Aggregation aggregation(const GeometryPtr& fine, const Extents& block) const {
    return {fine, block, problem.shape.components(), chiralities, problem.shape.Ls, coarse_order};
  }
};
Level top_level(const OperatorProblem& problem);
// Links and near-null vectors are stored in the precision of the vectors. With one chirality operators are
// WideOperators.
Level coarse_level(const Level& fine, const Extents& block, int vectors);

// Links of a coarse operator as rows of 9 or 33 matrices: [row][site][matrix][column], matrices in the order
// of its offsets(). Sites of other ranks are 0.
Vectors rows_of(const CoarseLinks& links);

}  // namespace plaq::test
