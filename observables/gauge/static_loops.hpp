// Wilson loops W(r, t) for the static potential, with r along the axes of the lattice and off them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "kernels/gauge/loop_step.hpp"

namespace plaq {

class Field;
struct SharedLattice;

/// The loops that are measured.
struct StaticLoopSettings {
  std::optional<int> max_r = {};  ///< largest coordinate of r; none: half of the smallest extent in space
  std::optional<int> max_t = {};  ///< none: half of the extent in time
  std::vector<std::string> directions{"100"};  ///< steps of which r is a multiple: digits x, y, z

  int largest_r(const Extents& extents) const;  ///< max_r, or its default on this lattice
  int largest_t(const Extents& extents) const;  ///< max_t, or its default on this lattice
};

/// The step of a direction of three digits.
LoopStep loop_step(const std::string& digits);
/// The number of multiples of a step that have no coordinate above max_r.
int multiples_of(const LoopStep& step, int max_r);

/// W(n step, t), n = 1 ... multiples and t = 1 ... slices: Re tr / 3, average over sites and over all
/// directions that turns and reflections make of the step.
struct StaticLoops {
  LoopStep step{};                ///< r of the first loop
  int multiples = 0, slices = 0;  ///< largest n and largest t
  std::vector<double> values;     ///< [n][t]
};

/// A setting at fault, and why.
struct LoopFault {
  const char* setting;  ///< name of the setting
  std::string why;      ///< value and limit
};
/// The first fault of settings on a lattice of these extents, or nothing.
std::optional<LoopFault> validate_loops(const StaticLoopSettings& settings, const Extents& extents);

/// Measures the loops of each direction on the links as they are, with their halo. validate_loops() must find
/// nothing. Collective.
std::vector<StaticLoops> static_loops(const SharedLattice& lattice, const Field& gauge,
                                      const StaticLoopSettings& settings);

}  // namespace plaq
