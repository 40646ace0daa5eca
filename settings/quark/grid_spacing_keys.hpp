// The key `spacing` of [source], of grids and of noise.
#pragma once

#include "kernels/quark/sources.hpp"

namespace plaq::settings {

struct GridSpacingKeys {
  GridSpacing spacing{1, 1, 1};
};

}  // namespace plaq::settings
