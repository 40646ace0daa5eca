// Coarse operators with matrices that follow from the site in the whole lattice.
#pragma once

#include "comms/transport/transport.hpp"
#include "multigrid/coarse/coarse_operator.hpp"
#include "tests/support/grids.hpp"
#include "tests/support/numbered_field.hpp"
#include "tests/support/random_vectors.hpp"

namespace plaq::test {

// 1 and small random numbers, so that solvers converge.
inline Field random_links(const GeometryPtr& g, int components, Precision precision, Location location) {
  const auto n = static_cast<std::size_t>(components);
  const auto sites = static_cast<std::size_t>(g->global_volume());
  Vectors rows = random_vectors(components, sites * coarse_matrices * n, 91);
  for (std::size_t row = 0; row < n; ++row) {
    for (Complex64& z : rows[row]) z *= 0.07;
    for (std::size_t x = 0; x < sites; ++x) rows[row][(x * coarse_matrices + coarse_hops) * n + row] += 1;
  }
  return to_plaq(Columns(rows), g, coarse_links_spec(components, precision, location));
}

inline std::shared_ptr<CoarseOperator> coarse_operator(const ProcessGrid& grid, Field links,
                                                       const Queue& queue) {
  return std::make_shared<CoarseOperator>(grid, std::move(links), Precision::single_precision, true, queue,
                                          make_host_transport(grid, queue.location()));
}
inline std::shared_ptr<CoarseOperator> coarse_operator(const ProcessGrid& grid, Field links) {
  const Queue queue(links.location());
  return coarse_operator(grid, std::move(links), queue);
}

// Every process grid that a level on `ranks` can go down to, that one too.
template <class Visit>
void for_grids_below(const Extents& ranks, Visit&& visit) {
  for (const Extents& merge : merges(ranks)) {
    Extents fewer = ranks;
    for (std::size_t mu = 0; mu < 4; ++mu) fewer[mu] /= merge[mu];
    SCOPED_TRACE("down to " + to_string(fewer));
    visit(fewer);
  }
}

}  // namespace plaq::test
