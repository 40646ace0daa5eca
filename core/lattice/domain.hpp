// Domain of a launch: a set of sites times an inner extent (right-hand sides, faces, ...).
#pragma once

#include <cstdint>

#include "core/lattice/geometry.hpp"
#include "core/launch/target.hpp"

namespace plaq {

// Sites of a word of a mask.
inline constexpr int host_mask_sites = 64;

struct Domain {
  int begin = 0, end = 0;                // checkerboard indices, or entries of `list`
  const int* list = nullptr;             // device: the sites, one by one
  const std::uint64_t* masks = nullptr;  // host: one bit a site
  int inner = 1;
  // Runs of equally many indices, one behind the other, such as time slices. reduce() sums each by itself,
  // and has the sums of a run behind those of the run before, `inner` places each.
  int runs = 1;
  // Shape of the lattice if these are all of its sites, in order and without halo; else null.
  const LatticeShape* shape = nullptr;
};

// The sites of `parity` in a region (of that depth).
inline Domain make_domain(const Geometry& geometry, Region region, int parity, Location location,
                          int inner = 1, int depth = 1) {
  const RegionSites sites = geometry.region(region, parity, location, depth);
  const bool all = region == Region::all && sites.list == nullptr && geometry.halo_depth() == 0 &&
                   geometry.has_lattice_shape();
  return {0, sites.span, sites.list, sites.masks, inner, 1, all ? &geometry.shape() : nullptr};
}

// The owned sites of one parity in the first owned slice in time: where launches over lines in time begin.
inline Domain first_slice(const Geometry& geometry, int parity, Location location) {
  Domain domain = make_domain(geometry, Region::all, parity, location);
  if (domain.list != nullptr) {  // in order, hence slice by slice
    domain.end = static_cast<int>(geometry.local_volume() / geometry.local()[3] / 2);
  } else {
    const int slice = geometry.shape().face_sites(3);
    domain.begin = geometry.shape().halo[3] * slice;
    domain.end = domain.begin + slice;
  }
  return domain;
}

// All sites that this rank owns, of both parities, times an inner extent: for launches whose sites share what
// they read (core/lattice/lattice_blocks.hpp). Bit mu of `beyond`: with one slice of the halo on either side
// of direction mu, if it has one, corners included; not for sums.
struct LatticeDomain {
  const Geometry* geometry;
  Location location;
  int inner = 1;
  std::uint32_t beyond = 0;
};
inline LatticeDomain whole_lattice(const Geometry& geometry, Location location, int inner = 1,
                                   std::uint32_t beyond = 0) {
  return {&geometry, location, inner, beyond};
}

// Plain indices 0 .. count-1.
inline Domain index_domain(int count, int inner = 1, int runs = 1) {
  return {0, count, nullptr, nullptr, inner, runs, nullptr};
}

namespace detail {

PLAQ_HD int run_of(const Domain& domain) {
  return domain.runs == 1 ? domain.end - domain.begin : (domain.end - domain.begin) / domain.runs;
}

// Place of a functor's sums of an inner index.
template <class F>
PLAQ_HD int place_of(const F& functor, int inner) {
  if constexpr (requires { functor.place(inner); }) return functor.place(inner);
  return inner;
}

}  // namespace detail
}  // namespace plaq
