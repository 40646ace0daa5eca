// A kernel's window on N reals a site in `slots` (right-hand sides, link directions): loads them into
// registers and stores them back. Layout appears here and in layout.hpp only.
#pragma once

#include <cstddef>

#include "core/arch.hpp"
#include "core/layout.hpp"

namespace plaq {

template <class Target, class T, int N>
class SiteArray;

template <class T, int N>
class SiteArray<Device, T, N> {
 public:
  static constexpr int chunk = chunk_reals(N, sizeof(T));
  static constexpr int chunks = N / chunk;
  struct alignas(sizeof(T) * chunk) Chunk {
    T real[chunk];
  };

  SiteArray() = default;
  // slot_stride in reals, site_stride in sites.
  SiteArray(void* data, std::size_t slot_stride, int site_stride)
      : data_(static_cast<T*>(data)), slot_stride_(slot_stride), site_stride_(site_stride) {}
  PLAQ_HD explicit operator bool() const { return data_ != nullptr; }

#if defined(__CUDACC__)
  __device__ __forceinline__ void load(int slot, int index, T (&out)[N]) const {
    const Chunk* from = chunks_of(slot) + index;
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      const Chunk got = read_only(from + static_cast<std::size_t>(c) * site_stride_);
#pragma unroll
      for (int i = 0; i < chunk; ++i) out[c * chunk + i] = got.real[i];
    }
  }
  __device__ __forceinline__ void load(int slot, DeviceSite s, T (&out)[N]) const {
    load(slot, s.index, out);
  }
  __device__ __forceinline__ void load(int slot, DeviceNeighbor n, T (&out)[N]) const {
    load(slot, n.index, out);
  }
  // Reals 2 pair and 2 pair + 1 alone.
  __device__ __forceinline__ void load_pair(int slot, DeviceSite s, int pair, T (&out)[2]) const {
    static_assert(chunk % 2 == 0);
    const Chunk* from = chunks_of(slot) + static_cast<std::size_t>(2 * pair / chunk) * site_stride_ + s.index;
    const Chunk got = read_only(from);
    const bool upper = chunk == 4 && pair % 2 == 1;
    out[0] = upper ? got.real[chunk - 2] : got.real[0];
    out[1] = upper ? got.real[chunk - 1] : got.real[1];
  }
  // For data that this same kernel writes elsewhere: not through the read-only path.
  __device__ __forceinline__ void load_mutable(int slot, int index, T (&out)[N]) const {
    const Chunk* from = chunks_of(slot) + index;
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      const Chunk got = from[static_cast<std::size_t>(c) * site_stride_];
#pragma unroll
      for (int i = 0; i < chunk; ++i) out[c * chunk + i] = got.real[i];
    }
  }
  __device__ __forceinline__ void load_mutable(int slot, DeviceSite s, T (&out)[N]) const {
    load_mutable(slot, s.index, out);
  }
  __device__ __forceinline__ void store(int slot, DeviceSite s, const T (&in)[N]) const {
    Chunk* to = chunks_of(slot) + s.index;
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      Chunk put;
#pragma unroll
      for (int i = 0; i < chunk; ++i) put.real[i] = in[c * chunk + i];
      write_streaming(to + static_cast<std::size_t>(c) * site_stride_, put);
    }
  }

 private:
  __device__ __forceinline__ Chunk* chunks_of(int slot) const {
    return reinterpret_cast<Chunk*>(data_ + static_cast<std::size_t>(slot) * slot_stride_);
  }
  template <class Word>
  static __device__ __forceinline__ Chunk reinterpret(const Word& w) {
    Chunk c;
    __builtin_memcpy(&c, &w, sizeof(Chunk));
    return c;
  }
  static __device__ __forceinline__ Chunk read_only(const Chunk* from) {
    if constexpr (sizeof(Chunk) == 16) {
      return reinterpret(__ldg(reinterpret_cast<const float4*>(from)));
    } else if constexpr (sizeof(Chunk) == 8) {
      return reinterpret(__ldg(reinterpret_cast<const float2*>(from)));
    } else {
      return *from;
    }
  }
  static __device__ __forceinline__ void write_streaming(Chunk* to, const Chunk& value) {
    if constexpr (sizeof(Chunk) == 16) {
      float4 w;
      __builtin_memcpy(&w, &value, 16);
      __stcs(reinterpret_cast<float4*>(to), w);
    } else if constexpr (sizeof(Chunk) == 8) {
      float2 w;
      __builtin_memcpy(&w, &value, 8);
      __stcs(reinterpret_cast<float2*>(to), w);
    } else {
      *to = value;
    }
  }
#endif

 private:
  T* data_ = nullptr;
  std::size_t slot_stride_ = 0;
  int site_stride_ = 0;
};

