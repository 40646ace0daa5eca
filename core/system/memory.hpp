// Owned memory on the host or the device, and copies between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

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

// Page-locks memory that somebody else has allocated, so that a GPU can reach it. True if it worked:
// not without a GPU, nor where the memory is of a kind that the driver does not take.
bool lock_pages(void* memory, std::size_t bytes);
void unlock_pages(void* memory);

inline constexpr std::uint64_t unknown_memory = std::numeric_limits<std::uint64_t>::max();

// Bytes that this process can still take, and so may other processes of the same node or GPU: of the host
// what the system calls available, or less where a control group, such as that of a batch job, has less; of
// the GPU in use what is free. unknown_memory where nothing says it.
std::uint64_t free_memory(Location location);

// Free memory of the host, by the files of the system below the directory `system`.
std::uint64_t free_host_memory(const std::string& system = "/");

// Waits until all queues of this rank's GPU are done; returns at once without one.
void wait_for_device();

}  // namespace plaq
