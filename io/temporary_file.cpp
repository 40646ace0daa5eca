#include "io/temporary_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/error.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;

std::string directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Returns 0 or the reason why not. A disk that fills up later is worse than a late error: Open MPI 4.1 can
// wait forever in a collective write that fails on some of its ranks.
int reserve(int descriptor, std::uint64_t bytes) {
  // Not posix_fallocate: where the file system cannot reserve, that writes to every block.
  if (::fallocate(descriptor, 0, 0, static_cast<off_t>(bytes)) == 0) return 0;
  const int reason = errno;
  if (reason != EOPNOTSUPP && reason != ENOSYS && reason != EINTR) return reason;
  struct statvfs space {};
  if (::fstatvfs(descriptor, &space) != 0) return 0;
  return static_cast<std::uint64_t>(space.f_bavail) < bytes / space.f_frsize ? ENOSPC : 0;
}

}  // namespace

void TemporaryFile::fail(const std::string& what) const {
  throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", path_, what));
}

TemporaryFile::TemporaryFile(std::string path, std::uint64_t bytes) : path_(std::move(path)), bytes_(bytes) {
  struct stat status {};
  if (path_.empty() || path_.back() == '/') fail("it is not the name of a file");
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode))
    fail("it is there and not a regular file");
  // Hidden, and with the process in its name, so that two programs never share one.
  temporary_ =
      fmt::format("{}/.{}.{}.part", directory_of(path_), fs::path(path_).filename().string(), ::getpid());
  descriptor_ = ::open(temporary_.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    fail(fmt::format("no file can be made in {}: {}", directory_of(path_), std::strerror(errno)));
  const int reason = reserve(descriptor_, bytes_);
  if (reason == 0) return;
  ::close(descriptor_);
  ::unlink(temporary_.c_str());
  fail(fmt::format("{} bytes: {}", bytes_, std::strerror(reason)));
}

TemporaryFile::~TemporaryFile() {
  if (descriptor_ >= 0) ::close(descriptor_);
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

void TemporaryFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail(std::strerror(errno));
    offset += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void TemporaryFile::publish() {
  struct stat status {};
  if (::fsync(descriptor_) != 0) fail(fmt::format("syncing to disk: {}", std::strerror(errno)));
  if (::fstat(descriptor_, &status) != 0) fail(std::strerror(errno));
  if (static_cast<std::uint64_t>(status.st_size) != bytes_)
    fail(fmt::format("it should have {} bytes, but has {}", bytes_, status.st_size));
  if (::close(std::exchange(descriptor_, -1)) != 0) fail(fmt::format("closing: {}", std::strerror(errno)));
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0)
    fail(fmt::format("renaming: {}", std::strerror(errno)));
  temporary_.clear();
  // The new name reaches the disk with the directory; some file systems cannot sync one.
  const int directory = ::open(directory_of(path_).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace plaq
