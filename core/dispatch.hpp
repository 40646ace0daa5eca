// From run-time location and precision to compile-time target and scalar: the one place where they meet.
#pragma once

#include "core/error.hpp"
#include "core/location.hpp"
#include "core/target.hpp"

namespace plaq {

template <class Target, class T>
struct Kind {
  using target = Target;
  using scalar = T;
};

// Calls f(Kind<Target, T>{}) for the kernels that belong to the location and precision.
template <class F>
decltype(auto) dispatch(Location location, Precision precision, F&& f) {
  const bool single = precision == Precision::single_precision;
  if constexpr (with_cuda) {
    if (location == Location::device) return single ? f(Kind<Device, float>{}) : f(Kind<Device, double>{});
  } else {
    require(location == Location::host, "this plaq was built without CUDA");
  }
  return single ? f(Kind<Host, float>{}) : f(Kind<Host, double>{});
}

}  // namespace plaq
