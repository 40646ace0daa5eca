// Checksums of faces, made and compared where the faces are.
//
// A face is 64-bit words w_i, the last one filled up with zero bits, cut into `parts` runs of nearly equal
// length. The checksum of a run is the sum mod 2^64 of h(w_i ^ h(key + i)) with h the finalizer of splitmix64
// (Steele, Lea, Flood 2014; Stafford's mix 13), a bijection: a run in which one word is wrong has another
// checksum for certain, any other damage, swapped words among it, but for a chance of 2^-64. The key is of
// sender, tag and number of the exchange, so that a face that is stale or another one's is seen as well.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "core/launch/queue.hpp"

namespace plaq {

struct FaceChecksums {
  static constexpr int parts = 64;
  static constexpr std::size_t bytes = parts * sizeof(std::uint64_t);
  static constexpr int most = 16;  // faces of a launch

  struct Face {
    const void* data = nullptr;  // aligned to 8 bytes, as all here
    void* copy = nullptr;        // of make: also written there
    std::uint64_t* sums = nullptr;
    std::size_t bytes = 0;
    std::uint64_t key = 0;   // of sender and tag
    std::uint32_t name = 0;  // of compare: written to `fault`
  };
  std::array<Face, most> faces{};
  int count = 0;
  // Numbers of exchanges: making reads the first and sets the second to it, comparing reads the second and
  // sets the first to the next one. At the location, so that work that is captured counts when it is done.
  std::uint64_t* numbers = nullptr;
  // Result of compare, in memory of the host that the location can write: 0 until a face is wrong, then that
  // one's (number + 1) * 2^32 + name.
  std::uint64_t* fault = nullptr;
};

// Makes the checksums of all faces, or compares them with those that are there; of no faces, counts alone.
template <class Target>
void launch_face_checksums(const FaceChecksums& faces, bool make, const Queue& queue);

}  // namespace plaq
