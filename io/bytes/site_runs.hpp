// Places of sites in a file of equal records, one a site, and the ranks that move a part of it together.
//
// A row is a rank's sites along the fastest direction: consecutive records. What lies between two rows of a
// rank belongs to others, so ranks form groups, each of which owns whole runs: consecutive records that are
// long enough to be read or written at once. A group has the ranks that differ in the k fastest directions
// only, with the smallest k that will do: none where the rank's own rows follow each other.
#pragma once

#include <array>
#include <cstdint>

#include "core/lattice/geometry.hpp"

namespace plaq {

struct SiteOrder {
  std::array<int, 4> directions{0, 1, 2, 3};  // the fastest first
  bool one_parity = false;                    // records of the sites of one parity only

  bool operator==(const SiteOrder&) const = default;
};

class SiteRuns {
 public:
  // A run of less than `least_bytes` is no run unless it is the whole file.
  SiteRuns(const Geometry& geometry, const SiteOrder& order, std::int64_t record_bytes,
           std::int64_t least_bytes);

  int group_size() const { return group_size_; }
  int member() const { return member_; }  // this rank in its group
  int group() const { return group_; }    // which group: a number that its members share

  std::int64_t row_records() const { return local_[0]; }
  std::int64_t runs() const { return runs_; }             // of the group
  std::int64_t rows_of_run() const { return run_rows_; }  // of all members
  std::int64_t first_record(std::int64_t run) const;      // of the file

  // The rows of a run are numbered as they follow each other in the file.
  int owner(std::int64_t row) const;  // the member that owns it
  // This rank's rows among the first `rows` of a run. Its rows, run after run, are in the order of the file.
  std::int64_t own_rows(std::int64_t rows) const;

 private:
  using Numbers = std::array<std::int64_t, 4>;  // in the order of the file, fastest first

  Numbers global_{}, local_{}, ranks_{}, position_{}, first_{};  // in records along the fastest direction
  int shared_ = 0;                                               // k
  int inside_ = 0;                                               // directions that lie inside a run
  Numbers run_{};                                                // extents of a run; the fastest in rows
  int group_size_ = 1, member_ = 0, group_ = 0;
  std::int64_t runs_ = 1, run_rows_ = 1;
};

}  // namespace plaq
