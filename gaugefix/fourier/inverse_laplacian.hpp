// z = P r of fields of the Lie algebra: P multiplies by p_max^2 / p^2 in momentum space, p^2 being the sum of
// 4 sin^2(p_mu / 2) over directions, and p = 0 by 0. What Fourier acceleration preconditions with (Davies et
// al., Phys. Rev. D 37 (1988) 1581).
//
// On many ranks a direction that is split is transformed after an all-to-all along its line of ranks, of
// which each then has a share of the lines whole; at the last such direction momenta get their weights in
// that order, so that each split direction costs two all-to-alls in all. They go through MPI and host memory:
// a device stages them in page-locked memory.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/system/memory.hpp"
#include "gaugefix/fourier/momentum_weights.hpp"
#include "gaugefix/fourier/row_transform.hpp"
#include "kernels/fourier/line_exchange.hpp"

namespace plaq {

class InverseLaplacian {
 public:
  // `directions`: bits of those that are transformed; the other ones are done slice by slice. Collective, and
  // the grid must outlive this object.
  InverseLaplacian(const ProcessGrid& grid, const Geometry& geometry, std::uint32_t directions, int copies,
                   Location location);
  ~InverseLaplacian();

  const RowsLayout& layout() const { return layout_; }
  // to = P from, both of layout(). Queued; waits where it goes through MPI. Collective.
  void apply(ComplexPair* to, const ComplexPair* from, const Queue& queue);

 private:
  // A direction that is split over ranks.
  struct SplitDirection {
    LineExchange<float> exchange;
    std::optional<RowTransform> of_whole;  // none: this rank has no line

    SplitDirection(const ProcessGrid& grid, int mu, int extent, const RowsLayout& layout, Location location);
    void transform(bool forward, const Queue& queue) const;
  };
  bool split(int mu) const;
  void weigh(ComplexPair* field, int count, const LineExchange<float>* whole, const Queue& queue);

  Extents ranks_;
  std::uint32_t directions_;
  Location location_;
  RowsLayout layout_;
  std::optional<RowTransform> along_x_, outer_;  // of what is not split
  std::vector<std::unique_ptr<SplitDirection>> lines_;
  MomentumWeights weights_;
  Buffer squares_;
};

}  // namespace plaq
