// Three quarks carry the sign of their boundary condition in time across it.
#pragma once

#include "core/system/error.hpp"
#include "kernels/quark/momentum.hpp"

namespace plaq {

inline void expect_boundary_sign(int time_boundary) {
  require(time_boundary == 1 || time_boundary == -1, "the sign of a boundary condition is neither 1 nor -1");
}

// Takes it out of the slices before the source (t >= T - source_slice): correlators of baryons then depend on
// t alone and not on where the source is.
inline void take_boundary_out(Correlators& correlators, int source_slice, int time_boundary) {
  for (auto& channel : correlators)
    for (auto& correlator : channel)
      for (std::size_t t = correlator.size() - static_cast<std::size_t>(source_slice); t < correlator.size();
           ++t)
        correlator[t] *= time_boundary;
}

}  // namespace plaq
