// Shape of a launch: numbers that a tuner may choose, since no bit of a result depends on them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/lattice/site_boxes.hpp"
#include "core/system/error.hpp"
#include "core/system/location.hpp"

namespace plaq {

struct Launch {
  int block = 0;      // threads of a block on the device, 0: as many as the functor says; on the host nothing
  int width = 0;      // right-hand sides that a thread takes, 0: the kernel has no choice
  bool held = false;  // a thread keeps what its right-hand sides share, and they pass one after the other
  BoxRows box{};      // a block of a device takes such a box of sites; none: consecutive sites
  bool tiles =
      false;  // blocks take such boxes one after the other, neighbours staged (core/lattice/site_tiles.hpp)

  bool operator==(const Launch&) const = default;
};

// "block=128 width=3", "block=192 width=1 held box=4x2x2", "block=384 width=12 tiles box=4x4x2", "default"
// where nothing is chosen.
std::string to_string(const Launch& launch);

namespace detail {

template <class F>
constexpr int block_size() {
  if constexpr (requires { F::block_size; }) return F::block_size;
  return 256;
}
template <class F>
constexpr int min_blocks() {
  if constexpr (requires { F::min_blocks; }) return F::min_blocks;
  return 1;
}

// The threads of a block of F: what the compiler was told is the most.
template <class F>
int checked_block(const Launch& launch) {
  constexpr int most = block_size<F>();
  if (launch.block == 0) return most;
  if (launch.block % 32 == 0 && launch.block >= 32 && launch.block <= most) return launch.block;
  throw Error(ErrorKind::internal, "internal error: a block of " + std::to_string(launch.block) +
                                       " threads, but the kernel takes a multiple of 32 of at most " +
                                       std::to_string(most));
}

}  // namespace detail

// Launches of a kernel that a tuner may try: all blocks for all `widths` on the device, the widths alone on
// the host ({0} where a kernel has no choice). The largest block and the first width come first: the untuned
// default.
std::vector<Launch> launch_candidates(Location location, int largest_block, std::span<const int> widths);

// Boxes to try for blocks of at most `largest_block` threads on a device: of the largest that fit, those of
// small surface.
std::vector<BoxRows> box_candidates(const LatticeShape& shape, int largest_block);

}  // namespace plaq
