// System calls of this thread that read and write files, and their bytes, as the kernel counts them.
#pragma once

#include <fcntl.h>
#include <unistd.h>

#include <cstdint>
#include <string>

#include "tests/support/test.hpp"

namespace plaq::test {

// Counts from the construction on. Sockets of an MPI library over a network would be counted, too.
class SystemIo {
 public:
  struct Counts {
    std::uint64_t reads = 0, bytes_read = 0, writes = 0, bytes_written = 0;
  };

  SystemIo() : begin_(look()) {}
  // False: this kernel does not count.
  explicit operator bool() const { return !begin_.empty(); }
  Counts counts() const {
    const std::string end = look();
    return {number(end, "syscr: ") - number(begin_, "syscr: ") - 1,  // the first look is one
            number(end, "rchar: ") - number(begin_, "rchar: ") - begin_.size(),
            number(end, "syscw: ") - number(begin_, "syscw: "),
            number(end, "wchar: ") - number(begin_, "wchar: ")};
  }

 private:
  static std::string look() {
    std::string text(4096, '\0');
    const int file = ::open("/proc/thread-self/io", O_RDONLY);
    const ssize_t size = file < 0 ? 0 : ::read(file, text.data(), text.size());
    if (file >= 0) ::close(file);
    text.resize(static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
    return text;
  }
  static std::uint64_t number(const std::string& text, const std::string& name) {
    const std::size_t at = text.find(name);
    return at == std::string::npos ? 0 : std::stoull(text.substr(at + name.size()));
  }

  std::string begin_;
};

}  // namespace plaq::test
