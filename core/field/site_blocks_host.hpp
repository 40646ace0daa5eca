// SiteBlocks of the host. Included through core/field/site_blocks.hpp.
#pragma once

#include <cstddef>
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
class SiteShape<Host, S, SiteScale, Reals> {
 public:
  static constexpr int block_sites = host_site_block(static_cast<int>(sizeof(S)));
  struct Place {
    std::size_t first;  // unit of the first lane's first real in its subfield
    std::size_t scale;  // and of its scale
    int lane;           // in its block
  };

  SiteShape() = default;
  explicit SiteShape(const Layout& layout) : reals_(layout.reals) {}

  PLAQ_HD int reals() const { return Reals != 0 ? Reals : reals_; }
  PLAQ_HD std::size_t block_units() const {
    return static_cast<std::size_t>(reals() + scale_units) * block_sites;
  }
  template <int W>
  PLAQ_HD Place place(LaneSite<W> site) const {
    const int lane = site.index % block_sites;
    const auto at = static_cast<std::size_t>(lane);
    const std::size_t start = static_cast<std::size_t>(site.index / block_sites) * block_units();
    return {start + at, start + static_cast<std::size_t>(reals()) * block_sites + at * scale_units, lane};
  }
  template <class F>
  PLAQ_HD void with_chunk(F&& f) const {
    f(std::integral_constant<int, 1>{});
  }

 private:
  static constexpr int scale_units = SiteScale ? static_cast<int>(sizeof(float) / sizeof(S)) : 0;
  int reals_ = Reals;
};

template <class T, class S, bool SiteScale, int Block, int Reals, bool ReadOnly>
class SiteBlocks<Host, T, S, SiteScale, Block, Reals, ReadOnly> {
 public:
  using Shape = SiteShape<Host, S, SiteScale, Reals>;
  using Place = typename Shape::Place;
  using Real = typename Arch<Host, T>::Real;
  static constexpr bool fixed = std::is_same_v<S, Fixed16>;
  static constexpr int width = Arch<Host, T>::width;
  static constexpr int block_sites = Shape::block_sites;
  struct Packed {
    Real number[Block];
  };

  SiteBlocks() = default;
  SiteBlocks(void* data, std::size_t subfield_stride)
      : data_(static_cast<S*>(data)), stride_(subfield_stride) {}

  template <class Chunk>
  PLAQ_HD void load_packed(const Shape& shape, int subfield, const Place& place, int first, Chunk,
                           Packed& to) const {
    const S* from = at(subfield, place.first) + static_cast<std::size_t>(first) * block_sites;
    ask_for_next(shape, subfield, place, first);
    for (int r = 0; r < Block; ++r)
      to.number[r] =
          all || first + r < shape.reals() ? load_stored<T, width>(from + r * block_sites) : Real(T(0));
  }
  static PLAQ_HD Real unpack(const Packed& packed, int r) { return packed.number[r]; }
  static PLAQ_HD Complex<Real> unpack_steps(const Packed& packed, int r) {
    return {packed.number[r], packed.number[r + 1]};
  }
  PLAQ_HD Real load_scale(int subfield, const Place& place) const {
    return load_stored<T, width>(scale(subfield, place));
  }

  PLAQ_HD void store(const Shape& shape, int subfield, LaneSite<width> site, const Place& place, int first,
                     const Real (&in)[Block], const Real& steps) const {
    S* to = at(subfield, place.first) + static_cast<std::size_t>(first) * block_sites;
    if (site.mask == full) {
      for (int r = 0; r < Block; ++r)
        if (all || first + r < shape.reals()) store_stored<T, width>(in[r], steps, to + r * block_sites);
    } else {  // lanes that are not meant keep what is there: of Fixed16 the same integer
      const Real either = select(site.mask, steps, Real(T(1)));
      for (int r = 0; r < Block; ++r) {
        if (!all && first + r >= shape.reals()) break;
        S* there = to + r * block_sites;
        const Real old = load_stored<T, width>(static_cast<const S*>(there));
        store_stored<T, width>(select(site.mask, in[r], old), either, there);
      }
    }
  }
  PLAQ_HD void store_scale(int subfield, LaneSite<width> site, const Place& place, const Real& value) const {
    float* to = scale(subfield, place);
    const Real old = load_stored<T, width>(static_cast<const float*>(to));
    store_stored<T, width>(select(site.mask, value, old), to);
  }

 private:
  static constexpr bool all = Block == 2 || Block == Reals;  // no block is cut off by the end of a site
  static constexpr LaneMask full = static_cast<LaneMask>((std::uint64_t{1} << width) - 1);

  PLAQ_HD S* at(int subfield, std::size_t unit) const {
    return data_ + static_cast<std::size_t>(subfield) * stride_ + unit;
  }
  PLAQ_HD float* scale(int subfield, const Place& place) const {
    return reinterpret_cast<float*>(at(subfield, place.scale));
  }
  // This share of the next block of sites: kernels walk many arrays at once, more than hardware prefetchers
  // follow.
  PLAQ_HD void ask_for_next(const Shape& shape, int subfield, const Place& place, int first) const {
    constexpr int line = 64, bytes = Block * width * static_cast<int>(sizeof(S));
    const std::size_t start = place.first - static_cast<std::size_t>(place.lane) + shape.block_units();
    const char* next = reinterpret_cast<const char*>(
        at(subfield, start + static_cast<std::size_t>(place.lane * shape.reals() + first * width)));
    for (int b = 0; b < bytes; b += line) __builtin_prefetch(next + b);
  }

  S* data_ = nullptr;
  std::size_t stride_ = 0;
};

}  // namespace plaq
