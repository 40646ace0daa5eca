// An input as a file, for readers that take a path. In memory where the machine has /dev/shm; it has a name
// there, since libhdf5 opens nothing that has none.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

namespace plaq::fuzz {

class MemoryFile {
 public:
  explicit MemoryFile(std::string_view bytes) {
    static const bool memory = ::access("/dev/shm", W_OK) == 0;
    path_ = (memory ? "/dev/shm" : std::filesystem::temp_directory_path().string()) + "/plaq-fuzz-XXXXXX";
    const int descriptor = ::mkstemp(path_.data());
    if (descriptor < 0 || ::write(descriptor, bytes.data(), bytes.size()) != std::ssize(bytes)) std::abort();
    ::close(descriptor);
  }
  ~MemoryFile() { ::unlink(path_.c_str()); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

inline std::string_view text_of(const std::uint8_t* bytes, std::size_t size) {
  return {reinterpret_cast<const char*>(bytes), size};
}

}  // namespace plaq::fuzz
