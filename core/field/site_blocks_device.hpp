// SiteBlocks of a device. Included through core/field/site_blocks.hpp.
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "core/algebra/complex.hpp"
#include "core/field/fixed16.hpp"
#include "core/field/layout.hpp"
#include "core/launch/arch.hpp"

namespace plaq {

template <class Target, class S, bool SiteScale, int Reals = 0>
class SiteShape;
template <class Target, class T, class S, bool SiteScale, int Block, int Reals = 0, bool ReadOnly = false>
class SiteBlocks;

template <class S, bool SiteScale, int Reals>
class SiteShape<Device, S, SiteScale, Reals> {
 public:
  static constexpr unsigned group = device_site_group;
  // In 32 bits: Field sees to it that they suffice.
  struct Place {
    unsigned chunk;  // of the site's first real in its subfield
    unsigned scale;  // float that is its scale
  };

  SiteShape() = default;
  explicit SiteShape(const Layout& layout)
      : reals_(layout.reals),
        chunk_bytes_(bytes_of_chunk(layout.chunk)),
        group_chunks_(group_floats(layout.reals) * 4 / chunk_bytes_) {}

  __device__ __forceinline__ int reals() const { return Reals != 0 ? Reals : reals_; }
  // 16 bytes, or less where that does not divide a site.
  __device__ __forceinline__ unsigned chunk_bytes() const {
    return Reals != 0 ? bytes_of_chunk(chunk_reals(Reals, sizeof(S))) : chunk_bytes_;
  }
  __device__ __forceinline__ Place place(DeviceSite site) const {
    const unsigned i = static_cast<unsigned>(site.index), of_group = i / group, lane = i % group;
    const unsigned floats = group_floats(reals());
    const unsigned chunks = Reals != 0 ? floats * 4 / chunk_bytes() : group_chunks_;
    return {of_group * chunks + lane, (of_group + 1) * floats - (SiteScale ? group : 0) + lane};
  }
  // 16-bit numbers that do not come in 16 bytes come in fours.
  template <class F>
  __device__ __forceinline__ void with_chunk(F&& f) const {
    constexpr int narrow = 2 * static_cast<int>(sizeof(S));
    if (sizeof(S) == 8 || chunk_bytes() == 16) {
      f(std::integral_constant<int, 16>{});
    } else {
      f(std::integral_constant<int, narrow>{});
    }
  }

 private:
  static constexpr unsigned bytes_of_chunk(int reals) {
    return static_cast<unsigned>(reals) * unsigned{sizeof(S)};
  }
  // Number of floats of a group, with its scales, which come last.
  static constexpr unsigned group_floats(int reals) {
    return static_cast<unsigned>(reals) * unsigned{group * sizeof(S) / 4} + (SiteScale ? group : 0);
  }
  int reals_ = Reals;
  unsigned chunk_bytes_ = 0, group_chunks_ = 0;
};

template <class T, class S, bool SiteScale, int Block, int Reals, bool ReadOnly>
class SiteBlocks<Device, T, S, SiteScale, Block, Reals, ReadOnly> {
 public:
  using Shape = SiteShape<Device, S, SiteScale, Reals>;
  using Place = typename Shape::Place;
  static constexpr bool fixed = std::is_same_v<S, Fixed16>;
  static constexpr int words = Block * static_cast<int>(sizeof(S)) / 4;
  static_assert(words % 4 == 0);
  struct Packed {
    std::uint32_t word[words];
  };

  SiteBlocks() = default;
  // subfield_stride in units of S.
  SiteBlocks(void* data, std::size_t subfield_stride)
      : data_(static_cast<char*>(data)), stride_(subfield_stride * sizeof(S)) {}

  template <class Chunk>
  __device__ __forceinline__ void load_packed(const Shape& shape, int subfield, const Place& place, int first,
                                              Chunk, Packed& to) const {
    using Word = typename WordOf<Chunk::value>::type;
    const char* from = at(shape, subfield, place, first);
    const int left = (shape.reals() - first) * static_cast<int>(sizeof(S));  // bytes
#pragma unroll
    for (int p = 0; p < block_bytes; p += Chunk::value) {
      Word word;
      fill(word);
      if (p < left) word = read(reinterpret_cast<const Word*>(from + offset<Chunk::value>(shape, p)));
      __builtin_memcpy(to.word + p / 4, &word, sizeof(Word));
    }
  }
  static __device__ __forceinline__ T unpack(const Packed& packed, int r) {
    if constexpr (sizeof(S) == 8) {
      return static_cast<T>(
          __hiloint2double(static_cast<int>(packed.word[2 * r + 1]), static_cast<int>(packed.word[2 * r])));
    } else if constexpr (sizeof(S) == 4) {
      return static_cast<T>(__uint_as_float(packed.word[r]));
    } else {  // the 16 bits below an exponent that makes them ones: 2^23 + bits
      const std::uint32_t shifted = __byte_perm(packed.word[r / 2], 0x4b00u, r % 2 == 0 ? 0x5410 : 0x5432);
      return static_cast<T>(__uint_as_float(shifted)) - T(8421376);  // 2^23 + 32768
    }
  }
  // Two at a time: the compiler would take the sign off each alone, in one more instruction.
  static __device__ __forceinline__ Complex<int> unpack_steps(const Packed& packed, int r) {
    static_assert(fixed);
    const auto pair = static_cast<int>(packed.word[r / 2] ^ 0x80008000u);  // two's complement
    return {static_cast<std::int16_t>(pair), pair >> 16};
  }
  __device__ __forceinline__ T load_scale(int subfield, const Place& place) const {
    return static_cast<T>(read(scale(subfield, place)));
  }

