#include "comms/sums/total_sums.hpp"

#include <algorithm>
#include <cstddef>

#include "comms/gpus/peer_signals.hpp"

namespace plaq {
namespace {

constexpr int total_warps = 32;

// Lanes of a warp have added what lies in [first, end) of `sum`.
__device__ double rounded(const std::int64_t* sum, int first, int end) {
  __syncwarp();
  double value = 0;
  if (threadIdx.x % 32 == 0) value = ExactSum::round(sum, first, end);
  __syncwarp();
  return value;
}

__device__ double rounded_alone(std::int64_t* limbs, std::int64_t* sum) {
  const WarpLanes lanes;
  int first, end;
  range_of(limbs, lanes, first, end);
  for (int i = first + lanes.lane(); i < end; i += 32) sum[i] = carried(limbs, i);
  // Limbs that round() reads behind the end.
  if (lanes.lane() == 0 && end < ExactSum::size) sum[end] = 0;
  for (int i = ExactSum::limbs + lanes.lane(); i < ExactSum::size; i += 32) sum[i] = limbs[i];
  lanes.sync();
  for (int i = lanes.lane(); i < ExactSum::size; i += 32) limbs[i] = 0;
  return rounded(sum, first, end);
}

// Number k of one sheet to the same place of another, by a warp.
__device__ void copy_record(SumSheet& to, const SumSheet& from, int k) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  constexpr int words = sizeof(SumRecord) / sizeof(std::int64_t);
  static_assert(words <= 32);
  if (lane < words)
    reinterpret_cast<std::int64_t*>(&to.record[k])[lane] =
        reinterpret_cast<const std::int64_t*>(&from.record[k])[lane];
  const auto count = static_cast<int>(from.record[k].count);
  if (count <= SumRecord::most) return;
  for (int i = lane; i < count; i += 32) to.all[k][i] = from.all[k][i];
}

__device__ double rounded_total(const SumPeers& peers, int turn, int k, std::int64_t* sum) {
  const int lane = static_cast<int>(threadIdx.x % 32);
  for (int i = lane; i < ExactSum::size; i += 32) sum[i] = 0;
  __syncwarp();
  int first = ExactSum::limbs, end = 0;
  for (int r = 0; r < peers.ranks; ++r) {
    const SumSheet& sheet = peers.here[r][turn];
    const auto begins = static_cast<int>(__ldcg(&sheet.record[k].first));
    const auto count = static_cast<int>(__ldcg(&sheet.record[k].count));
    if (count == 0) continue;
    const std::int64_t* from = count <= SumRecord::most ? sheet.record[k].limb : sheet.all[k];
    for (int i = begins + lane; i < begins + count; i += 32) sum[i] += __ldcg(from + (i - begins));
    // Lane and limb belong together only if ranges begin alike.
    __syncwarp();
    first = min(first, begins);
    end = max(end, begins + count);
  }
  return rounded(sum, first, end);
}

// Sums of one rank: each warp by itself.
__global__ void __launch_bounds__(32 * total_warps)
    round_kernel(std::int64_t* limbs, const int count, double* totals) {
  __shared__ std::int64_t sums[total_warps][ExactSum::size];
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  for (int k = static_cast<int>(blockIdx.x) * total_warps + warp; k < count;
       k += static_cast<int>(gridDim.x) * total_warps) {
    const double total = rounded_alone(limbs + static_cast<std::ptrdiff_t>(k) * ExactSum::size, sums[warp]);
    if (lane == 0) totals[k] = total;
  }
}

__global__ void carry_kernel(std::int64_t* limbs, std::int64_t* carried_limbs) {
  const std::ptrdiff_t sum = static_cast<std::ptrdiff_t>(blockIdx.x) * ExactSum::size;
  const auto lane = static_cast<int>(threadIdx.x);
  for (int i = lane; i < ExactSum::size; i += 32) carried_limbs[sum + i] = carried(limbs + sum, i);
  __syncwarp();
  for (int i = lane; i < ExactSum::size; i += 32) limbs[sum + i] = 0;
}

// One block, since what it says to others follows all that it has written.
__global__ void __launch_bounds__(32 * total_warps)
    total_kernel(std::int64_t* limbs, const int count, double* totals,
                 const __grid_constant__ SumPeers peers) {
  __shared__ std::int64_t sums[total_warps][ExactSum::size];
  const int warp = static_cast<int>(threadIdx.x / 32), lane = static_cast<int>(threadIdx.x % 32);
  const auto limbs_of = [&](int k) { return limbs + static_cast<std::ptrdiff_t>(k) * ExactSum::size; };
  const std::uint64_t now = *static_cast<volatile std::uint64_t*>(peers.number) + 1;
  const auto turn = static_cast<int>(now % 2);
  SumSheet& mine = peers.here[peers.rank][turn];
  for (int k = warp; k < count; k += total_warps) {
    hand_over(mine, k, limbs_of(k), WarpLanes());
    __syncwarp();
    for (int r = 0; r < peers.ranks; ++r)
      if (r != peers.rank) copy_record(peers.there[r][turn], mine, k);
  }
  __threadfence_system();
  __syncthreads();
  const auto thread = static_cast<int>(threadIdx.x);
  if (thread == 0) *peers.number = now;
  if (thread < peers.ranks && thread != peers.rank) {
    detail::store_release(&peers.there[thread][turn].number, now);
    while (detail::load_acquire(&peers.here[thread][turn].number) < now) __nanosleep(40);
  }
  __syncthreads();
  for (int k = warp; k < count; k += total_warps) {
    const double total = rounded_total(peers, turn, k, sums[warp]);
    if (lane == 0) totals[k] = total;
  }
}

}  // namespace

void total_sums(std::int64_t* limbs, int count, double* totals, const SumPeers& peers, const Queue& queue) {
  const auto stream = static_cast<cudaStream_t>(queue.stream());
  if (peers.ranks == 1 && count > 0) {
    constexpr int most_blocks = 1024;
    const int warps = std::min(count, total_warps);
    const int blocks = std::min((count + total_warps - 1) / total_warps, most_blocks);
    round_kernel<<<static_cast<unsigned>(blocks), static_cast<unsigned>(32 * warps), 0, stream>>>(
        limbs, count, totals);
    return check_launch(__func__);
  }
  for (int first = 0; first < count; first += SumSheet::capacity) {
    const int some = std::min(count - first, SumSheet::capacity);
    const int needed = std::max(1, std::min(some, total_warps));
    total_kernel<<<1, static_cast<unsigned>(32 * needed), 0, stream>>>(
        limbs + static_cast<std::ptrdiff_t>(first) * ExactSum::size, some, totals + first, peers);
    check_launch(__func__);
  }
}

void move_carried(std::int64_t* limbs, int count, std::int64_t* carried_limbs, const Queue& queue) {
  if (count == 0) return;
  carry_kernel<<<static_cast<unsigned>(count), 32, 0, static_cast<cudaStream_t>(queue.stream())>>>(
      limbs, carried_limbs);
  check_launch(__func__);
}

}  // namespace plaq
