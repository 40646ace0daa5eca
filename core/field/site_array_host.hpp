// SiteArray of the host: blocks of sites, loaded as vectors over sites. Included through
// core/field/site_array.hpp.
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "core/field/fixed16.hpp"
#include "core/field/layout.hpp"
#include "core/launch/arch.hpp"

namespace plaq {

template <class Target, class T, int N, class S = T, bool SiteScale = false>
class SiteArray;

template <class T, int N, class S, bool SiteScale>
class SiteArray<Host, T, N, S, SiteScale> {
 public:
  static constexpr int width = Arch<Host, T>::width;
  static constexpr bool fixed = std::is_same_v<S, Fixed16>;
  static constexpr bool scaled = fixed || SiteScale;
  static constexpr T offset = T(0);  // nothing is gained here
  using Real = typename Arch<Host, T>::Real;
  static constexpr int block_sites = host_site_block(static_cast<int>(sizeof(S)));
  static_assert(block_sites % width == 0);

  SiteArray() = default;
  SiteArray(void* data, std::size_t subfield_stride)
      : data_(static_cast<S*>(data)), subfield_stride_(subfield_stride) {}
  explicit operator bool() const { return data_ != nullptr; }

  template <class Index>
  PLAQ_HD Real load_raw(int subfield, const Index& index, Real (&out)[N]) const {
    Collected spare;
    const Run from = find(subfield, index, spare);
    unrolled([&](auto r) __attribute__((always_inline)) { out[r] = from.real(r); });
    if constexpr (SiteScale) {
      return from.site_scale();
    } else {
      return Real(fixed ? T(1) / static_cast<T>(fixed16_steps) : T(1));
    }
  }
  template <class Index>
  PLAQ_HD Real load_offset(int subfield, const Index& index, Real (&out)[N]) const {
    return load_raw(subfield, index, out);
  }
  // The integers of Fixed16 as floats; returns their scale.
  template <class Index>
  PLAQ_HD Real load_steps(int subfield, const Index& index, Real (&out)[N]) const {
    static_assert(fixed && SiteScale);
    return load_raw(subfield, index, out);
  }
  template <class Index>
  PLAQ_HD void load(int subfield, const Index& index, Real (&out)[N]) const {
    const Real factor = load_raw(subfield, index, out);
    if constexpr (scaled) unrolled([&](auto r) __attribute__((always_inline)) { out[r] *= factor; });
  }
  template <class Index>
  PLAQ_HD void load_mutable(int subfield, const Index& index, Real (&out)[N]) const {
    load(subfield, index, out);
  }
  // The numbers of a site without a scale as load_raw has them.
  struct Packed {
    Real number[N];
  };
  template <class Index>
  PLAQ_HD Packed load_packed(int subfield, const Index& index) const {
    static_assert(!SiteScale);
    Packed packed;
    load_raw(subfield, index, packed.number);
    return packed;
  }
  static PLAQ_HD void unpack_raw(const Packed& packed, Real (&out)[N]) {
    unrolled([&](auto r) __attribute__((always_inline)) { out[r] = packed.number[r]; });
  }
  // Reals 2 pair and 2 pair + 1 alone.
  PLAQ_HD void load_pair(int subfield, LaneSite<width> s, int pair, Real (&out)[2]) const {
    static_assert(!scaled);
    const S* from = block(subfield, s.index) + s.index % block_sites + 2 * pair * block_sites;
    out[0] = load_stored<T, width>(from);
    out[1] = load_stored<T, width>(from + block_sites);
  }
  // Reals 4 four to 4 four + 3 alone.
  PLAQ_HD void load_four(int subfield, LaneSite<width> s, int four, Real (&out)[4]) const {
    const Run from(block(subfield, s.index), s.index % block_sites);
    for (int r = 0; r < 4; ++r) out[r] = from.real(4 * four + r);
    if constexpr (SiteScale) {
      const Real factor = from.site_scale();
      for (Real& value : out) value *= factor;
    } else {
      static_assert(!fixed);
    }
  }
  // Stores four reals at sites without a scale.
  PLAQ_HD void store_four(int subfield, LaneSite<width> s, int four, const Real (&in)[4]) const {
    static_assert(!scaled);
    S* to = block(subfield, s.index) + s.index % block_sites + 4 * four * block_sites;
    for (int r = 0; r < 4; ++r) {
      S* at = to + r * block_sites;
      const Real value =
          s.mask == full ? in[r] : select(s.mask, in[r], load_stored<T, width>(static_cast<const S*>(at)));
      store_stored<T, width>(value, at);
    }
  }

