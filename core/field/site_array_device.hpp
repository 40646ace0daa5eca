// SiteArray of a device: groups of 32 sites in chunks of up to 16 bytes. Included through
// core/field/site_array.hpp.
#pragma once

#include <cstddef>
#include <type_traits>

#include "core/field/fixed16.hpp"
#include "core/field/layout.hpp"
#include "core/launch/arch.hpp"
#include "core/launch/async_copy_device.hpp"

namespace plaq {

template <class Target, class T, int N, class S = T, bool SiteScale = false>
class SiteArray;

template <class T, int N, class S, bool SiteScale>
class SiteArray<Device, T, N, S, SiteScale> {
 public:
  static constexpr bool fixed = std::is_same_v<S, Fixed16>;
  static constexpr bool scaled = fixed || SiteScale;
  // Offset that load_offset adds to integers of Fixed16: 2^23 + 32768, the cheapest way from 16 bits to
  // float.
  static constexpr T offset = fixed ? T(8421376) : T(0);
  static constexpr int chunk = chunk_reals(N, sizeof(S));
  static constexpr int chunks = N / chunk;
  struct alignas(sizeof(S) * chunk) Chunk {
    S real[chunk];
  };

  SiteArray() = default;
  // subfield_stride in units of S.
  SiteArray(void* data, std::size_t subfield_stride)
      : data_(static_cast<S*>(data)), subfield_stride_(subfield_stride) {}
  __device__ __forceinline__ explicit operator bool() const { return data_ != nullptr; }

