// Launches of a block for each tile (core/lattice/site_tiles.hpp), which has nearly all of a multiprocessor's
// memory. Included by kernel sources compiled as CUDA.
//
//   for_each_tile(queue, f)    f(memory), in every thread of block 0..f.tiles.count()-1, which has the
//   threads
//                              that the tile has places: F::size.threads at most; F::shared_bytes of memory
#pragma once

#include "core/launch/launch_device.hpp"

namespace plaq {
namespace detail {

template <class F>
__global__ void __launch_bounds__(F::size.threads, 1)
    for_each_tile_kernel(const __grid_constant__ F functor) {
  extern __shared__ __align__(16) unsigned char tile_memory[];
  functor(tile_memory);
}

inline int device_attribute(cudaDeviceAttr attribute) {
  int device = 0, value = 0;
  check_cuda(cudaGetDevice(&device), "cudaGetDevice");
  check_cuda(cudaDeviceGetAttribute(&value, attribute, device), "cudaDeviceGetAttribute");
  return value;
}

}  // namespace detail

// True if a multiprocessor has the memory that F wants; devices of one process are alike.
template <class F>
bool has_memory_for_tiles() {
  if (runs_dry()) return true;
  static const bool has =
      F::shared_bytes <= detail::device_attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin);
  return has;
}

template <class F>
void for_each_tile(const Queue& queue, const F& functor) {
  if (runs_dry()) return;
  static const bool asked = [] {
    check_cuda(cudaFuncSetAttribute(detail::for_each_tile_kernel<F>,
                                    cudaFuncAttributeMaxDynamicSharedMemorySize, F::shared_bytes),
               "shared memory for tiles");
    return true;
  }();
  (void)asked;
  require(functor.tiles.fit(F::size), "a tile with more sites than its kernel takes");
  detail::for_each_tile_kernel<F><<<functor.tiles.count(), static_cast<unsigned>(functor.tiles.threads()),
                                    F::shared_bytes, detail::stream_of(queue)>>>(functor);
  check_launch(__func__);
}

}  // namespace plaq
