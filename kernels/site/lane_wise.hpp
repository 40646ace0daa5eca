// Scalar work inside a kernel (accept and reject, random numbers): on the device a site is one thread anyway,
// on the host the lanes of a group are taken one after the other.
#pragma once

#include "core/lattice/lattice_shape.hpp"
#include "core/launch/arch.hpp"

namespace plaq {

// Calls f(lane, checkerboard index) for every site that is meant.
template <class F>
PLAQ_HD void for_each_lane(const DeviceSite& site, F&& f) {
  f(0, site.index);
}
PLAQ_HD double get_lane(float value, int) { return value; }
PLAQ_HD double get_lane(double value, int) { return value; }
PLAQ_HD void set_lane(float& value, int, double to) { value = static_cast<float>(to); }
PLAQ_HD void set_lane(double& value, int, double to) { value = to; }
// True in lanes with a <= b, false if one of them is NaN.
PLAQ_HD bool at_most(float a, float b) { return a <= b; }
PLAQ_HD bool at_most(double a, double b) { return a <= b; }

#if !defined(__CUDACC__)
template <int Width, class F>
PLAQ_HD void for_each_lane(const LaneSite<Width>& site, F&& f) {
  for (int lane = 0; lane < Width; ++lane)
    if ((site.mask >> lane) & 1u) f(lane, site.index + lane);
}
template <class T, int N>
PLAQ_HD double get_lane(const Lanes<T, N>& value, int lane) {
  return static_cast<double>(value[lane]);
}
template <class T, int N>
PLAQ_HD void set_lane(Lanes<T, N>& value, int lane, double to) {
  value.set(lane, static_cast<T>(to));
}
template <class T, int N>
PLAQ_HD LaneMask at_most(const Lanes<T, N>& a, const Lanes<T, N>& b) {
  LaneMask mask = 0;
  for (int lane = 0; lane < N; ++lane)
    if (a[lane] <= b[lane]) mask |= LaneMask{1} << lane;
  return mask;
}
#endif

// Key of random numbers: the number of the site in the whole lattice, the same on any process
// grid.
PLAQ_HD std::uint64_t global_site(const LatticeShape& shape, int parity, int index) {
  return static_cast<std::uint64_t>(shape.global_index(shape.coordinates(parity, index)));
}

}  // namespace plaq
