// Teams: work items that need scratch memory and sums of their own. for_each_team(teams, queue, f) calls
// f(team, index) for index = 0..count-1. On the device a team is a thread block and its scratch shared
// memory; on the host it is one thread that runs loops, in scalars. What f does must not depend on the team's
// size:
//
//   PLAQ_HD void operator()(Team<Target>& team, int index) const {
//     T* column = team.scratch<T>(n);                                    // uninitialised, until f returns
//     team.for_range(n, [&](int i) { column[i] = in[n * index + i]; });  // and a barrier behind it
//     const T square = team.sum(n, [&](int i) { return column[i] * column[i]; });
//     ...
//   }
//
// Code outside of these calls is run by every member, and all must come to the same calls in the same order;
// calls do not nest. for_range(1, ...) is for what one member shall do.
#pragma once

#include <cstddef>
#include <string>

#include "core/launch/target.hpp"
#include "core/system/error.hpp"
#if defined(__CUDACC__)
#include <cstdio>
#endif

namespace plaq {

struct TeamDomain {
  int count = 0;
  int team_size = 128;  // threads on the device: a multiple of 32, at most F::max_team_size (256 if not said)
  std::size_t scratch_bytes =
      0;  // of one team: its scratch<T>(n) and its largest sum, each as scratch_bytes_of says
};

// A sum adds terms i, i + 256, ... in this order, and halves the up to 256 results: result k takes k + 128,
// then k + 64, ... This tree depends on n only, so that the bits are the same for every team size and on both
// machines.
inline constexpr int team_sum_width = 256;

// Scratch memory that scratch<T>(n) takes, and that sum takes while it runs.
template <class T>
PLAQ_HD constexpr std::size_t scratch_bytes_of(int n) {
  static_assert(alignof(T) <= 16);
  return (static_cast<std::size_t>(n) * sizeof(T) + 15) / 16 * 16;
}
template <class T>
PLAQ_HD constexpr std::size_t sum_scratch_bytes_of(int n) {
  return scratch_bytes_of<T>(n < team_sum_width ? n : team_sum_width);
}

namespace detail {

// The machine's part of a team: who runs which index, and how to wait for the others.
struct HostMembers {
  template <class Visit>
  static void range(int n, Visit&& visit) {
    for (int i = 0; i < n; ++i) visit(i);
  }
  static void barrier() {}
  static void halving_barrier(int) {}
  [[noreturn]] static void out_of_scratch(std::size_t needed, std::size_t there) {
    throw Error(ErrorKind::internal, "internal error: a team needs at least " + std::to_string(needed) +
                                         " bytes of scratch memory, its launch gave it " +
                                         std::to_string(there));
  }
};

#if defined(__CUDACC__)
struct DeviceMembers {
  template <class Visit>
  static __device__ __forceinline__ void range(int n, Visit&& visit) {
    for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x)) visit(i);
  }
  static __device__ __forceinline__ void barrier() { __syncthreads(); }
  // Between the step that writes results 0..half-1 and the one that reads them: up to 32 are the first warp's
  // own.
  static __device__ __forceinline__ void halving_barrier(int half) {
    if (half > 32) {
      __syncthreads();
    } else {
      __syncwarp();
    }
  }
  static __device__ __noinline__ void out_of_scratch(std::size_t needed, std::size_t there) {
    if (threadIdx.x == 0)
      printf("internal error: a team needs at least %llu bytes of scratch memory, its launch gave it %llu\n",
             static_cast<unsigned long long>(needed), static_cast<unsigned long long>(there));
    __trap();
  }
};
#endif

// The largest power of two below n, for n >= 2; 0 for n = 1.
PLAQ_HD int half_of(int n) {
  int half = n > 1 ? 1 : 0;
  while (2 * half < n && half > 0) half *= 2;
  return half;
}

}  // namespace detail

template <class Members>
class BasicTeam {
 public:
  // `memory` is aligned to 16 bytes.
  PLAQ_HD BasicTeam(void* memory, std::size_t bytes)
      : memory_(static_cast<unsigned char*>(memory)), bytes_(bytes) {}

  // f(i) for i = 0..n-1, by any member in any order; then all wait for all.
  template <class F>
  PLAQ_HD void for_range(int n, F&& f) {
    Members::range(n, f);
    Members::barrier();
  }

  // f(0) + ... + f(n-1) for every member, T{} for n = 0. T has + and is copied as bytes.
  template <class F>
  PLAQ_HD auto sum(int n, F&& f) {
    using T = decltype(f(0));
    T result{};
    if (n <= 0) return result;
    const std::size_t before = used_;
    const int results = n < team_sum_width ? n : team_sum_width;
    T* part = scratch<T>(results);
    Members::range(results, [&](int k) {
      T mine = f(k);
      for (int i = k + team_sum_width; i < n; i += team_sum_width) mine = mine + f(i);
      part[k] = mine;
    });
    Members::barrier();
    for (int half = detail::half_of(results); half > 0; half /= 2) {
      Members::range(half, [&](int k) {
        if (k + half < results) part[k] = part[k] + part[k + half];
      });
      Members::halving_barrier(half);
    }
    Members::barrier();
    result = part[0];
    Members::barrier();  // before anybody takes the scratch memory for something else
    used_ = before;
    return result;
  }

  // n elements that all members share, not initialised. Taking more than the launch gave is an error.
  template <class T>
  PLAQ_HD T* scratch(int n) {
    const std::size_t needed = used_ + scratch_bytes_of<T>(n);
    if (needed > bytes_) Members::out_of_scratch(needed, bytes_);
    T* taken = reinterpret_cast<T*>(memory_ + used_);
    used_ = needed;
    return taken;
  }

 private:
  unsigned char* memory_;
  std::size_t bytes_, used_ = 0;
};

template <class Target>
struct TeamOf {
  using type = BasicTeam<detail::HostMembers>;
};
#if defined(__CUDACC__)
template <>
struct TeamOf<Device> {
  using type = BasicTeam<detail::DeviceMembers>;
};
#endif
template <class Target>
using Team = typename TeamOf<Target>::type;

namespace detail {

template <class F>
constexpr int max_team_size() {
  if constexpr (requires { F::max_team_size; }) return F::max_team_size;
  return 256;
}

template <class F>
void check_teams(const TeamDomain& teams) {
  if (teams.team_size % 32 == 0 && teams.team_size >= 32 && teams.team_size <= max_team_size<F>()) return;
  throw Error(ErrorKind::internal, "internal error: a team of " + std::to_string(teams.team_size) +
                                       " threads, but it takes a multiple of 32 of at most " +
                                       std::to_string(max_team_size<F>()));
}

}  // namespace detail
}  // namespace plaq
