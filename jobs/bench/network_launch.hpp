// Kernels that a network is measured with.
#pragma once

#include <cstdint>

#include "core/launch/queue.hpp"
#include "core/launch/target.hpp"

namespace plaq::jobs {

// 16 bytes of a message: they say whose it is, which one, and where in it they stand.
struct alignas(16) FaceWord {
  std::uint64_t first, second;
  bool operator==(const FaceWord&) const = default;
};
PLAQ_HD FaceWord face_word(std::uint64_t seed, int i) {
  const std::uint64_t first = seed + static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u;
  return {first, ~first};
}
// Seed of the face that `rank` sends with a tag in a round.
constexpr std::uint64_t face_seed(int rank, int tag, int round) {
  return (static_cast<std::uint64_t>(rank) << 40) + (static_cast<std::uint64_t>(tag) << 32) +
         static_cast<std::uint64_t>(round) * 0xbf58476d1ce4e5b9u;
}

struct FaceFill {
  FaceWord* face[8] = {};  // null: there is none
  std::uint64_t seed[8] = {};
  int faces = 0, words = 0;  // words of each
};
// Writes the send memory of an exchange as packing does, in one launch.
template <class Target>
void launch_fill_faces(const FaceFill& fill, const Queue& queue);

// for_each over so many sites of a functor that does nothing.
template <class Target>
void launch_nothing(int sites, const Queue& queue);

}  // namespace plaq::jobs
