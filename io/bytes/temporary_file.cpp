#include "io/bytes/temporary_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/wording.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/file_lock.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;

std::string how_to_overwrite() {
  return "set " + wording().setting("output", "overwrite", "true") + ", or choose another name";
}

std::string directory_of(const std::string& path) {
  const fs::path parent = fs::path(path).parent_path();
  return parent.empty() ? "." : parent.string();
}

// Hidden.
std::string beside(const std::string& path, const std::string& suffix) {
  return fmt::format("{}/.{}.{}", directory_of(path), fs::path(path).filename().string(), suffix);
}

// Programs before 0.2.0 had the number of their process in place of these digits.
bool is_token(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789abcdef") == text.npos;
}

// Nobody else can make a file, or a link to one, under a name that cannot be guessed.
std::string random_token() {
  std::uint64_t bits = 0;
  require(::getrandom(&bits, sizeof bits, 0) == static_cast<ssize_t>(sizeof bits),
          "the system gave no random number for the name of a temporary file");
  return fmt::format("{:016x}", bits);
}

// Includes the files that MPI libraries leave beside a temporary, whose names begin with its own.
bool is_part(std::string_view suffix) {
  const auto part = suffix.find(".part");
  return part != suffix.npos && is_token(suffix.substr(0, part));
}

// Returns 0 or the reason why not. A disk that fills up later is worse than a late error: Open MPI 4.1 can
// wait forever in a collective write that fails on some of its ranks.
int reserve(int descriptor, std::uint64_t bytes) {
  if (bytes == 0) return 0;
  // Not posix_fallocate: where the file system cannot reserve, that writes to every block.
  if (::fallocate(descriptor, 0, 0, static_cast<off_t>(bytes)) == 0) return 0;
  const int reason = errno;
  if (reason != EOPNOTSUPP && reason != ENOSYS && reason != EINTR) return reason;
  // Falls back like NFS before 4.2: the size at least, which other ranks may rely on, and a look at the free
  // space.
  struct statvfs space {};
  if (::fstatvfs(descriptor, &space) == 0 &&
      static_cast<std::uint64_t>(space.f_bavail) < bytes / space.f_frsize)
    return ENOSPC;
  return ::ftruncate(descriptor, static_cast<off_t>(bytes)) == 0 ? 0 : errno;
}

}  // namespace

void TemporaryFile::fail(const std::string& what) {
  discard();
  throw Error(ErrorKind::output_file, fmt::format("cannot write {}: {}", path_, what));
}

void TemporaryFile::fail_with_reason(const char* action) {
  const int reason = errno;
  fail(fmt::format("{}: {}", action, std::strerror(reason)));
}

TemporaryFile::TemporaryFile(std::string path, std::uint64_t bytes, bool overwrite)
    : path_(std::move(path)), overwrite_(overwrite) {
  if (path_.empty() || path_.back() == '/') fail("it is not the name of a file");
  if (runs_dry()) {
    resize(bytes);
    return;
  }
  check_target();
  take_lock();
  const std::string name = beside(path_, random_token() + ".part");
  descriptor_ = ::open(name.c_str(), O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
  if (descriptor_ < 0)
    fail(
        fmt::format("no file can be created in directory {}: {}", directory_of(path_), std::strerror(errno)));
  temporary_ = name;
  resize(bytes);
}

TemporaryFile::~TemporaryFile() { discard(); }

void TemporaryFile::resize(std::uint64_t bytes) {
  reserved_ = bytes;
  if (runs_dry()) return;
  if (const int reason = reserve(descriptor_, reserved_))
    fail(fmt::format("{} bytes: {}", reserved_, std::strerror(reason)));
}

void TemporaryFile::check_target() {
  struct stat status {};
  if (::stat(path_.c_str(), &status) != 0) return;
  if (S_ISDIR(status.st_mode)) fail("it is a directory");
  if (!S_ISREG(status.st_mode)) fail("it is not a regular file");
  if (!overwrite_) fail("it exists; " + how_to_overwrite());
}

void TemporaryFile::take_lock() {
  lock_name_ = beside(path_, "lock");
  const LockedFile file = open_locked(lock_name_);
  if (file.descriptor < 0) {
    const int reason = errno;
    lock_name_.clear();  // not ours to remove
    if (reason == EWOULDBLOCK) fail("another process is writing it");
    fail(fmt::format("no file can be created in directory {}: {}", directory_of(path_),
                     std::strerror(reason)));
  }
  lock_ = file.descriptor;
  if (file.locked) remove_leftovers();
}

void TemporaryFile::remove_leftovers() const {
  const std::string head = fmt::format(".{}.", fs::path(path_).filename().string());
  std::error_code ignored;
  for (fs::directory_iterator at(directory_of(path_), ignored), end; !ignored && at != end;
       at.increment(ignored)) {
    const std::string name = at->path().filename().string();
    if (name.starts_with(head) && is_part(std::string_view(name).substr(head.size())))
      ::unlink(at->path().c_str());
  }
}

void TemporaryFile::release_lock() noexcept {
  if (!lock_name_.empty()) ::unlink(lock_name_.c_str());
  lock_name_.clear();
  if (lock_ >= 0) ::close(std::exchange(lock_, -1));
}

void TemporaryFile::discard() noexcept {
  if (descriptor_ >= 0) ::close(std::exchange(descriptor_, -1));
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
  temporary_.clear();
  release_lock();
}

void TemporaryFile::write(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (runs_dry()) return;
  require(descriptor_ >= 0, "a temporary file was written to after its end");
  while (!bytes.empty()) {
    const ssize_t count = ::pwrite(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(offset));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) fail_with_reason("writing");
    offset += static_cast<std::uint64_t>(count);
    bytes = bytes.subspan(static_cast<std::size_t>(count));
  }
}

