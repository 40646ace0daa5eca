// The ranks as a 4D grid over the lattice, with a communicator of its own.
#pragma once

#include <memory>
#include <vector>

#include "comms/communicator/communicator.hpp"
#include "comms/grid/grid_choice.hpp"
#include "core/lattice/geometry.hpp"
#include "core/sums/exact_sum.hpp"

namespace plaq {

class SumExchange;

class ProcessGrid {
 public:
  // Collective. Ranks of `parent` are numbered x fastest, or with a `block` of more than one rank
  // (choose_block) such that blocks of this shape are on one node. No result depends on it. Throws
  // Error(job_file) unless the product of `ranks` is the size of `parent`.
  ProcessGrid(const Communicator& parent, const Extents& ranks, const Extents& block = {1, 1, 1, 1});
  ~ProcessGrid();
  ProcessGrid(const ProcessGrid&) = delete;
  ProcessGrid& operator=(const ProcessGrid&) = delete;

  const Communicator& comm() const { return comm_; }
  int rank() const { return rank_; }
  int size() const { return size_; }
  const Extents& ranks() const { return ranks_; }
  const Extents& position() const { return position_; }
  int neighbor(int mu, bool forward) const;  // itself where the direction is not split
  int rank_of(const Extents& position) const;

  // Sums over its ranks (comms/sums/sum_exchange.hpp).
  SumExchange& sums() const { return *sums_; }

  // forced: bit mu makes direction mu exchange halos even where it is not split.
  GeometryPtr geometry(const Extents& global, std::uint32_t forced = 0) const;
  // Geometry with any local extents (Geometry::create_general).
  GeometryPtr general_geometry(const Extents& global, LatticeOrder order, std::uint32_t forced = 0) const;

 private:
  Communicator comm_;
  int rank_ = 0, size_ = 1;
  Extents ranks_, position_{};
  std::unique_ptr<SumExchange> sums_;
  std::vector<int> cells_, ranks_of_cells_;  // where ranks are in the grid, x fastest; empty: in their order
};

// Sums over ranks, exactly: every rank gets the same doubles, whatever the grid. `sums` become those of all.
std::vector<double> global_sums(const ProcessGrid& grid, std::vector<ExactSum>& sums);
// The largest over ranks, NaN if any is.
double global_max(const ProcessGrid& grid, double value);

// A process grid of fewer ranks, for lattices that have become too small for all. Collective over `grid`. In
// each direction `merge` ranks that follow each other become one: the first of them, which is in the new grid
// at its position / merge. Null on all others. Throws Error(comms) unless `merge` divides the ranks of
// `grid`.
std::unique_ptr<ProcessGrid> merged_grid(const ProcessGrid& grid, const Extents& merge);

}  // namespace plaq
