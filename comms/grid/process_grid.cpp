#include "comms/grid/process_grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>

#include "comms/communicator/node_map.hpp"
#include "comms/sums/sum_exchange.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/waiting.hpp"

namespace plaq {

ProcessGrid::ProcessGrid(const Communicator& parent, const Extents& ranks, const Extents& block)
    : ranks_(ranks) {
  if (!runs_dry()) check_grid(ranks, parent.size());
  comm_ = parent.duplicate();
  rank_ = comm_.rank();
  size_ = ranks[0] * ranks[1] * ranks[2] * ranks[3];
  std::vector<int> nodes = nodes_of(comm_);
  nodes.resize(static_cast<std::size_t>(size_));
  sums_ = std::make_unique<SumExchange>(comm_, nodes);
  if (block != Extents{1, 1, 1, 1}) {
    cells_ = cells_of_ranks(ranks, block, nodes);
    ranks_of_cells_.resize(cells_.size());
    for (std::size_t r = 0; r < cells_.size(); ++r)
      ranks_of_cells_[static_cast<std::size_t>(cells_[r])] = static_cast<int>(r);
  }
  position_ = position_of(cells_.empty() ? rank_ : cells_[static_cast<std::size_t>(rank_)], ranks_);
}

ProcessGrid::~ProcessGrid() = default;

int ProcessGrid::neighbor(int mu, bool forward) const {
  const auto m = static_cast<std::size_t>(mu);
  Extents p = position_;
  p[m] = (p[m] + (forward ? 1 : ranks_[m] - 1)) % ranks_[m];
  return rank_of(p);
}

int ProcessGrid::rank_of(const Extents& position) const {
  const int cell = cell_of(position, ranks_);
  return ranks_of_cells_.empty() ? cell : ranks_of_cells_[static_cast<std::size_t>(cell)];
}

GeometryPtr ProcessGrid::geometry(const Extents& global, std::uint32_t forced) const {
  return Geometry::create({global, ranks_, position_, forced});
}

GeometryPtr ProcessGrid::general_geometry(const Extents& global, LatticeOrder order,
                                          std::uint32_t forced) const {
  return Geometry::create_general({global, ranks_, position_, forced}, order);
}

std::vector<double> global_sums(const ProcessGrid& grid, std::vector<ExactSum>& sums) {
  return grid.sums().sum(sums);
}

double global_max(const ProcessGrid& grid, double value) {
  const double lowest = -std::numeric_limits<double>::infinity();  // a maximum says nothing of NaN
  double largest[2] = {std::isnan(value) ? lowest : value, std::isnan(value) ? 1.0 : 0.0};
  const Waiting wait([] { return std::string("a largest value over all ranks"); });
  grid.comm().max(std::span(largest));
  return largest[1] != 0 ? std::numeric_limits<double>::quiet_NaN() : largest[0];
}

std::unique_ptr<ProcessGrid> merged_grid(const ProcessGrid& grid, const Extents& merge) {
  Extents ranks, position;
  bool first = true;
  for (std::size_t mu = 0; mu < 4; ++mu) {
    if (merge[mu] < 1 || grid.ranks()[mu] % merge[mu] != 0)
      throw Error(ErrorKind::comms, "process grid " + to_string(grid.ranks()) + " cannot merge " +
                                        to_string(merge) + " ranks into one: " + std::to_string(merge[mu]) +
                                        " in " + "xyzt"[mu] + " does not divide " +
                                        std::to_string(grid.ranks()[mu]));
    ranks[mu] = grid.ranks()[mu] / merge[mu];
    position[mu] = grid.position()[mu] / merge[mu];
    first = first && grid.position()[mu] % merge[mu] == 0;
  }
  const auto firsts = grid.comm().part(first, cell_of(position, ranks));
  return first ? std::make_unique<ProcessGrid>(*firsts, ranks) : nullptr;
}

}  // namespace plaq