void TemporaryFile::append(std::span<const std::byte> bytes) {
  write(appended_, bytes);
  appended_ += bytes.size();
}

void TemporaryFile::publish() {
  if (DryRun* run = DryRun::current()) return run->add_file({path_, std::max(reserved_, appended_)});
  require(descriptor_ >= 0, "a temporary file was published after its end");
  struct stat status {};
  if (::fsync(descriptor_) != 0) fail_with_reason("syncing to disk");
  if (::fstat(descriptor_, &status) != 0) fail_with_reason("looking at its size");
  if (reserved_ > 0 && static_cast<std::uint64_t>(status.st_size) != reserved_)
    fail(fmt::format("it should have {} bytes, but has {}", reserved_, status.st_size));
  if (::close(std::exchange(descriptor_, -1)) != 0) fail_with_reason("closing");
  check_target();
  if (std::rename(temporary_.c_str(), path_.c_str()) != 0) fail_with_reason("renaming its temporary");
  temporary_.clear();
  sync_directory_of(path_);
  release_lock();
}

void check_output(const std::string& path, bool overwrite) {
  DryRun* run = DryRun::current();
  if (run == nullptr) {
    const TemporaryFile unused(path, 0, overwrite);
  } else if (!overwrite && fs::exists(path) && run->outlook().kind == Outlook::Kind::begins) {
    run->expect(
        {Outlook::Kind::stops, fmt::format("cannot write {}: it exists; {}", path, how_to_overwrite())});
  }
}

std::string owner_of_hidden(const std::string& hidden) {
  const fs::path path(hidden);
  const std::string name = path.filename().string();
  if (!name.starts_with('.')) return {};
  for (std::size_t dot = name.find('.', 1); dot != name.npos; dot = name.find('.', dot + 1)) {
    const std::string_view suffix = std::string_view(name).substr(dot + 1);
    if (suffix == "lock" || is_part(suffix)) return (path.parent_path() / name.substr(1, dot - 1)).string();
  }
  return {};
}

void write_atomically(const std::string& path, const std::string& text, bool overwrite) {
  TemporaryFile file(path, 0, overwrite);
  file.append(std::as_bytes(std::span(text)));
  file.publish();
}

void copy_atomically(const std::string& from, const std::string& to) {
  constexpr std::size_t piece = 1 << 20;
  const ByteSource source = ByteSource::file(from);
  TemporaryFile file(to);
  for (std::uint64_t done = 0; done < source.size(); done += piece) {
    const std::string bytes = source.text(done, piece);
    file.append(std::as_bytes(std::span(bytes)));
  }
  file.publish();
}

void sync_directory_of(const std::string& path) {
  if (runs_dry()) return;
  const int directory = ::open(directory_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (directory < 0) return;
  ::fsync(directory);
  ::close(directory);
}

}  // namespace plaq
