#include "io/file_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>

namespace plaq {
namespace {

int lock(int descriptor) {
  int result;
  do result = ::flock(descriptor, LOCK_EX | LOCK_NB);
  while (result != 0 && errno == EINTR);
  return result;
}

// Is it still the file of that name? The last holder may have unlinked it between our open and our lock.
bool is_named(int descriptor, const std::string& path) {
  struct stat mine {
  }, named{};
  return ::fstat(descriptor, &mine) == 0 && ::stat(path.c_str(), &named) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

}  // namespace

LockedFile open_locked(const std::string& path) {
  for (;;) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (descriptor < 0) return {};
    if (lock(descriptor) != 0) {
      if (errno != EWOULDBLOCK) return {descriptor, false};
      ::close(descriptor);
      errno = EWOULDBLOCK;
      return {};
    }
    if (is_named(descriptor, path)) return {descriptor, true};
    ::close(descriptor);
  }
}

}  // namespace plaq