  __device__ __forceinline__ void store(const Shape& shape, int subfield, DeviceSite, const Place& place,
                                        int first, const T (&in)[Block], T steps) const {
    Packed packed;
    pack(in, steps, packed);
    char* to = at(shape, subfield, place, first);
    const int left = (shape.reals() - first) * static_cast<int>(sizeof(S));
    shape.with_chunk([&](auto chunk) {
      using Word = typename WordOf<chunk.value>::type;
#pragma unroll
      for (int p = 0; p < block_bytes; p += chunk.value) {
        Word word;
        __builtin_memcpy(&word, packed.word + p / 4, sizeof(Word));
        if (p < left) __stcs(reinterpret_cast<Word*>(to + offset<chunk.value>(shape, p)), word);
      }
    });
  }
  __device__ __forceinline__ void store_scale(int subfield, DeviceSite, const Place& place, T value) const {
    *scale(subfield, place) = static_cast<float>(value);
  }

 private:
  static constexpr int group = device_site_group;
  template <int Bytes>
  struct WordOf {
    using type = std::conditional_t<Bytes == 16, uint4, std::conditional_t<Bytes == 8, uint2, unsigned>>;
  };

  static constexpr int block_bytes = Block * static_cast<int>(sizeof(S));

  __device__ __forceinline__ char* subfield_at(int subfield) const {
    return data_ + static_cast<std::size_t>(subfield) * stride_;
  }
  // The site's real `first`, a multiple of Block; those before it take as much of all sites in a group.
  __device__ __forceinline__ char* at(const Shape& shape, int subfield, const Place& place, int first) const {
    return subfield_at(subfield) + static_cast<std::size_t>(place.chunk) * shape.chunk_bytes() +
           static_cast<unsigned>(first) * unsigned{group * sizeof(S)};
  }
  // From there to what follows `p` bytes of the site later, taken in Bytes. Of eight-byte chunks in fours
  // every other one is beside the one before it.
  template <int Bytes>
  static __device__ __forceinline__ unsigned offset(const Shape& shape, int p) {
    if (Bytes != 4) return static_cast<unsigned>(p * group);
    const unsigned odd = shape.chunk_bytes() == 8 ? 4u : 4u * group;
    return static_cast<unsigned>(p / 8 * 8 * group) + (p % 8 == 0 ? 0u : odd);
  }
  __device__ __forceinline__ float* scale(int subfield, const Place& place) const {
    return reinterpret_cast<float*>(subfield_at(subfield)) + place.scale;
  }
  template <class Word>
  static __device__ __forceinline__ Word read(const Word* from) {
    if constexpr (ReadOnly) {
      return __ldg(from);
    } else {
      return __ldca(from);
    }
  }
  // 0, also as a pair of Fixed16.
  static constexpr std::uint32_t zero = fixed ? 0x80008000u : 0u;
  static __device__ __forceinline__ void fill(uint4& w) { w = make_uint4(zero, zero, zero, zero); }
  static __device__ __forceinline__ void fill(uint2& w) { w = make_uint2(zero, zero); }
  static __device__ __forceinline__ void fill(unsigned& w) { w = zero; }
  static __device__ __forceinline__ void pack(const T (&in)[Block], T steps, Packed& packed) {
#pragma unroll
    for (int r = 0; r < Block; r += 2) {
      const S pair[2] = {to_storage<S>(in[r], steps), to_storage<S>(in[r + 1], steps)};
      __builtin_memcpy(packed.word + r * static_cast<int>(sizeof(S)) / 4, pair, sizeof(pair));
    }
  }

  char* data_ = nullptr;
  std::size_t stride_ = 0;  // bytes
};

}  // namespace plaq
