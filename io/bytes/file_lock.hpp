// Files that one process at a time may hold, known to others by an flock. The lock goes with the process,
// also when that is killed.
#pragma once

#include <string>

namespace plaq {

struct LockedFile {
  int descriptor = -1;  // below 0: errno says why; EWOULDBLOCK: another process holds it
  bool locked = false;  // false with a descriptor: the file system has no locks
};

// Opens `path` for reading and writing, makes it where it is missing, and takes the lock, which is held until
// the descriptor is closed; the holder may unlink the file first. A lock that another process holds is waited
// for: one that is being killed lets go of it some seconds later. As long as PLAQ_LOCK_SECONDS of the
// environment says, else 30 s.
LockedFile open_locked(const std::string& path);

// Waits for `seconds` instead: for locks that are never held for longer than a small write takes.
LockedFile open_locked(const std::string& path, double seconds);

}  // namespace plaq
