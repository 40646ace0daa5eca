// The ranks along one split direction exchange lines of sites, so that each has some of them whole.
#pragma once

#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/system/memory.hpp"
#include "gaugefix/fourier/fourier_launch.hpp"
#include "gaugefix/fourier/row_transform.hpp"

namespace plaq {

class LineExchange {
 public:
  // Collective over the grid.
  LineExchange(const ProcessGrid& grid, int mu, int global_extent, const RowsLayout& layout,
               Location location);
  LineExchange(const LineExchange&) = delete;
  LineExchange& operator=(const LineExchange&) = delete;

  int direction() const { return mu_; }
  const SplitLines& lines() const { return split_; }
  int first_line() const { return first_; }
  int line_count() const { return count_; }
  ComplexPair* whole() const { return whole_.as<ComplexPair>(); }  // by position and line
  int whole_size() const { return extent_ * count_; }

  // Rows to whole lines and back. Collective over the line of ranks; waits.
  void gather(ComplexPair* rows, const Queue& queue);
  void scatter(ComplexPair* rows, const Queue& queue);
  // Of the whole lines. Queued.
  void transform(bool forward, const Queue& queue) const {
    if (count_ > 0) transform_->run(whole(), whole(), forward, queue);
  }

 private:
  void exchange(bool back, const Queue& queue);

  int mu_, extent_, first_ = 0, count_ = 0, total_;
  Location location_;
  SplitLines split_;
  Communicator line_;
  Buffer packed_, whole_, staged_packed_, staged_whole_;                  // staged: page-locked, for a device
  std::vector<int> packed_counts_, packed_at_, whole_counts_, whole_at_;  // in floats
  std::unique_ptr<RowTransform> transform_;
};

}  // namespace plaq
