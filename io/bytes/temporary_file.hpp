// A file under a temporary name beside its final one, which it gets when it is complete: a reader never sees
// half of it, and an old file stays until then. One rank owns it; others may write to it by its temporary
// name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

namespace plaq {

struct LinkChecksum;

// The temporary of DIR/NAME is DIR/.NAME.DIGITS.part with 16 random hexadecimal digits, so that nobody can
// place a link there beforehand. Its owner holds a lock on DIR/.NAME.lock (not on the temporary: MPI-IO locks
// that itself on some file systems, and would wait for its own process); whoever gets the lock removes the
// temporaries that killed programs left. All errors: output_file, with path and reason.
class TemporaryFile {
 public:
  // Makes the temporary and reserves `bytes` for it, so that a full disk shows before the work is done.
  // Refuses a `path` that exists when `overwrite` is false, that is no regular file, whose directory is
  // missing or not writable, or that another process is writing.
  explicit TemporaryFile(std::string path, std::uint64_t bytes = 0, bool overwrite = true);
  ~TemporaryFile();  // removes the temporary unless it was published
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  const std::string& path() const { return path_; }
  const std::string& name() const { return temporary_; }
  // For a file that a library has filled under the temporary name: its size from now on. Reserves it.
  void resize(std::uint64_t bytes);
  void write(std::uint64_t offset, std::span<const std::byte> bytes);
  void append(std::span<const std::byte> bytes);  // behind what was appended before
  // Syncs it to disk and renames it to `path`, replacing an older file if it may. It must have the reserved
  // size, where one was reserved.
  void publish();

 private:
  [[noreturn]] void fail(const std::string& what);
  [[noreturn]] void fail_with_reason(const char* action);
  void check_target();
  void take_lock();
  void remove_leftovers() const;
  void release_lock() noexcept;
  void discard() noexcept;

  std::string path_, temporary_, lock_name_;
  std::uint64_t reserved_ = 0, appended_ = 0;
  bool overwrite_;
  int descriptor_ = -1, lock_ = -1;
};

// Throws what making and publishing `path` would throw. For asking before long work; leaves nothing behind.
void check_output(const std::string& path, bool overwrite);

// The PATH whose TemporaryFile would take `hidden`, by its name, for its lock or for what a killed program
// left, and remove it; empty: none.
std::string owner_of_hidden(const std::string& hidden);

// The whole text of a small file at once.
void write_atomically(const std::string& path, const std::string& text, bool overwrite);

// A copy of a regular file, whole or not at all, in place of what is there. Throws also Error(input_file).
void copy_atomically(const std::string& from, const std::string& to);

// Makes a new name, or the lack of an old one, last through a power failure, as far as the file system can.
void sync_directory_of(const std::string& path);

// A look of the caller at a file that is complete under a temporary name, before it replaces an older one.
// Collective; what it throws, the same on every rank, keeps the older one.
using WrittenFileCheck = std::function<void(const std::string& name, const LinkChecksum& checksum)>;

}  // namespace plaq