  template <class Site>
  PLAQ_HD void store(int subfield, const Site& site, const Real (&in)[N]) const {
    if constexpr (!scaled) {
      write(subfield, site, in, Real(T(1)));
    } else if constexpr (!SiteScale) {
      write(subfield, site, in, Real(static_cast<T>(fixed16_steps)));
    } else {
      static_assert(fixed, "other storages have no scale of their own making");
      Real most(T(0));
      unrolled([&](auto r) __attribute__((always_inline)) { most = larger_magnitude(in[r], most); });
      write(subfield, site, in, steps_for(most));
      write_scale(subfield, site, most * Real(T(1) / static_cast<T>(fixed16_steps)));
    }
  }
  template <class Site>
  PLAQ_HD void store_raw(int subfield, const Site& site, const Real (&in)[N], const Real& factor) const {
    static_assert(SiteScale && !fixed);
    write(subfield, site, in, Real(T(1)));
    write_scale(subfield, site, factor);
  }

 private:
  static constexpr int scale_units = SiteScale ? static_cast<int>(sizeof(float) / sizeof(S)) : 0;
  static constexpr int block_units = (N + scale_units) * block_sites;
  static constexpr LaneMask full = static_cast<LaneMask>((std::uint64_t{1} << width) - 1);

  PLAQ_HD S* block(int subfield, int index) const {
    return data_ + static_cast<std::size_t>(subfield) * subfield_stride_ +
           static_cast<std::size_t>(index / block_sites) * block_units;
  }
  // A block's scales, one a site.
  static PLAQ_HD float* site_scales(S* block) { return reinterpret_cast<float*>(block + N * block_sites); }
  static PLAQ_HD const float* site_scales(const S* block) {
    return reinterpret_cast<const float*>(block + N * block_sites);
  }

  // f(0) ... f(N - 1), each with its number known to the compiler: only then do the numbers of a site stay in
  // registers, and loads become operands. GCC leaves loops as long as these rolled.
  template <class F>
  static PLAQ_HD void unrolled(F&& f) {
    [&]<int... R>(std::integer_sequence<int, R...>) __attribute__((always_inline)) {
      (f(std::integral_constant<int, R>{}), ...);
    }
    (std::make_integer_sequence<int, N>{});
  }

