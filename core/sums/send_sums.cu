#include "core/sums/sum_sheet.hpp"

#include <cuda_runtime.h>

#include "core/launch/queue.hpp"

namespace plaq {
namespace {

constexpr int send_warps = 16;

// One block: the number follows what it has written.
__global__ void __launch_bounds__(32 * send_warps)
    send_kernel(SumSheet* sheet, std::int64_t* limbs, int count, std::uint64_t number) {
  for (int k = static_cast<int>(threadIdx.x / 32); k < count; k += send_warps)
    hand_over(*sheet, k, limbs + static_cast<std::ptrdiff_t>(k) * ExactSum::size, WarpLanes());
  __threadfence_system();
  __syncthreads();
  if (threadIdx.x == 0) *static_cast<volatile std::uint64_t*>(&sheet->number) = number;
}

}  // namespace

void send_sums(SumSheet* sheet, std::int64_t* limbs, int count, std::uint64_t number, const Queue& queue) {
  send_kernel<<<1, 32 * send_warps, 0, static_cast<cudaStream_t>(queue.stream())>>>(sheet, limbs, count,
                                                                                    number);
  check_launch(__func__);
}

}  // namespace plaq
