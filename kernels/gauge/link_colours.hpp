// Links that a sweep may update at once. Links of one direction and colour are in none of each other's
// staples.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/lattice/domain.hpp"
#include "core/system/counted_memory.hpp"
#include "core/system/memory.hpp"
#include "kernels/site/loop_weights.hpp"

namespace plaq {

// Colours by global coordinates, and therefore the same ones on any process grid:
//   colour of U_mu(x) = m/2 x_mu + f_1 p(x_nu) + f_2 p(x_rho) + f_3 p(x_sigma)   mod m
// with the number m of colours, the three other directions in ascending order, and p a walk around the
// extent that is closed mod m. Links that meet in a loop differ by one or two steps in another direction, one
// step in direction mu, one in each of two directions of which one is mu, or, for chairs, by one step in two
// other directions. The steps of p are such that none of these sums is 0 mod m.
//
//   loops                    extents          m    f          steps of p
//   plaquettes               even             2    1, 1, 1    1
//   and rectangles           multiples of 4   4    1, 1, 1    1
//                            even, from 4     6    1, 1, 1    1, 2, 1, 2  (four), 1, 1, 1, 1, 1, 1  (six)
//   and chairs               multiples of 8   8    1, 2, 3    1
//                            even, from 4     14   1, 3, 5    1, 6, 1, 6  (four), 6, -1, 6, 1, 1, 1  (six)
//
// An extent is made of fours, after a six where it is no multiple of 4. 2, 4 and 8 are the fewest colours
// possible: so many links meet each other.
class LinkColours {
 public:
  // `extents`: those of the whole lattice. Throws Error(job_file) where fault_of() finds a fault.
  LinkColours(const LoopWeights& weights, const Extents& extents);

  // Says why links of a lattice cannot be updated one by one: a link would occur twice in a loop.
  static std::optional<std::string> fault_of(const LoopWeights& weights, const Extents& extents);

  int count() const { return count_; }
  // Colour of the link in direction mu at a site of the whole lattice.
  int of(int mu, const Extents& x) const;

 private:
  int count_ = 2;
  std::array<int, 3> factors_{1, 1, 1};
  std::array<std::vector<int>, 4> walk_;  // p of each direction, from 0 to the extent
};

// The owned links of each direction and colour, as domains of launches.
class ColouredLinks {
 public:
  // `geometry` of the links, which may have a halo, and location of the launches.
  ColouredLinks(const LinkColours& colours, const GeometryPtr& geometry, Location location);

  int colours() const { return colours_; }
  Domain domain(int mu, int colour, int parity) const;

 private:
  std::size_t set(int mu, int colour, int parity) const {
    return static_cast<std::size_t>((mu * colours_ + colour) * 2 + parity);
  }
  void find_sites(const LinkColours& colours, const Geometry& geometry);

  int colours_, stored_;
  Location location_;
  std::vector<std::vector<std::uint64_t>> masks_;  // host
  Buffer lists_;                                   // device: all lists in their order
  std::vector<int> begins_;                        // of each list, and the end
  CountedMemory counted_;
};

}  // namespace plaq