  template <class Index>
  __device__ __forceinline__ T load_raw(int subfield, const Index& at, T (&out)[N]) const {
    const T factor = load_offset(subfield, at, out);
    take_off(out);
    return factor;
  }
  template <class Index>
  __device__ __forceinline__ T load_offset(int subfield, const Index& at, T (&out)[N]) const {
    const int index = index_of(at);
    const Chunk* from = first_chunk(subfield, index);
#pragma unroll
    for (int c = 0; c < chunks; ++c) unpack(read_only(from + c * group), c, out);
    if constexpr (SiteScale) {
      return static_cast<T>(__ldg(site_scale(subfield, index)));
    } else {
      return fixed ? T(1) / T(fixed16_steps) : T(1);
    }
  }
  // The integers of Fixed16, for data that no other kernel of this launch writes; returns their scale.
  template <class Index>
  __device__ __forceinline__ T load_steps(int subfield, const Index& at, int (&out)[N]) const {
    static_assert(fixed && SiteScale && chunk % 2 == 0);
    const int index = index_of(at);
    const Chunk* from = first_chunk(subfield, index);
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      const Chunk got = read_only(from + c * group);
      std::uint32_t words[chunk / 2];
      __builtin_memcpy(words, &got, sizeof(Chunk));
#pragma unroll
      for (int w = 0; w < chunk / 2; ++w) {
        const auto pair = static_cast<int>(words[w] ^ 0x80008000u);  // two's complement
        out[c * chunk + 2 * w] = static_cast<std::int16_t>(pair);
        out[c * chunk + 2 * w + 1] = pair >> 16;
      }
    }
    return static_cast<T>(__ldg(site_scale(subfield, index)));
  }
  template <class Index>
  __device__ __forceinline__ void load(int subfield, const Index& at, T (&out)[N]) const {
    scale_by(load_raw(subfield, at, out), out);
  }
  // The numbers of a site without a scale as they are stored.
  struct Packed {
    Chunk chunk[chunks];
  };
  template <class Index>
  __device__ __forceinline__ Packed load_packed(int subfield, const Index& at) const {
    static_assert(!SiteScale);
    const Chunk* from = first_chunk(subfield, index_of(at));
    Packed packed;
#pragma unroll
    for (int c = 0; c < chunks; ++c) packed.chunk[c] = read_only(from + c * group);
    return packed;
  }
  // Unpacks what load_raw has loaded.
  static __device__ __forceinline__ void unpack_raw(const Packed& packed, T (&out)[N]) {
#pragma unroll
    for (int c = 0; c < chunks; ++c) unpack(packed.chunk[c], c, out);
    take_off(out);
  }
  // In shared memory: numbers of up to `Capacity` sites as they are stored, chunk slowest, then their scales.
  // Places of two such sites side by side are `staged_step` apart.
  static constexpr int staged_site_bytes = chunks * 16 + (SiteScale ? 4 : 0);
  static constexpr unsigned staged_step = 16;
  template <int Capacity>
  __device__ __forceinline__ void stage(int subfield, int index, SharedAddress memory, unsigned place) const {
    static_assert(sizeof(Chunk) == staged_step);
    const Chunk* from = first_chunk(subfield, index);
#pragma unroll
    for (int c = 0; c < chunks; ++c) copy_async<16>(memory + place + c * Capacity * 16, from + c * group);
    if constexpr (SiteScale)
      copy_async<4>(memory + chunks * Capacity * 16 + place / 4, site_scale(subfield, index));
  }
  // Stores with an offset, like load_offset.
  template <int Capacity>
  static __device__ __forceinline__ T load_staged(SharedAddress memory, unsigned place, T (&out)[N]) {
#pragma unroll
    for (int c = 0; c < chunks; ++c)
      unpack(reinterpret(load_shared16(memory + place + c * Capacity * 16)), c, out);
    if constexpr (SiteScale) {
      return static_cast<T>(load_shared4(memory + chunks * Capacity * 16 + place / 4));
    } else {
      return fixed ? T(1) / T(fixed16_steps) : T(1);
    }
  }
  // Reals 2 pair and 2 pair + 1 alone.
  __device__ __forceinline__ void load_pair(int subfield, DeviceSite s, int pair, T (&out)[2]) const {
    static_assert(chunk % 2 == 0 && chunk <= 4 && !scaled);
    const Chunk got = read_only(first_chunk(subfield, s.index) + 2 * pair / chunk * group);
    const bool upper = chunk == 4 && pair % 2 == 1;
    out[0] = static_cast<T>(upper ? got.real[chunk - 2] : got.real[0]);
    out[1] = static_cast<T>(upper ? got.real[chunk - 1] : got.real[1]);
  }
  // Reals 4 four to 4 four + 3 alone, also of data that this same kernel writes.
  __device__ __forceinline__ void load_four(int subfield, DeviceSite s, int four, T (&out)[4]) const {
    const Chunk* from = first_chunk(subfield, s.index);
    if constexpr (fixed) {
      static_assert(chunk == 8 && SiteScale);
      const uint2 got = reinterpret_cast<const uint2*>(from + four / 2 * group)[four % 2];
      const T factor = static_cast<T>(*site_scale(subfield, s.index));
      const std::uint32_t words[2] = {got.x, got.y};
#pragma unroll
      for (int w = 0; w < 2; ++w) {
        out[2 * w] =
            factor * (static_cast<T>(__uint_as_float(__byte_perm(words[w], 0x4b00u, 0x5410))) - offset);
        out[2 * w + 1] =
            factor * (static_cast<T>(__uint_as_float(__byte_perm(words[w], 0x4b00u, 0x5432))) - offset);
      }
    } else {
      static_assert(4 % chunk == 0);
#pragma unroll
      for (int c = 0; c < 4 / chunk; ++c) {
        const Chunk got = read(from + (four * (4 / chunk) + c) * group);
#pragma unroll
        for (int i = 0; i < chunk; ++i) out[c * chunk + i] = static_cast<T>(got.real[i]);
      }
    }
  }
  // Stores four reals at sites without a scale.
  __device__ __forceinline__ void store_four(int subfield, DeviceSite s, int four, const T (&in)[4]) const {
    static_assert(!scaled && 4 % chunk == 0);
    Chunk* to = first_chunk(subfield, s.index) + four * (4 / chunk) * group;
#pragma unroll
    for (int c = 0; c < 4 / chunk; ++c) {
      Chunk put;
#pragma unroll
      for (int i = 0; i < chunk; ++i) put.real[i] = static_cast<S>(in[c * chunk + i]);
      write_streaming(to + c * group, put);
    }
  }
  // For data that this same kernel writes: not through the read-only path.
  template <class Index>
  __device__ __forceinline__ void load_mutable(int subfield, const Index& at, T (&out)[N]) const {
    const int index = index_of(at);
    const Chunk* from = first_chunk(subfield, index);
#pragma unroll
    for (int c = 0; c < chunks; ++c) unpack(read(from + c * group), c, out);
    take_off(out);
    if constexpr (SiteScale) {
      scale_by(static_cast<T>(*site_scale(subfield, index)), out);
    } else if constexpr (fixed) {
      scale_by(T(1) / T(fixed16_steps), out);
    }
  }

  __device__ __forceinline__ void store(int subfield, DeviceSite s, const T (&in)[N]) const {
    if constexpr (!scaled) {
      write(subfield, s, in, T(1));
    } else if constexpr (!SiteScale) {
      write(subfield, s, in, T(fixed16_steps));
    } else {
      static_assert(fixed, "other storages have no scale of their own making");
      T most = T(0);
#pragma unroll
      for (int r = 0; r < N; ++r) most = larger_magnitude(in[r], most);
      write(subfield, s, in, steps_for(most));
      *site_scale(subfield, s.index) = static_cast<float>(most * (T(1) / T(fixed16_steps)));
    }
  }
  __device__ __forceinline__ void store_raw(int subfield, DeviceSite s, const T (&in)[N], T factor) const {
    static_assert(SiteScale && !fixed);
    write(subfield, s, in, T(1));
    *site_scale(subfield, s.index) = static_cast<float>(factor);
  }

