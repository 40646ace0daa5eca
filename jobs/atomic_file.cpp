#include "jobs/atomic_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"

namespace plaq::jobs {
namespace {

namespace fs = std::filesystem;

std::string directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Hidden, and with the process in its name, so that two programs never share one.
std::string temporary_of(const std::string& path) {
  return fmt::format("{}/.{}.{}.part", directory_of(path), fs::path(path).filename().string(), ::getpid());
}

[[noreturn]] void refuse(const std::string& path, const std::string& reason) {
  throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", path, reason));
}

void check_target(const std::string& path, bool overwrite) {
  struct stat status {};
  if (::stat(path.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a directory");
  if (!S_ISREG(status.st_mode)) refuse(path, "it is not a regular file");
  if (!overwrite) refuse(path, "it exists; set overwrite = true in [output], or choose another name");
}

}  // namespace

void check_output(const std::string& path, bool overwrite) { AtomicFile unused(path, overwrite); }

AtomicFile::AtomicFile(std::string path, bool overwrite)
    : path_(std::move(path)), temporary_(temporary_of(path_)), overwrite_(overwrite) {
  if (path_.empty() || path_.back() == '/') refuse(path_, "it is not the name of a file");
  check_target(path_, overwrite_);
  descriptor_ = ::open(temporary_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    refuse(path_, fmt::format("no file can be made in {}: {}", directory_of(path_), std::strerror(errno)));
}

AtomicFile::~AtomicFile() { discard(); }

void AtomicFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(descriptor_);
  descriptor_ = -1;
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
}

void AtomicFile::fail(const char* action) {
  const int reason = errno;
  discard();
  refuse(path_, fmt::format("{}: {}", action, std::strerror(reason)));
}

void AtomicFile::write(std::span<const std::byte> bytes) {
  require(descriptor_ >= 0, "an atomic file was written to after its end");
  while (!bytes.empty()) {
    const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail("writing");
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void AtomicFile::commit() {
  require(descriptor_ >= 0, "an atomic file was committed after its end");
  if (::fsync(descriptor_) != 0) fail("syncing to disk");
  const int descriptor = std::exchange(descriptor_, -1);
  if (::close(descriptor) != 0) fail("closing");
  try {
    check_target(path_, overwrite_);
  } catch (...) {
    discard();
    throw;
  }
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail("renaming its temporary");
  temporary_.clear();
  // The rename itself reaches the disk with the directory; some file systems cannot sync one.
  if (const int directory = ::open(directory_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
      directory >= 0) {
    ::fsync(directory);
    ::close(directory);
  }
}

void write_atomically(const std::string& path, const std::string& text, bool overwrite) {
  AtomicFile file(path, overwrite);
  file.write(std::as_bytes(std::span(text)));
  file.commit();
}

}  // namespace plaq::jobs
