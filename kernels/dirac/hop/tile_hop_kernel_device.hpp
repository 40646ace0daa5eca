// A hopping term of many right-hand sides on the tiles of a device (core/lattice/site_tiles.hpp): HopKernel's
// algebra and bits, each link read once for all of them. CUDA only.
//
// A block takes a tile. A thread holds the links of one site in its registers, all three rows; the
// neighbours' vectors of one right-hand side stand in shared memory, while those of the next are on their way
// into a second buffer. Links that are 1 are read and multiplied like others, which changes no bit.
#pragma once

#include "core/lattice/site_tiles.hpp"
#include "core/launch/async_copy_device.hpp"
#include "kernels/dirac/hop/hop_candidates.hpp"
#include "kernels/dirac/hop/hop_kernel.hpp"

namespace plaq {

template <class HopT>
struct TileHopKernel {
  using Kernel = HopKernel<HopT, false>;
  using Hop = HopT;
  using Real = typename Hop::Real;
  using Vectors = typename Hop::Vectors;
  using Link = typename Hop::Link;
  static constexpr TileSize size = hop_tiles;
  static constexpr unsigned buffer_bytes = size.staged * Vectors::staged_site_bytes();
  static constexpr int shared_bytes = static_cast<int>(2 * buffer_bytes + size.staged * sizeof(int));
  static constexpr int hops = Hop::hops;

  Kernel kernel;
  SiteTiles tiles;
  bool inside;  // not the sites beside another rank

  __device__ __forceinline__ void operator()(unsigned char* shared) const {
    unsigned now = shared_address(shared), then = now + buffer_bytes;
    // The staged sites that this thread brings: no other thread looks at them.
    int* const to_bring = reinterpret_cast<int*>(shared + 2 * buffer_bytes);
    for (unsigned j = threadIdx.x; j < staged(); j += blockDim.x)
      to_bring[j] = tiles.staged_site(blockIdx.x, j);
    bring(kernel.active[0], then, to_bring);
    const int index = site_index();
    const DeviceSite site{index < 0 ? 0 : index};
    Link link[hops];
    unsigned near[4];
    for_each_hop(kernel.hop, [&](auto h) { fetch(h, site, link, near); });
    const int count = kernel.active.count();
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
      const unsigned before = now;
      now = then, then = before;
      await_copies();
      __syncthreads();
      if (k + 1 < count) bring(kernel.active[k + 1], then, to_bring);
      auto sum = Hop::zero();
      keep(near);
      for_each_hop(kernel.hop, [&](auto h) {
        const unsigned here = h.ahead ? near[h.mu] & 0xffffu : near[h.mu] >> 16;
        const Near n{here & 0xfff0u, (here & 1u) != 0};
        const auto open = kernel.open_hop(h, typename Kernel::Point{}, n, [&] { return link[h.number()]; });
        const auto contribution = [&] {
          typename Kernel::Contribution p;
          const auto vector =
              Vectors::template load_staged<typename Hop::Vector, size.staged>(now, n.place, p.factor);
          p.value = kernel.hop.project(h, vector);
          return p;
        };
        kernel.add_hop(h, typename Kernel::Point{}, 0, n, open, contribution, sum);
      });
      if (index >= 0) kernel.hop.finish(kernel.lattice, kernel.parity, site, kernel.active[k], sum);
    }
  }

 private:
  struct Near {
    unsigned place;  // in bytes
    bool edge;
  };

  __device__ __forceinline__ unsigned staged() const { return static_cast<unsigned>(tiles.staged()); }
  // Checkerboard index of this thread's site, -1: none.
  __device__ __forceinline__ int site_index() const {
    if (threadIdx.x >= static_cast<unsigned>(tiles.places())) return -1;
    const int index = tiles.site(blockIdx.x, threadIdx.x);
    return index >= 0 && inside && kernel.has_ghosts(DeviceSite{index}) ? -1 : index;
  }
  __device__ __forceinline__ void bring(int rhs, SharedAddress to, const int* to_bring) const {
#pragma unroll
    for (int round = 0; round < size.rounds; ++round) {
      const unsigned j = threadIdx.x + static_cast<unsigned>(round) * blockDim.x;
      if (j < staged())
        kernel.hop.in.template stage<size.staged>(rhs, to_bring[j], to, j * Vectors::Array::staged_step);
    }
  }
  // The link of a directed hop; where its neighbour is staged, in bytes, and in the lowest bit whether it is
  // beyond this rank's edge, ahead in the lower half of a word and behind in the upper.
  template <class H>
  __device__ __forceinline__ void fetch(H h, const DeviceSite& site, Link (&link)[hops],
                                        unsigned (&near)[4]) const {
    static_assert(size.staged * Vectors::Array::staged_step <= 0x10000);
    const auto point = kernel.lattice.point(kernel.parity, site);
    const DeviceNeighbor n = kernel.neighbor(h, point);
    const unsigned place = threadIdx.x < static_cast<unsigned>(tiles.places()) ? threadIdx.x : 0;
    // x mod 2 of the site as the tile has it, also where the site itself is another one's.
    const auto at = static_cast<unsigned>(tiles.template neighbor<h.face()>(place, point.c.x[0] & 1)) *
                    Vectors::Array::staged_step;
    const unsigned here = at | (n.edge ? 1u : 0u);
    near[h.mu] = H::ahead ? here : near[h.mu] | here << 16;
    link[h.number()] = kernel.link(h, site, n);
    keep(link[h.number()]);
  }
  // Keeps a value that the compiler must not compute again.
  template <class V>
  static __device__ __forceinline__ void keep(V& v) {
    unsigned* word = reinterpret_cast<unsigned*>(&v);
#pragma unroll
    for (unsigned i = 0; i < sizeof(V) / 4; ++i) asm volatile("" : "+r"(word[i]));
  }
};

}  // namespace plaq
