// Owned memory on the host or the device, and copies between them.
#pragma once

#include <cstddef>
#include <memory>

#include "core/system/location.hpp"

namespace plaq {

// Aligned to 128 bytes. Host memory is page-locked when `pinned` and a GPU is in use, so that copies overlap.
class Buffer {
 public:
  Buffer() = default;
  Buffer(Location location, std::size_t bytes, bool pinned = false);

  void* data() const { return data_.get(); }
  template <class T>
  T* as() const {
    return static_cast<T*>(data_.get());
  }
  std::size_t bytes() const { return bytes_; }
  Location location() const { return location_; }
  explicit operator bool() const { return data_ != nullptr; }
  void fill_zero();

  // Bytes now allocated by all buffers of this process, and the most there ever were.
  static std::size_t in_use(Location location);
  static std::size_t high_water(Location location);
  static void forget_high_water();  // from now on: the most of what follows

 private:
  std::shared_ptr<void> data_;
  std::size_t bytes_ = 0;
  Location location_ = Location::host;
};

// After all work queued before, on any queue; waits for the copy to be complete.
void copy_bytes(void* to, Location to_location, const void* from, Location from_location, std::size_t bytes);

}  // namespace plaq
