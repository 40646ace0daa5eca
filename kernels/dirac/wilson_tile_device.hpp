// The Wilson hopping term of many right-hand sides on the tiles of a device (core/site_tiles.hpp):
// WilsonHop's algebra and bits, each link read once for all of them. CUDA only.
//
// A block takes a tile. A thread holds the links of one site in its registers, all three rows; the neighbour
// spinors of one right-hand side stand in shared memory, while those of the next are on their way into a
// second buffer. Time links that are 1 are read and multiplied like others, which changes no bit.
#pragma once

#include "core/async_copy_device.hpp"
#include "core/site_tiles.hpp"
#include "kernels/dirac/hop_candidates.hpp"
#include "kernels/site/wilson_hop.hpp"

namespace plaq {

// S: storage of spinors and links.
template <class S, int Reals, bool Clover>
struct WilsonTile {
  using Hop = WilsonHop<Device, S, Reals, false, Clover, false, false>;
  using Real = typename Hop::Real;
  using Links = typename Hop::Links;
  using Spinors = typename Hop::Spinors;
  using Link = Matrix3<Real>;
  static constexpr TileSize size = wilson_tiles;
  static constexpr unsigned buffer_bytes = size.staged * Spinors::staged_site_bytes();
  static constexpr int shared_bytes = static_cast<int>(2 * buffer_bytes + size.staged * sizeof(int));
  static constexpr int hops = 8;

  Hop hop;
  SiteTiles tiles;
  bool inside;  // not the sites beside another rank

  __device__ __forceinline__ void operator()(unsigned char* shared) const {
    unsigned now = shared_address(shared), then = now + buffer_bytes;
    // The staged sites that this thread brings: no other thread looks at them.
    int* const to_bring = reinterpret_cast<int*>(shared + 2 * buffer_bytes);
    for (unsigned j = threadIdx.x; j < staged(); j += blockDim.x)
      to_bring[j] = tiles.staged_site(blockIdx.x, j);
    bring(hop.active[0], then, to_bring);
    const int index = site_index();
    const DeviceSite site{index < 0 ? 0 : index};
    Link link[hops];
    unsigned near[4];
    with_hops([&]<int D>() { open<D>(site, link, near); });
    const int count = hop.active.count();
#pragma unroll 1
    for (int k = 0; k < count; ++k) {
      const unsigned before = now;
      now = then, then = before;
      await_copies();
      __syncthreads();
      if (k + 1 < count) bring(hop.active[k + 1], then, to_bring);
      Spinor<Real> sum = zero_spinor<Real>();
      keep(near);
      with_hops([&]<int D>() {
        const unsigned here = D % 2 == 0 ? near[D / 2] & 0xffffu : near[D / 2] >> 16;
        hop.template hop<D>(
            typename Hop::Point{}, 0, Near{here & 0xfff0u, (here & 1u) != 0},
            [&](const Near&) { return link[D]; },
            [&](const Near& n, Real& factor) {
              return Spinors::template load_staged<Spinor<Real>, size.staged>(now, n.place, factor);
            },
            sum);
      });
      if (index >= 0) hop.finish(site, hop.active[k], sum);
    }
  }

 private:
  struct Near {
    unsigned place;  // in bytes
    bool edge;
  };

  template <class F>
  static __device__ __forceinline__ void with_hops(F&& f) {
    f.template operator()<0>();
    f.template operator()<1>();
    f.template operator()<2>();
    f.template operator()<3>();
    f.template operator()<4>();
    f.template operator()<5>();
    f.template operator()<6>();
    f.template operator()<7>();
  }
  __device__ __forceinline__ unsigned staged() const { return static_cast<unsigned>(tiles.staged()); }
  // Checkerboard index of this thread's site, -1: none.
  __device__ __forceinline__ int site_index() const {
    if (threadIdx.x >= static_cast<unsigned>(tiles.places())) return -1;
    const int index = tiles.site(blockIdx.x, threadIdx.x);
    return index >= 0 && inside && hop.has_ghosts(DeviceSite{index}) ? -1 : index;
  }
  __device__ __forceinline__ void bring(int rhs, SharedAddress to, const int* to_bring) const {
#pragma unroll
    for (int round = 0; round < size.rounds; ++round) {
      const unsigned j = threadIdx.x + static_cast<unsigned>(round) * blockDim.x;
      if (j < staged())
        hop.in.template stage<size.staged>(rhs, to_bring[j], to, j * Spinors::Array::staged_step);
    }
  }
  // The link of a directed hop; where its neighbour is staged, in bytes, and in the lowest bit whether it is
  // beyond this rank's edge, ahead in the lower half of a word and behind in the upper.
  template <int D>
  __device__ __forceinline__ void open(const DeviceSite& site, Link (&link)[hops],
                                       unsigned (&near)[4]) const {
    static_assert(size.staged * Spinors::Array::staged_step <= 0x10000);
    const auto point = hop.lattice.point(hop.parity, site);
    const DeviceNeighbor n = hop.template neighbor<D>(point);
    const unsigned place = threadIdx.x < static_cast<unsigned>(tiles.places()) ? threadIdx.x : 0;
    // x mod 2 of the site as the tile has it, also where the site itself is another one's.
    const auto at = static_cast<unsigned>(tiles.template neighbor<D>(place, point.c.x[0] & 1)) *
                    Spinors::Array::staged_step;
    const unsigned here = at | (n.edge ? 1u : 0u);
    near[D / 2] = D % 2 == 0 ? here : near[D / 2] | here << 16;
    if constexpr (D % 2 == 0) {
      link[D] = hop.links.load_raw(D / 2, hop.parity, site);
    } else {
      link[D] = hop.links.load_raw(D / 2, 1 - hop.parity, n);
    }
    keep(link[D]);
  }
  // What the compiler may not compute again.
  template <class V>
  static __device__ __forceinline__ void keep(V& v) {
    unsigned* word = reinterpret_cast<unsigned*>(&v);
#pragma unroll
    for (unsigned i = 0; i < sizeof(V) / 4; ++i) asm volatile("" : "+r"(word[i]));
  }
};

}  // namespace plaq
