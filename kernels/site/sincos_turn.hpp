// sin and cos of 2 pi r, 0 < r < 1, on both machines.
#pragma once

#include <cmath>

#include "core/launch/target.hpp"

namespace plaq::detail {

PLAQ_HD void sincos_turn(double r, double& s, double& c) {
#if defined(__CUDA_ARCH__)
  sincospi(2 * r, &s, &c);
#else
  const double angle = 6.283185307179586 * r;
  s = std::sin(angle);
  c = std::cos(angle);
#endif
}
PLAQ_HD void sincos_turn(float r, float& s, float& c) {
#if defined(__CUDA_ARCH__)
  sincospif(2 * r, &s, &c);
#else
  const float angle = 6.2831853f * r;
  s = std::sin(angle);
  c = std::cos(angle);
#endif
}

}  // namespace plaq::detail
