// From run-time location and precision to compile-time target and storage: the one place where they meet.
#pragma once

#include "core/launch/target.hpp"
#include "core/system/error.hpp"
#include "core/system/location.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {

template <class Target, class S>
struct Kind {
  using target = Target;
  using scalar = S;
};

template <class S>
struct Storage {
  using type = S;
};

// Calls f(Storage<S>{}). Quarter precision has no kernels but those of with_matrix_storage().
template <class F>
decltype(auto) with_storage(Precision precision, F&& f) {
  require(precision != Precision::quarter_precision, "quarter precision is a storage of matrices only");
  switch (precision) {
    case Precision::half_precision:
      return f(Storage<Fixed16>{});
    case Precision::single_precision:
      return f(Storage<float>{});
    default:
      return f(Storage<double>{});
  }
}

// Dispatches storages of matrices.
template <class F>
decltype(auto) with_matrix_storage(Precision precision, F&& f) {
  if (precision == Precision::quarter_precision) return f(Storage<Fixed8>{});
  return with_storage(precision, f);
}

// Calls f(Kind<Target, S>{}) for the kernels that belong to the location and precision; half precision is
// Fixed16.
template <class F>
decltype(auto) dispatch_storage(Location location, Precision precision, F&& f) {
  return with_storage(precision, [&](auto storage) -> decltype(auto) {
    using S = typename decltype(storage)::type;
    if constexpr (with_cuda) {
      if (location == Location::device) return f(Kind<Device, S>{});
    } else {
      require(location == Location::host || runs_dry(), "this plaq was built without CUDA");
    }
    return f(Kind<Host, S>{});
  });
}

// Dispatches for kernels that have no half precision.
template <class F>
decltype(auto) dispatch(Location location, Precision precision, F&& f) {
  require(bytes_of(precision) >= 4, "half precision is a storage of solvers' fields only");
  const bool single = precision == Precision::single_precision;
  if constexpr (with_cuda) {
    if (location == Location::device) return single ? f(Kind<Device, float>{}) : f(Kind<Device, double>{});
  } else {
    require(location == Location::host || runs_dry(), "this plaq was built without CUDA");
  }
  return single ? f(Kind<Host, float>{}) : f(Kind<Host, double>{});
}

}  // namespace plaq
