// The lanes of a warp that work on one thing. For sources compiled as CUDA.
#pragma once

namespace plaq {

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

}  // namespace plaq
