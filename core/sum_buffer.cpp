#include "core/sum_buffer.hpp"

#include <cstring>

#include "core/error.hpp"

namespace plaq {

SumBuffer::SumBuffer(Location location, int capacity)
    : capacity_(capacity), limbs_(location, bytes(capacity)) {
  if (location == Location::device) staging_ = Buffer(Location::host, limbs_.bytes(), true);
}

void SumBuffer::clear(const Queue& queue, int count, int first) {
  require(first >= 0 && first + count <= capacity_, "more sums than the buffer holds");
  queue.zero_async(limbs() + static_cast<std::size_t>(first) * ExactSum::size,
                   static_cast<std::size_t>(count) * sizeof(ExactSum));
}

std::vector<ExactSum> SumBuffer::fetch(const Queue& queue, int count) const {
  std::vector<ExactSum> sums(static_cast<std::size_t>(count));
  const std::size_t bytes = sums.size() * sizeof(ExactSum);
  const void* from = limbs_.data();
  if (staging_) {
    queue.copy_async(staging_.data(), limbs_.data(), bytes);
    queue.synchronize();
    from = staging_.data();
  }
  std::memcpy(sums.data(), from, bytes);
  for (auto& s : sums) s.normalize();
  return sums;
}

}  // namespace plaq
