#include "core/move_limbs.hpp"

#include <cuda_runtime.h>

#include "core/cuda_check.hpp"

namespace plaq {
namespace {

constexpr int block = 256;

__global__ void __launch_bounds__(block) move_kernel(std::int64_t* to, std::int64_t* from, int count) {
  const int i = static_cast<int>(blockIdx.x) * block + static_cast<int>(threadIdx.x);
  if (i >= count) return;
  to[i] = from[i];
  from[i] = 0;
}

}  // namespace

void move_limbs(std::int64_t* to, std::int64_t* from, int count, const Queue& queue) {
  if (count == 0) return;
  const auto blocks = static_cast<unsigned>((count + block - 1) / block);
  move_kernel<<<blocks, block, 0, static_cast<cudaStream_t>(queue.stream())>>>(to, from, count);
  check_launch(__func__);
}

}  // namespace plaq