 private:
  static __device__ __forceinline__ int index_of(int index) { return index; }
  static __device__ __forceinline__ int index_of(DeviceSite s) { return s.index; }
  static __device__ __forceinline__ int index_of(DeviceNeighbor n) { return n.index; }
  static constexpr int group = device_site_group;
  static constexpr int group_units =
      (N + (SiteScale ? static_cast<int>(sizeof(float) / sizeof(S)) : 0)) * group;
  static_assert(group_units * sizeof(S) % sizeof(Chunk) == 0);

  // In 32 bits, and one multiplication: half a kernel's integers are addresses.
  template <class Unit>
  static __device__ __forceinline__ unsigned place_of(int index) {
    constexpr unsigned per_group = group_units * sizeof(S) / sizeof(Unit);
    const unsigned i = static_cast<unsigned>(index);
    return i + i / group * (per_group - group);
  }
  __device__ __forceinline__ S* subfield_at(int subfield) const {
    return data_ + static_cast<std::size_t>(subfield) * subfield_stride_;
  }
  // The next ones of the site are `group` chunks apart.
  __device__ __forceinline__ Chunk* first_chunk(int subfield, int index) const {
    return reinterpret_cast<Chunk*>(subfield_at(subfield)) + place_of<Chunk>(index);
  }
  __device__ __forceinline__ float* site_scale(int subfield, int index) const {
    return reinterpret_cast<float*>(subfield_at(subfield) + N * group) + place_of<float>(index);
  }
  static __device__ __forceinline__ void scale_by(T factor, T (&out)[N]) {
    if constexpr (scaled) {
#pragma unroll
      for (int r = 0; r < N; ++r) out[r] *= factor;
    }
  }
  static __device__ __forceinline__ void take_off(T (&out)[N]) {
    if constexpr (fixed) {
#pragma unroll
      for (int r = 0; r < N; ++r) out[r] -= offset;
    }
  }
  // Unpacks Fixed16 with the offset.
  static __device__ __forceinline__ void unpack(const Chunk& got, int c, T (&out)[N]) {
    if constexpr (fixed && chunk % 2 == 0) {
      std::uint32_t words[chunk / 2];
      __builtin_memcpy(words, &got, sizeof(Chunk));
#pragma unroll
      for (int w = 0; w < chunk / 2; ++w) {
        // The 16 bits below an exponent that makes them ones: 2^23 + bits.
        out[c * chunk + 2 * w] = static_cast<T>(__uint_as_float(__byte_perm(words[w], 0x4b00u, 0x5410)));
        out[c * chunk + 2 * w + 1] = static_cast<T>(__uint_as_float(__byte_perm(words[w], 0x4b00u, 0x5432)));
      }
    } else {
#pragma unroll
      for (int i = 0; i < chunk; ++i) {
        out[c * chunk + i] = from_storage<T>(got.real[i]);
        if constexpr (fixed)
          out[c * chunk + i] += offset;  // adding 0 is an instruction too: of -0 it makes 0
      }
    }
  }
  __device__ __forceinline__ void write(int subfield, DeviceSite s, const T (&in)[N], T steps) const {
    Chunk* to = first_chunk(subfield, s.index);
#pragma unroll
    for (int c = 0; c < chunks; ++c) {
      Chunk put;
#pragma unroll
      for (int i = 0; i < chunk; ++i) put.real[i] = to_storage<S>(in[c * chunk + i], steps);
      write_streaming(to + c * group, put);
    }
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
    } else if constexpr (sizeof(Chunk) == 4) {
      return reinterpret(__ldg(reinterpret_cast<const float*>(from)));
    } else {
      return *from;
    }
  }
  // In one load: left to itself the compiler reads 16-bit numbers byte by byte.
  static __device__ __forceinline__ Chunk read(const Chunk* from) {
    if constexpr (sizeof(Chunk) == 16) {
      return reinterpret(__ldca(reinterpret_cast<const float4*>(from)));
    } else if constexpr (sizeof(Chunk) == 8) {
      return reinterpret(__ldca(reinterpret_cast<const float2*>(from)));
    } else {
      return *from;
    }
  }
  template <class Word>
  static __device__ __forceinline__ void stream(Chunk* to, const Chunk& value) {
    Word w;
    __builtin_memcpy(&w, &value, sizeof(Chunk));
    __stcs(reinterpret_cast<Word*>(to), w);
  }
  static __device__ __forceinline__ void write_streaming(Chunk* to, const Chunk& value) {
    if constexpr (sizeof(Chunk) == 16) {
      stream<float4>(to, value);
    } else if constexpr (sizeof(Chunk) == 8) {
      stream<float2>(to, value);
    } else if constexpr (sizeof(Chunk) == 4) {
      stream<float>(to, value);
    } else {
      *to = value;
    }
  }

  S* data_ = nullptr;
  std::size_t subfield_stride_ = 0;
};

}  // namespace plaq
