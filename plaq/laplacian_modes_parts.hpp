// The modes that LaplacianModes holds, for the classes of plaq.
#pragma once

#include "io/laplacian_modes/laplacian_mode_info.hpp"
#include "plaq/laplacian_modes.hpp"
#include "quarks/distillation/slice_modes.hpp"

namespace plaq {

struct LaplacianModes::Parts {
  Lattice lattice;
  Field modes;  // color vectors of spinors, in double precision, at the location of the lattice
  LaplacianModeInfo info;
  int count;
  std::int64_t applications;

  SliceModes of_slices() const { return {modes, count}; }
};

}  // namespace plaq