#if !defined(__CUDACC__)

template <class T, int N>
class SiteArray<Host, T, N> {
 public:
  static constexpr int width = Arch<Host, T>::width;
  using Real = typename Arch<Host, T>::Real;
  static_assert(host_site_block % width == 0);

  SiteArray() = default;
  SiteArray(void* data, std::size_t slot_stride, int)
      : data_(static_cast<T*>(data)), slot_stride_(slot_stride) {}
  explicit operator bool() const { return data_ != nullptr; }

  PLAQ_HD void load(int slot, LaneSite<width> s, Real (&out)[N]) const { load_run(at(slot, s.index), out); }
  PLAQ_HD void load_mutable(int slot, LaneSite<width> s, Real (&out)[N]) const { load(slot, s, out); }
  // Reals 2 pair and 2 pair + 1 alone.
  PLAQ_HD void load_pair(int slot, LaneSite<width> s, int pair, Real (&out)[2]) const {
    const T* from = at(slot, s.index) + 2 * pair * host_site_block;
    out[0] = Real::load(from);
    out[1] = Real::load(from + host_site_block);
  }
  PLAQ_HD void load(int slot, const LaneNeighbor<width>& n, Real (&out)[N]) const {
    if (n.run_count == 0) return gather(slot, n.lane, out);
    load_from(slot, n.runs[0].base, out);
    for (int k = 1; k < n.run_count; ++k) {
      Real more[N];
      load_from(slot, n.runs[k].base, more);
      for (int r = 0; r < N; ++r) out[r] = select(n.runs[k].mask, more[r], out[r]);
    }
  }
  PLAQ_HD void load(int slot, const LaneList<width>& list, Real (&out)[N]) const {
    gather(slot, list.lane, out);
  }

  PLAQ_HD void store(int slot, LaneSite<width> s, const Real (&in)[N]) const {
    constexpr LaneMask full = (LaneMask{1} << width) - 1;
    T* to = at(slot, s.index);
    if (s.mask == full) {
      for (int r = 0; r < N; ++r) in[r].store(to + r * host_site_block);
    } else {
      for (int r = 0; r < N; ++r)
        select(s.mask, in[r], Real::load(to + r * host_site_block)).store(to + r * host_site_block);
    }
  }
  PLAQ_HD void store(int slot, const LaneList<width>& list, const Real (&in)[N]) const {
    for (int l = 0; l < width; ++l) {
      if (!((list.mask >> l) & 1u)) continue;
      T* to = at(slot, list.lane[l]);
      for (int r = 0; r < N; ++r) to[r * host_site_block] = in[r][l];
    }
  }

 private:
  PLAQ_HD T* at(int slot, int index) const {
    const auto i = static_cast<std::size_t>(index);
    return data_ + static_cast<std::size_t>(slot) * slot_stride_ +
           (i / host_site_block) * (host_site_block * static_cast<std::size_t>(N)) + i % host_site_block;
  }
  // Asks for the block after this one as well: kernels walk many arrays at once, more than hardware
  // prefetchers follow.
  static PLAQ_HD void load_run(const T* from, Real (&out)[N]) {
    for (int r = 0; r < N; ++r) {
      __builtin_prefetch(from + (N + r) * host_site_block);
      out[r] = Real::load(from + r * host_site_block);
    }
  }
  // Consecutive sites from `index` on.
  PLAQ_HD void load_from(int slot, int index, Real (&out)[N]) const {
    const int offset = index % host_site_block;
    if (offset + width <= host_site_block) {
      load_run(at(slot, index), out);
    } else {
      load_across(at(slot, index - offset), offset, out);
    }
  }
  // Consecutive sites from `offset` of one block on into the next one.
  static PLAQ_HD void load_across(const T* block, int offset, Real (&out)[N]) {
    const int here = host_site_block - offset;  // lanes of the first block
    const LaneMask first = (LaneMask{1} << here) - 1;
    const T *low = block + offset, *high = block + N * host_site_block - here;
    for (int r = 0; r < N; ++r)
      out[r] = select(first, Real::load(low + r * host_site_block), Real::load(high + r * host_site_block));
  }
  PLAQ_HD void gather(int slot, const int* lane, Real (&out)[N]) const {
    const T* from[width];
    for (int l = 0; l < width; ++l) from[l] = at(slot, lane[l]);
    for (int r = 0; r < N; ++r) {
      alignas(host_vector_bytes) T values[width];
      for (int l = 0; l < width; ++l) values[l] = from[l][r * host_site_block];
      out[r] = Real::load(values);
    }
  }

  T* data_ = nullptr;
  std::size_t slot_stride_ = 0;
};

#endif

}  // namespace plaq
