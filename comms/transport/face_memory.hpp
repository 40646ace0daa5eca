// Memory for the faces of an exchange, one after the other.
#pragma once

#include <vector>

#include "core/system/memory.hpp"

namespace plaq {

class FaceMemory {
 public:
  FaceMemory() = default;
  // Zeroed. Null for faces of 0 bytes.
  FaceMemory(Location location, const std::vector<std::size_t>& bytes, bool pinned = false);

  void* at(std::size_t face) const { return at_[face]; }
  // All faces: each begins at a multiple of `alignment`.
  static std::size_t bytes(const std::vector<std::size_t>& faces);
  static constexpr std::size_t alignment = 128;

 private:
  Buffer buffer_;
  std::vector<void*> at_;
};

}  // namespace plaq