  // Place of a group's numbers: real r at `at` + r * block_sites.
  struct Run {
    const S* at;
    const float* its_scale;
    Run() = default;
    // Lanes from `lane` of a block on.
    PLAQ_HD Run(const S* from, int lane) : at(from + lane), its_scale(site_scales(from) + lane) {}
    PLAQ_HD Real real(int r) const { return load_stored<T, width>(at + r * block_sites); }
    PLAQ_HD Real site_scale() const { return load_stored<T, width>(its_scale); }
  };
  // This run's share of the block after it: kernels walk many arrays at once, more than hardware prefetchers
  // follow.
  static PLAQ_HD void ask_for_next(const S* from, int lane) {
    constexpr int line = 64, bytes = N * width * static_cast<int>(sizeof(S));
    const char* next = reinterpret_cast<const char*>(from + block_units + lane * N);
    for (int b = 0; b < bytes; b += line) __builtin_prefetch(next + b);
  }
  // A block of which only the first lanes count: for sites that are not one after the other in one block.
  struct Collected {
    alignas(host_vector_bytes) S block[block_units];
  };
  PLAQ_HD Run find(int subfield, LaneSite<width> s, Collected&) const {
    const S* from = block(subfield, s.index);
    ask_for_next(from, s.index % block_sites);
    return {from, s.index % block_sites};
  }
  PLAQ_HD Run find(int subfield, const LaneNeighbor<width>& n, Collected& spare) const {
    const int base = n.run_count == 0 ? n.lane[0] : n.runs[0].base, lane = base % block_sites;
    const S* from = block(subfield, base);
    ask_for_next(from, lane);
    if (n.run_count == 1 && lane + width <= block_sites) return {from, lane};
    if (n.run_count == 0) {
      gather(subfield, n.lane, spare);
    } else {
      collect(subfield, n, spare);
    }
    return {spare.block, 0};
  }
  PLAQ_HD Run find(int subfield, const LaneList<width>& list, Collected& spare) const {
    gather(subfield, list.lane, spare);
    return {spare.block, 0};
  }
  [[gnu::noinline]] void gather(int subfield, const int* lane, Collected& to) const {
    for (int l = 0; l < width; ++l) {
      const S* from = block(subfield, lane[l]);
      const int k = lane[l] % block_sites;
      for (int r = 0; r < N; ++r) to.block[r * block_sites + l] = from[r * block_sites + k];
      if constexpr (SiteScale) site_scales(to.block)[l] = site_scales(from)[k];
    }
  }
  // Lane by lane, numbers as they are stored: `yes` where the mask says so.
  static PLAQ_HD void merge(LaneMask mask, const S* yes, const S* no, S* to) {
    using Word = typename detail::WordOf<sizeof(S)>::type;
    using Words = typename detail::VectorOf<Word, width>::type;
    using Stored = typename detail::UnalignedVectorOf<Word, width>::type;
    Words bit;
    for (int l = 0; l < width; ++l) bit[l] = static_cast<Word>(Word{1} << l);
    const auto chosen = ((Words{} + static_cast<Word>(mask)) & bit) != Words{};
    unrolled([&](auto r) __attribute__((always_inline)) {
      constexpr int at = r * block_sites;
      const Words y = *reinterpret_cast<const Stored*>(yes + at),
                  n = *reinterpret_cast<const Stored*>(no + at);
      *reinterpret_cast<Stored*>(to + at) = chosen ? y : n;
    });
  }
  // Runs may go on from one block into the next: each is one or two pieces, of which `mask` is meant.
  [[gnu::noinline]] void collect(int subfield, const LaneNeighbor<width>& n, Collected& to) const {
    Run piece[2 * most_lane_runs];
    LaneMask mask[2 * most_lane_runs];
    int count = 0;
    for (int k = 0; k < n.run_count; ++k) {
      const int base = n.runs[k].base, lane = base % block_sites;
      const LaneMask meant = n.runs[k].mask;
      const LaneMask low = lane + width <= block_sites ? full : (LaneMask{1} << (block_sites - lane)) - 1;
      const S* from = block(subfield, base);
      if ((meant & low) != 0) piece[count] = {from, lane}, mask[count++] = meant & low;
      if ((meant & ~low) != 0) {
        piece[count] = {from + block_units, lane - block_sites};
        mask[count++] = meant & ~low;
      }
    }
    merge(mask[1], piece[1].at, piece[0].at, to.block);
    for (int k = 2; k < count; ++k) merge(mask[k], piece[k].at, to.block, to.block);
    if constexpr (SiteScale) {
      Real value = piece[0].site_scale();
      for (int k = 1; k < count; ++k) value = select(mask[k], piece[k].site_scale(), value);
      store_stored<T, width>(value, site_scales(to.block));
    }
  }

  PLAQ_HD void write(int subfield, LaneSite<width> s, const Real (&in)[N], const Real& steps) const {
    S* to = block(subfield, s.index) + s.index % block_sites;
    if (s.mask == full) {
      unrolled([&](auto r) __attribute__((always_inline)) {
        store_stored<T, width>(in[r], steps, to + r * block_sites);
      });
    } else {  // lanes that are not meant keep what is there: of Fixed16 the same integer
      const Real either = select(s.mask, steps, Real(T(1)));
      unrolled([&](auto r) __attribute__((always_inline)) {
        S* at = to + r * block_sites;
        const Real old = load_stored<T, width>(static_cast<const S*>(at));
        store_stored<T, width>(select(s.mask, in[r], old), either, at);
      });
    }
  }
  PLAQ_HD void write_scale(int subfield, LaneSite<width> s, const Real& site_scale) const {
    float* to = site_scales(block(subfield, s.index)) + s.index % block_sites;
    const Real old = load_stored<T, width>(static_cast<const float*>(to));
    store_stored<T, width>(select(s.mask, site_scale, old), to);
  }
  PLAQ_HD void write(int subfield, const LaneList<width>& list, const Real (&in)[N],
                     const Real& steps) const {
    for (int l = 0; l < width; ++l) {
      if (!((list.mask >> l) & 1u)) continue;
      S* to = block(subfield, list.lane[l]) + list.lane[l] % block_sites;
      for (int r = 0; r < N; ++r) to[r * block_sites] = to_storage<S>(in[r][l], steps[l]);
    }
  }
  PLAQ_HD void write_scale(int subfield, const LaneList<width>& list, const Real& site_scale) const {
    for (int l = 0; l < width; ++l)
      if ((list.mask >> l) & 1u)
        site_scales(block(subfield, list.lane[l]))[list.lane[l] % block_sites] =
            static_cast<float>(site_scale[l]);
  }

  S* data_ = nullptr;
  std::size_t subfield_stride_ = 0;
};

}  // namespace plaq
