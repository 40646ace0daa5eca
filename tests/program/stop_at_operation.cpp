// Preloaded into a program: kills it at its Nth operation on files below a directory, PLAQ_STOP_AT=N and
// PLAQ_STOP_BELOW=DIR. Operations change files: open for writing, write, truncate, rename, unlink, mkdir. A
// write is cut in the middle; others are not begun. A program that ends of itself writes the number of its
// operations to the file PLAQ_STOP_COUNT.
#include <dlfcn.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <climits>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

const std::string& below() {
  static const std::string directory = [] {
    const char* text = std::getenv("PLAQ_STOP_BELOW");
    return std::string(text != nullptr ? text : "");
  }();
  return directory;
}

bool counts(const std::string& path) {
  if (below().empty()) return false;
  if (path.starts_with('/')) return path.starts_with(below());
  char here[PATH_MAX];
  return ::getcwd(here, sizeof here) != nullptr && std::string(here).starts_with(below());
}

bool counts(int descriptor) {
  char path[PATH_MAX];
  const std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  const ssize_t length = ::readlink(link.c_str(), path, sizeof path);
  return length > 0 && std::string(path, static_cast<std::size_t>(length)).starts_with(below() + '/') &&
         !below().empty();
}

std::atomic<long> operations{0};

bool is_the_one() {
  static const long stop = [] {
    const char* text = std::getenv("PLAQ_STOP_AT");
    return text != nullptr ? std::atol(text) : 0;
  }();
  return ++operations == stop;
}

struct Counting {
  ~Counting() {
    const char* path = std::getenv("PLAQ_STOP_COUNT");
    if (path == nullptr || operations == 0) return;
    const std::string text = std::to_string(operations);
    const int file = next<int(const char*, int, ...)>("open")(path, O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (file < 0) return;
    if (next<ssize_t(int, const void*, size_t)>("write")(file, text.data(), text.size()) < 0) ::perror(path);
    ::close(file);
  }
} counting;

[[noreturn]] void stop() {
  ::kill(::getpid(), SIGKILL);
  for (;;) ::pause();
}

void stop_here(bool counted) {
  if (counted && is_the_one()) stop();
}

int open_by(const char* name, const char* path, int flags, mode_t mode) {
  stop_here((flags & (O_CREAT | O_WRONLY | O_RDWR)) != 0 && counts(path));
  return next<int(const char*, int, ...)>(name)(path, flags, mode);
}

mode_t mode_of(int flags, va_list list) { return (flags & O_CREAT) != 0 ? va_arg(list, mode_t) : 0; }

}  // namespace

extern "C" {

int open(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_by("open", path, flags, mode);
}

int open64(const char* path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  const mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_by("open64", path, flags, mode);
}

ssize_t write(int descriptor, const void* bytes, size_t count) {
  const auto plain = next<ssize_t(int, const void*, size_t)>("write");
  if (counts(descriptor) && is_the_one()) {
    if (plain(descriptor, bytes, count / 2) >= 0) stop();
    stop();
  }
  return plain(descriptor, bytes, count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t count, off_t offset) {
  const auto plain = next<ssize_t(int, const void*, size_t, off_t)>("pwrite");
  if (counts(descriptor) && is_the_one()) {
    if (plain(descriptor, bytes, count / 2, offset) >= 0) stop();
    stop();
  }
  return plain(descriptor, bytes, count, offset);
}

int ftruncate(int descriptor, off_t bytes) noexcept {
  stop_here(counts(descriptor));
  return next<int(int, off_t)>("ftruncate")(descriptor, bytes);
}

int rename(const char* from, const char* to) noexcept {
  stop_here(counts(from));
  return next<int(const char*, const char*)>("rename")(from, to);
}

int unlink(const char* path) noexcept {
  stop_here(counts(path));
  return next<int(const char*)>("unlink")(path);
}

int remove(const char* path) noexcept {
  stop_here(counts(path));
  return next<int(const char*)>("remove")(path);
}

int mkdir(const char* path, mode_t mode) noexcept {
  stop_here(counts(path));
  return next<int(const char*, mode_t)>("mkdir")(path, mode);
}

}  // extern "C"
