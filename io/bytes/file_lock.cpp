#include "io/bytes/file_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <thread>

#include "core/system/log.hpp"
#include "core/system/timer.hpp"
#include "io/bytes/names_now.hpp"

namespace plaq {
namespace {

constexpr double silence = 1;  // seconds
constexpr auto pause = std::chrono::milliseconds(20);

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
  ask_for_names_again(std::filesystem::path(path).parent_path().string());
  return ::fstat(descriptor, &mine) == 0 && ::stat(path.c_str(), &named) == 0 &&
         mine.st_ino == named.st_ino && mine.st_dev == named.st_dev;
}

double patience() {
  const char* seconds = std::getenv("PLAQ_LOCK_SECONDS");
  return seconds != nullptr && *seconds != '\0' ? std::atof(seconds) : 30;
}

}  // namespace

LockedFile open_locked(const std::string& path) { return open_locked(path, patience()); }

LockedFile open_locked(const std::string& path, double seconds) {
  const double begin = seconds_now(), end = begin + seconds;
  bool said = false;
  for (;;) {
    const int descriptor = ::open(path.c_str(), O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0666);
    if (descriptor < 0) return {};
    if (lock(descriptor) != 0) {
      if (errno != EWOULDBLOCK) return {descriptor, false};
      ::close(descriptor);
      const double now = seconds_now();
      if (now < end) {
        if (!said && now > begin + silence)
          log::info(fmt::format("{}: another process holds it; waiting up to {:.0f} s for that to end", path,
                                end - begin));
        said = said || now > begin + silence;
        std::this_thread::sleep_for(pause);
        continue;
      }
      errno = EWOULDBLOCK;
      return {};
    }
    if (is_named(descriptor, path)) return {descriptor, true};
    ::close(descriptor);
  }
}

}  // namespace plaq
