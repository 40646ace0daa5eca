#include "io/bytes/byte_source.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

#include "core/system/error.hpp"

namespace plaq {
namespace {

[[noreturn]] void refuse(const std::string& path, const char* reason) {
  throw Error(ErrorKind::input_file, fmt::format("cannot read {}: {}", path, reason));
}

}  // namespace

ByteSource ByteSource::file(const std::string& path) {
  // O_NONBLOCK: a named pipe must be refused below, not waited for.
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK);
  if (descriptor < 0) refuse(path, std::strerror(errno));
  ByteSource source;
  source.descriptor_ = std::shared_ptr<const int>(new int(descriptor), [](const int* d) {
    ::close(*d);
    delete d;
  });
  struct stat status {};
  if (::fstat(descriptor, &status) != 0) refuse(path, std::strerror(errno));
  if (S_ISDIR(status.st_mode)) refuse(path, "it is a directory");
  if (!S_ISREG(status.st_mode)) refuse(path, "it is not a regular file");
  source.name_ = path;
  source.size_ = static_cast<std::uint64_t>(status.st_size);
  return source;
}

ByteSource ByteSource::memory(std::string name, std::span<const std::byte> bytes) {
  ByteSource source;
  source.name_ = std::move(name);
  source.memory_ = bytes;
  source.size_ = bytes.size();
  return source;
}

std::size_t ByteSource::read(std::uint64_t offset, std::span<std::byte> to) const {
  if (offset >= size_) return 0;
  const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(to.size(), size_ - offset));
  if (!descriptor_) {
    std::copy_n(memory_.begin() + static_cast<std::ptrdiff_t>(offset), wanted, to.begin());
    return wanted;
  }
  std::size_t done = 0;
  while (done < wanted) {
    const ssize_t count =
        ::pread(*descriptor_, to.data() + done, wanted - done, static_cast<off_t>(offset + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) refuse(name_, std::strerror(errno));
    if (count == 0) break;  // someone has just made it shorter
    done += static_cast<std::size_t>(count);
  }
  return done;
}

std::string text_of_file(const std::string& path, std::uint64_t most) {
  const ByteSource source = ByteSource::file(path);
  if (source.size() > most)
    refuse(path, fmt::format("it has {} bytes, more than the {} of any file of its kind", source.size(), most)
                     .c_str());
  return source.text(0, static_cast<std::size_t>(source.size()));
}

bool same_bytes(const std::string& one, const std::string& other) {
  constexpr std::size_t piece = 1 << 20;
  const ByteSource a = ByteSource::file(one), b = ByteSource::file(other);
  if (a.size() != b.size()) return false;
  for (std::uint64_t at = 0; at < a.size(); at += piece)
    if (a.text(at, piece) != b.text(at, piece)) return false;
  return true;
}

std::string ByteSource::text(std::uint64_t offset, std::size_t most) const {
  const std::uint64_t left = offset < size_ ? size_ - offset : 0;
  std::string result(static_cast<std::size_t>(std::min<std::uint64_t>(most, left)), '\0');
  result.resize(read(offset, std::as_writable_bytes(std::span(result))));
  return result;
}

std::uint32_t crc_of_range(std::uint32_t crc, const ByteSource& source, std::uint64_t begin,
                           std::uint64_t end) {
  constexpr std::uint64_t at_once = 1 << 20;
  std::vector<std::byte> some(static_cast<std::size_t>(std::min(end - begin, at_once)));
  while (begin < end) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(some.size(), end - begin));
    const std::size_t found = source.read(begin, std::span(some).first(wanted));
    if (found == 0)
      throw Error(
          ErrorKind::input_file,
          fmt::format("{}: the file became shorter while it was read; another program may be writing it",
                      source.name()));
    crc = static_cast<std::uint32_t>(::crc32_z(crc, reinterpret_cast<const Bytef*>(some.data()), found));
    begin += found;
  }
  return crc;
}

}  // namespace plaq
