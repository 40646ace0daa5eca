// Freed memory that is kept for new buffers: steps that allocate and free the same again and again, as those
// of a chain, take nothing more from the system.
#pragma once

#include <cstddef>

#include "core/system/location.hpp"

namespace plaq {

/// While an object of this class lives, memory of freed buffers is kept for new ones of the same size.
/// Buffers and what is kept take at most twice what buffers alone took at some time, and no more than that
/// where the system has little memory left. What was freed first goes back to the system. Objects may be
/// copied.
class MemoryReuse {
 public:
  MemoryReuse();
  MemoryReuse(const MemoryReuse&) : MemoryReuse() {}
  MemoryReuse& operator=(const MemoryReuse&) { return *this; }
  ~MemoryReuse();
};

/// Functions by which Buffer takes memory and gives it back.
namespace kept_memory {

/// A kind of memory; only that of one kind takes another's place.
struct Kind {
  Location location = Location::host;
  bool pinned = false;
  std::size_t bytes = 0;
  bool operator==(const Kind&) const = default;
};
/// Returns memory of this kind that was kept; null if there is none.
void* take(const Kind& kind);
/// Keeps memory that a buffer does not need any longer. False if nobody wants it. Up to 64 KiB on a device,
/// or page-locked, are kept even without a MemoryReuse: to take them from the system lasts a millisecond.
bool keep(const Kind& kind, void* memory);
/// Bytes that are kept at a location while a MemoryReuse lives.
std::size_t bytes(Location location);
/// Gives back to the system what was freed first, until at most so many bytes of a location are kept.
void shrink(Location location, std::size_t most);
/// Number of times that buffers took memory from the system.
std::size_t taken_from_system();

/// Counts objects of MemoryReuse.
void add_user(int change);
/// Gives memory back to the system (core/system/memory.cpp).
void give_back(const Kind& kind, void* memory);
/// Waits until nothing that is queued uses memory, as freeing it would (core/system/memory.cpp).
void wait_until_unused(const Kind& kind);

}  // namespace kept_memory
}  // namespace plaq
