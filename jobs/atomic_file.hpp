// A file that appears under its name complete or not at all. Serial: one rank writes.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace plaq::jobs {

// Throws output_file errors when `path` could not be written: it exists and `overwrite` is false, it is a
// directory, or its directory is missing or not writable. For asking before long work; leaves nothing behind.
void check_output(const std::string& path, bool overwrite);

// Writes to a hidden temporary in the directory of `path`. Without commit(), or when anything fails, the
// temporary is removed and an old file stays as it was. Errors: output_file, naming the path and the reason.
class AtomicFile {
 public:
  AtomicFile(std::string path, bool overwrite);
  ~AtomicFile();
  AtomicFile(const AtomicFile&) = delete;
  AtomicFile& operator=(const AtomicFile&) = delete;

  void write(std::span<const std::byte> bytes);
  void commit();  // sync to disk, rename; at most once

  const std::string& path() const { return path_; }

 private:
  [[noreturn]] void fail(const char* action);
  void discard() noexcept;

  std::string path_, temporary_;
  bool overwrite_;
  int descriptor_ = -1;
};

// The whole text of a small file at once, with the same promises.
void write_atomically(const std::string& path, const std::string& text, bool overwrite);

}  // namespace plaq::jobs
