// Moves fields between the geometry of a lattice on a process grid and that of the same lattice on a merged
// one (comms/grid/process_grid.hpp), bit for bit, and to another machine where they are kept there.
//
// Sites travel through host memory and MPI.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/operator/active_set.hpp"

namespace plaq {

class Redistribution {
 public:
  // Collective over `grid`, which must outlive this. `spread` is a geometry of `grid`, `merged` one of
  // merged_grid(grid, merge), null on ranks outside of it; both of the same lattice in the same order of
  // sites, and without halo. `spec`: of the fields that will move, where they are spread; merged ones are at
  // `merged_location`. A message has at most `most_bytes`, or one subfield. Throws Error(comms) for subfields
  // that no message can hold.
  Redistribution(const ProcessGrid& grid, const Extents& merge, GeometryPtr spread, GeometryPtr merged,
                 const FieldSpec& spec, Location merged_location,
                 std::size_t most_bytes = std::size_t{1} << 24);
  ~Redistribution();
  Redistribution(const Redistribution&) = delete;
  Redistribution& operator=(const Redistribution&) = delete;

  // Collective. `to` is null on ranks outside of the merged grid. Only active right-hand sides are moved;
  // what `to` has of others it keeps. After what `queue` was given; waits for the end.
  void gather(Field* to, const Field& from, const ActiveSet& active, const Queue& queue);
  // Collective. `from` is null there.
  void scatter(Field& to, const Field* from, const ActiveSet& active, const Queue& queue);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plaq
