// Owned memory on the host or the device, and copies between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <string>

#include "core/system/location.hpp"

namespace plaq {

/// Memory that its last copy frees, aligned to 128 bytes. Host memory is page-locked if `pinned` and a GPU is
/// in use, so that copies overlap. Copies of a Buffer share its memory.
class Buffer {
 public:
  Buffer() = default;
  /// Allocates `bytes` bytes. Throws Error if there is not enough memory.
  Buffer(Location location, std::size_t bytes, bool pinned = false);

  /// First byte; null if nothing is allocated.
  void* data() const { return data_.get(); }
  /// First number of type T.
  template <class T>
  T* as() const {
    return static_cast<T*>(data_.get());
  }
  std::size_t bytes() const { return bytes_; }                 ///< size in bytes
  Location location() const { return location_; }              ///< host or device
  explicit operator bool() const { return data_ != nullptr; }  ///< true if there is memory
  void fill_zero();                                            ///< overwrites all bytes with 0

  /// Bytes that all buffers of this process have now.
  static std::size_t in_use(Location location);
  /// The most bytes that all buffers ever had together, or had since forget_high_water().
  static std::size_t high_water(Location location);
  static void forget_high_water();  ///< forgets what high_water() has seen

 private:
  std::shared_ptr<void> data_;
  std::size_t bytes_ = 0;
  Location location_ = Location::host;
};

/// Copies bytes after all work queued before, on any queue, and waits for the copy to be complete.
/// @param to  first byte that is written
/// @param to_location  its location
/// @param from  first byte that is read
/// @param from_location  its location
/// @param bytes  their number
void copy_bytes(void* to, Location to_location, const void* from, Location from_location, std::size_t bytes);

/// Page-locks memory that somebody else has allocated, so that a GPU can reach it. True if it worked:
/// not without a GPU, nor where the memory is of a kind that the driver does not take.
bool lock_pages(void* memory, std::size_t bytes);
/// Undoes lock_pages().
void unlock_pages(void* memory);

/// Answer of free_memory() if nothing says it.
inline constexpr std::uint64_t unknown_memory = std::numeric_limits<std::uint64_t>::max();

/// Bytes that this process can still take, and so may other processes of the same node or GPU: of the host
/// what the system calls available, or less where a control group, such as that of a batch job, has less; of
/// the GPU in use what is free. unknown_memory where nothing says it.
std::uint64_t free_memory(Location location);

/// Free memory of the host, by the files of the system below the directory `system`.
std::uint64_t free_host_memory(const std::string& system = "/");

/// Waits until all queues of this rank's GPU are done; returns at once without one.
void wait_for_device();

}  // namespace plaq
