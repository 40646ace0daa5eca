#include "core/sums/sum_buffer.hpp"

#include <cstring>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"

namespace plaq {

SumBuffer::SumBuffer(Location location, int capacity) : capacity_(capacity) {
  const MemoryName name("exact sums");
  limbs_ = Buffer(location, bytes(capacity));
}

void SumBuffer::clear(const Queue& queue, int count, int first) {
  require(first >= 0 && first + count <= capacity_, "more sums than the buffer holds");
  queue.zero_async(limbs() + static_cast<std::size_t>(first) * ExactSum::size,
                   static_cast<std::size_t>(count) * sizeof(ExactSum));
}

std::vector<ExactSum> SumBuffer::fetch(const Queue& queue, int count) const {
  if (location() == Location::host) return normalised(limbs_.data(), count);
  if (!staging_) {
    const MemoryName name("exact sums");
    staging_ = Buffer(Location::host, limbs_.bytes(), true);
  }
  queue.copy_async(staging_.data(), limbs_.data(), bytes(count));
  queue.synchronize();
  return normalised(staging_.data(), count);
}

std::vector<ExactSum> SumBuffer::normalised(const void* limbs, int count) {
  std::vector<ExactSum> sums(static_cast<std::size_t>(count));
  if (count > 0) std::memcpy(sums.data(), limbs, bytes(count));  // neither pointer may be null
  for (auto& s : sums) s.normalize();
  return sums;
}

}  // namespace plaq
