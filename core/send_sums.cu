#include "core/send_sums.hpp"

#include <cuda_runtime.h>

namespace plaq {
namespace {

constexpr int warps = 16;

struct WarpLanes {
  __device__ int lane() const { return static_cast<int>(threadIdx.x % 32); }
  __device__ int count() const { return 32; }
  __device__ int min(int x) const {
    for (int far = 16; far > 0; far /= 2) x = ::min(x, __shfl_xor_sync(0xffffffffu, x, far));
    return x;
  }
  __device__ int max(int x) const { return -min(-x); }
  __device__ void sync() const { __syncwarp(); }
};

// One block: the number follows what it has written.
__global__ void __launch_bounds__(32 * warps)
    send_kernel(SumSheet* sheet, std::int64_t* limbs, int count, std::uint64_t number) {
  for (int k = static_cast<int>(threadIdx.x / 32); k < count; k += warps)
    hand_over(*sheet, k, limbs + static_cast<std::ptrdiff_t>(k) * ExactSum::size, WarpLanes());
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *static_cast<volatile std::uint64_t*>(&sheet->number) = number;
}

}  // namespace

void send_sums(SumSheet* sheet, std::int64_t* limbs, int count, std::uint64_t number, const Queue& queue) {
  send_kernel<<<1, 32 * warps, 0, static_cast<cudaStream_t>(queue.stream())>>>(sheet, limbs, count, number);
  check_launch(__func__);
}

}  // namespace plaq
