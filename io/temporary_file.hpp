// A file under a temporary name beside its final one, which it gets when it is complete. For one rank; the
// others may write to it by its temporary name.
#pragma once

#include <cstdint>
#include <span>
#include <string>

namespace plaq {

class TemporaryFile {
 public:
  // Creates the temporary and reserves `bytes` for it, so that a full disk shows before the work is done.
  // Throws Error(output_file).
  TemporaryFile(std::string path, std::uint64_t bytes);
  ~TemporaryFile();  // removes the temporary unless it was published
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& name() const { return temporary_; }
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  // Syncs it to disk and renames it to `path`, replacing an older file.
  void publish();

 private:
  [[noreturn]] void fail(const std::string& what) const;

  std::string path_, temporary_;
  std::uint64_t bytes_;
  int descriptor_ = -1;
};

}  // namespace plaq
