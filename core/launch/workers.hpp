// Workers of a team, who do things of their own until all wait for all: warps of a
// device, the one thread of a host.
#pragma once

#include "core/launch/team.hpp"

namespace plaq {

inline constexpr int most_workers = 8;  // of a team: of 256 threads

template <class Target>
struct Workers {
  static PLAQ_HD int count() { return 1; }
  static PLAQ_HD int number() { return 0; }
  // f(i) for i below n, by one worker each; then all wait for all.
  template <class F>
  static PLAQ_HD void for_each(int n, const F& f) {
    for (int i = 0; i < n; ++i) f(i);
  }
  // Within f: g(i) by one member of the worker each, which sees what its members have
  // written; then they wait for each other.
  template <class G>
  static PLAQ_HD void for_members(int n, const G& g) {
    for (int i = 0; i < n; ++i) g(i);
  }
};

#if defined(__CUDACC__)
template <>
struct Workers<Device> {
  static __device__ int count() { return static_cast<int>(blockDim.x) >> 5; }
  static __device__ int number() { return static_cast<int>(threadIdx.x) >> 5; }
  static __device__ int lane() { return static_cast<int>(threadIdx.x) & 31; }
  template <class F>
  static __device__ void for_each(int n, const F& f) {
    for (int i = number(); i < n; i += count()) f(i);
    __syncthreads();
  }
  template <class G>
  static __device__ void for_members(int n, const G& g) {
    __syncwarp();
    for (int i = lane(); i < n; i += 32) g(i);
    __syncwarp();
  }
};
#endif

}  // namespace plaq
