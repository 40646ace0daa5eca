// Body of ScalarLaunch; kernel sources instantiate it.
#pragma once

#include <type_traits>
#include <variant>

#include "core/system/runs_dry.hpp"
#include "solvers/krylov/batch_scalars.hpp"
#if defined(__CUDACC__)
#include "core/launch/launch_device.hpp"
#endif

namespace plaq {

#if defined(__CUDACC__)

// One block, so that the signal follows all statuses.
template <class F>
__global__ void __launch_bounds__(ActiveSet::capacity)
    scalars_kernel(const __grid_constant__ ActiveSet which, const __grid_constant__ F f,
                   const StatusSignal signal) {
  const auto k = static_cast<int>(threadIdx.x);
  if (k < which.count()) f(which[k]);
  if (signal.seen == nullptr) return;
  __threadfence_system();
  __syncthreads();
  if (k == 0) *static_cast<volatile std::uint64_t*>(signal.seen) = ++*signal.count;
}

template <class F>
void launch_scalars(const ActiveSet& which, const F& f, const StatusSignal& signal, const Queue& queue) {
  const auto threads = static_cast<unsigned>((which.count() + 31) / 32 * 32);
  if (threads == 0) return;
  scalars_kernel<<<1, threads, 0, detail::stream_of(queue)>>>(which, f, signal);
  check_launch(__func__);
}

#else

template <class F>
void launch_scalars(const ActiveSet& which, const F& f, const StatusSignal& signal, const Queue&) {
  for (int k = 0; k < which.count(); ++k) f(which[k]);
  if (signal.seen != nullptr) *signal.seen = ++*signal.count;
}

#endif

template <class Target, class Function>
void ScalarLaunch<Target, Function>::run(const ActiveSet& which, const Function& f,
                                         const StatusSignal& signal, const Queue& queue) {
  static_assert(std::is_same_v<Target, BuildTarget>);
  on_numbers([&] { std::visit([&](const auto& held) { launch_scalars(which, held, signal, queue); }, f); });
}

}  // namespace plaq
