// One launch that packs faces, takes the sites that need none, and then those that do. On devices only:
// included by kernel sources compiled as CUDA.
//
//   for_each_fused(faces, pack, signals, block, order, queue, inside, edge, sites, inner)
//
// pack(site, inner) fills faces in the neighbours' memory; signals.packed(blocks) is called by every thread
// of a block that did, signals.wait() by every thread of a warp with ghosts before edge,
// signals.waited(warps) after it. edge.has_ghosts(site): whether a face is needed; `inside` is called where
// no site of a warp needs any, `edge` elsewhere.
//
// Blocks with smaller numbers begin before others: no warp waits in a block that may keep one that packs from
// beginning.
#pragma once

#include <algorithm>

#include "core/lattice/domain.hpp"
#include "core/lattice/fused_order.hpp"
#include "core/launch/launch_device.hpp"

namespace plaq {
namespace detail {

// Blocks that pack, among those of sites.
struct PackBlocks {
  unsigned count = 0, stride = 1, inner = 1;
  int sites = 0;
};

template <class Pack, class Inside, class Edge, class Signals>
__global__ void __launch_bounds__(block_size<Inside>(), min_blocks<Inside>())
    fused_kernel(const __grid_constant__ Pack pack, const __grid_constant__ Inside inside,
                 const __grid_constant__ Edge edge, const __grid_constant__ Signals signals,
                 const __grid_constant__ FusedView order, const __grid_constant__ PackBlocks packing,
                 const int sites, const unsigned inner_count, const unsigned again_from) {
  unsigned block = blockIdx.x;
  const unsigned mixed = packing.count * packing.stride;
  if (block < mixed) {
    const unsigned row = block / packing.stride, column = block - row * packing.stride;
    if (column == 0) {
      const unsigned inner = row % packing.inner;
      const int i = static_cast<int>(row / packing.inner * blockDim.x + threadIdx.x);
      if (i < packing.sites) pack(DeviceSite{i}, static_cast<int>(inner));
      signals.packed(packing.count);
      return;
    }
    block = block - row - 1;
  } else {
    block -= packing.count;
  }
  const unsigned inner = inner_count == 1 ? 0u : block % inner_count;
  const unsigned place = inner_count == 1 ? block : block / inner_count;
  const bool again = place >= again_from && place < again_from + order.again;
  unsigned group = place < again_from ? place : place - order.again;
  if (again) group = __ldg(order.list + (place - again_from));
  int i;
  if (order.boxes.count() != 0) {
    i = order.boxes.site(group, threadIdx.x);
  } else {
    i = static_cast<int>(group * blockDim.x + threadIdx.x);
    if (i >= sites) i = -1;
  }
  const DeviceSite site{i};
  const bool waits = __any_sync(0xffffffffu, i >= 0 && edge.has_ghosts(site));
  if (waits != again) return;
  if (!waits) {
    if (i >= 0) inside(site, static_cast<int>(inner));
    return;
  }
  signals.wait();
  if (i >= 0) edge(site, static_cast<int>(inner));
  signals.waited(order.waiting * inner_count);
}

}  // namespace detail

// All sites of a lattice without halo, `inner` times.
template <class Pack, class Inside, class Edge, class Signals>
void for_each_fused(const Domain& faces, const Pack& pack, const Signals& signals, unsigned block,
                    const FusedView& order, const Queue& queue, const Inside& inside, const Edge& edge,
                    int sites, int inner) {
  if (runs_dry()) return;
  const auto count = static_cast<unsigned>(inner);
  detail::PackBlocks packing;
  packing.sites = faces.end;
  packing.inner = static_cast<unsigned>(faces.inner);
  packing.count = (static_cast<unsigned>(faces.end) + block - 1) / block * packing.inner;
  const unsigned all = (order.groups + order.again) * count;
  // A few groups without ghosts come last: the code for those with ghosts is then fetched beside other work.
  // On an H200 2 us of 73 where one direction is split.
  const unsigned again_from = order.groups - std::min(order.groups / 8, 256u);
  // Every so many blocks one packs, so that others use the memory while its faces crawl over a link; measured
  // on an H200: 1 to 4% faster than all at the beginning, and than every eighth. All come before the first
  // that may wait.
  constexpr unsigned stride = 4;
  while (packing.stride < stride && packing.count * packing.stride < again_from * count) ++packing.stride;
  detail::fused_kernel<<<packing.count + all, block, 0, detail::stream_of(queue)>>>(
      pack, inside, edge, signals, order, packing, sites, count, again_from);
  check_launch(__func__);
}

}  // namespace plaq
