#include "comms/transport/face_memory.hpp"

namespace plaq {
namespace {

constexpr std::size_t rounded(std::size_t bytes) {
  return (bytes + FaceMemory::alignment - 1) / FaceMemory::alignment * FaceMemory::alignment;
}

}  // namespace

FaceMemory::FaceMemory(Location location, const std::vector<std::size_t>& bytes, bool pinned)
    : buffer_(location, FaceMemory::bytes(bytes), pinned) {
  buffer_.fill_zero();
  std::size_t offset = 0;
  for (const std::size_t face : bytes) {
    at_.push_back(face == 0 ? nullptr : buffer_.as<char>() + offset);
    offset += rounded(face);
  }
}

std::size_t FaceMemory::bytes(const std::vector<std::size_t>& faces) {
  std::size_t sum = 0;
  for (const std::size_t face : faces) sum += rounded(face);
  return sum;
}

}  // namespace plaq
