// Moves fields between the geometry of a lattice on a process grid and that of the same lattice on a merged one
// (comms/grid/merged_grid.hpp), bit for bit.
//
// Sites travel through host memory and MPI; fields on a device pass through copies of theirs on the host.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"

namespace plaq {

class Redistribution {
 public:
  // Collective over `grid`, which must outlive this. `spread` is a geometry of `grid`, `merged` one of
  // merged_grid(grid, merge), null on ranks outside of it; both of the same lattice in the same order of
  // sites, and without halo. `spec`: of the fields that will move. A message has at most `most_bytes`, or
  // one subfield. Throws Error(comms) for subfields that no message can hold.
  Redistribution(const ProcessGrid& grid, const Extents& merge, GeometryPtr spread, GeometryPtr merged,
                 const FieldSpec& spec, std::size_t most_bytes = std::size_t{1} << 26);
  ~Redistribution();
  Redistribution(const Redistribution&) = delete;
  Redistribution& operator=(const Redistribution&) = delete;

  // Collective. `to` is null on ranks outside of the merged grid.
  void gather(Field* to, const Field& from);
  // Collective. `from` is null there.
  void scatter(Field& to, const Field* from);

 private:
  struct Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace plaq
