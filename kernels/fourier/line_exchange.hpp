// The ranks along one split direction exchange lines of sites, so that each has some of them whole.
#pragma once

#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/system/memory.hpp"
#include "kernels/fourier/fourier_launch.hpp"

namespace plaq {

/// A rank's array [outer][n][stride] of `total` numbers, `extent` of them in direction n.
struct LineArray {
  int extent, stride, total;
};

template <class T>
class LineExchange {
 public:
  /// Lines in direction mu of the lattice. Collective over the grid.
  LineExchange(const ProcessGrid& grid, int mu, int global_extent, const LineArray& array, Location location);
  LineExchange(const LineExchange&) = delete;
  LineExchange& operator=(const LineExchange&) = delete;

  int direction() const { return mu_; }
  int extent() const { return extent_; }
  const SplitLines& lines() const { return split_; }
  int first_line() const { return first_; }
  int line_count() const { return count_; }
  FourierNumber<T>* whole() const { return whole_.as<FourierNumber<T>>(); }  // by position and line
  int whole_size() const { return extent_ * count_; }

  /// Moves rows to whole lines and back. Collective over the line of ranks; waits.
  void gather(FourierNumber<T>* rows, const Queue& queue);
  void scatter(FourierNumber<T>* rows, const Queue& queue);

 private:
  void reorder(FourierNumber<T>* rows, bool back, const Queue& queue);
  void exchange(bool back, const Queue& queue);

  int mu_, extent_, first_ = 0, count_ = 0, total_;
  Location location_;
  SplitLines split_;
  Communicator line_;
  Buffer packed_, whole_, staged_packed_, staged_whole_;                  // staged: page-locked, for a device
  std::vector<int> packed_counts_, packed_at_, whole_counts_, whole_at_;  // in real numbers
};

}  // namespace plaq
