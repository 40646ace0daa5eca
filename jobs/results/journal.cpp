#include "jobs/results/journal.hpp"

#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/byte_stream.hpp"
#include "io/bytes/file_lock.hpp"
#include "io/bytes/names_now.hpp"
#include "io/bytes/temporary_file.hpp"

namespace plaq::jobs {
namespace {

constexpr std::string_view magic = "plaqJRNL";
constexpr std::uint32_t journal_layout = 1;

std::string head() {
  ByteWriter out;
  out.raw(magic);
  out.number(journal_layout);
  return out.bytes();
}

std::uint32_t crc_of(std::string_view bytes) {
  return static_cast<std::uint32_t>(::crc32_z(0, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

std::string bytes_of(const JournalRecord& record) {
  ByteWriter numbers;
  numbers.number(record.kind);
  numbers.number(static_cast<std::uint32_t>(record.key.size()));
  numbers.number(static_cast<std::uint64_t>(record.payload.size()));
  ByteWriter out;
  out.raw(numbers.bytes());
  out.number(crc_of(numbers.bytes()));
  out.raw(record.key);
  out.raw(record.payload);
  out.number(crc_of(record.key + record.payload));
  return out.bytes();
}

enum class Next { record, cut_off, damaged };

// The record at `offset`, which is behind it afterwards.
Next read_record(const ByteSource& file, std::uint64_t& offset, JournalRecord& record) {
  constexpr std::size_t numbers_bytes = 16, crc_bytes = 4;
  const std::string head_bytes = file.text(offset, numbers_bytes + crc_bytes);
  ByteReader in(head_bytes);
  const auto numbers = in.raw(numbers_bytes);
  const auto numbers_crc = in.number<std::uint32_t>();
  if (!numbers || !numbers_crc) return Next::cut_off;
  if (*numbers_crc != crc_of(*numbers)) return Next::damaged;
  ByteReader lengths(*numbers);
  record.kind = *lengths.number<std::uint32_t>();
  const std::uint64_t key_bytes = *lengths.number<std::uint32_t>();
  const std::uint64_t payload_bytes = *lengths.number<std::uint64_t>();
  const std::uint64_t begin = offset + head_bytes.size(), left = file.size() - begin;
  if (left < key_bytes + crc_bytes || left - key_bytes - crc_bytes < payload_bytes) return Next::cut_off;
  record.key = file.text(begin, key_bytes);
  record.payload = file.text(begin + key_bytes, payload_bytes);
  const std::string crc_text = file.text(begin + key_bytes + payload_bytes, crc_bytes);
  const auto crc = ByteReader(crc_text).number<std::uint32_t>();
  if (!crc) return Next::cut_off;  // it has just become shorter
  offset = begin + key_bytes + payload_bytes + crc_bytes;
  return *crc == crc_of(record.key + record.payload) ? Next::record : Next::damaged;
}

// All whole records, where each ends in the file, and what comes behind them.
struct Contents {
  std::vector<JournalRecord> records;
  std::vector<std::uint64_t> ends;
  std::uint64_t size = 0;    // of the head and the records
  Next rest = Next::record;  // `record`: nothing
  bool begun = true;         // false: killed as it began
};

// Record by record: a file that is no journal, of whatever size, is not read further than that shows.
Contents contents_of(const ByteSource& file) {
  Contents found;
  const std::string expected = head(), begin = file.text(0, expected.size());
  if (begin.size() < expected.size() && expected.starts_with(begin)) {
    found.begun = false;
    return found;
  }
  if (begin != expected)
    throw Error(ErrorKind::output_file,
                fmt::format("{}: it is not a journal of this version of plaq; delete it, or choose another "
                            "name for the output",
                            file.name()));
  found.size = expected.size();
  while (found.size < file.size()) {
    JournalRecord record;
    std::uint64_t end = found.size;
    found.rest = read_record(file, end, record);
    if (found.rest != Next::record) break;
    found.size = end;
    found.records.push_back(std::move(record));
    found.ends.push_back(found.size);
  }
  return found;
}

Contents contents_of(const std::string& path) {
  try {
    return contents_of(ByteSource::file(path));
  } catch (const Error& error) {
    throw Error(ErrorKind::output_file, error.what());
  }
}

}  // namespace

std::vector<JournalRecord> look_into_journal(const std::string& path) {
  if (!exists_now(path)) return {};
  return contents_of(path).records;
}

bool is_journal(const std::string& path) {
  try {
    return ByteSource::file(path).text(0, magic.size()) == magic;
  } catch (const Error&) {
    return false;
  }
}

JournalFile inspect_journal(const std::string& path) {
  Contents found = contents_of(path);
  return {std::move(found.records), found.size, std::filesystem::file_size(path),
          found.rest == Next::damaged};
}

void Journal::fail(const std::string& what) const {
  throw Error(ErrorKind::output_file, fmt::format("{}: {}", path_, what));
}

Journal::Journal(std::string path) : path_(std::move(path)) {
  if (runs_dry()) {
    try {
      records_ = look_into_journal(path_);
    } catch (const Error&) {  // the outlook says so
    }
    for (const JournalRecord& record : records_) size_ += bytes_of(record).size();
    return;
  }
  struct stat status {};
  if (::stat(path_.c_str(), &status) == 0 && !S_ISREG(status.st_mode)) fail("it is not a regular file");
  const LockedFile file = open_locked(path_);
  if (file.descriptor < 0 && errno == EWOULDBLOCK)
    fail("another run of this job is using it; wait for that one, or stop it");
  if (file.descriptor < 0) fail(fmt::format("cannot make a journal: {}", std::strerror(errno)));
  if (!file.locked)
    log::warning(fmt::format("{}: this file system has no locks: see that no other run uses it", path_));
  descriptor_ = file.descriptor;
  try {
    read();
  } catch (...) {
    ::close(std::exchange(descriptor_, -1));
    throw;
  }
}

Journal::~Journal() {
  // It stays where nobody removed it.
  if (DryRun* run = DryRun::current(); run != nullptr && size_ > 0)
    run->add_file({path_, head().size() + size_});
  if (descriptor_ < 0) return;
  if (records_.empty()) ::unlink(path_.c_str());
  ::close(descriptor_);
}

void Journal::read() {
  Contents found = contents_of(path_);
  if (!found.begun) return cut(0);
  records_ = std::move(found.records);
  ends_ = std::move(found.ends);
  size_ = found.size;
  if (found.rest == Next::damaged)
    log::warning(fmt::format("{}: damaged at byte {}: what was found after {} records is computed again",
                             path_, size_, records_.size()));
  if (found.rest != Next::record) cut(size_);
}

void Journal::cut(std::uint64_t bytes) {
  if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0)
    fail(fmt::format("shortening it: {}", std::strerror(errno)));
  size_ = bytes;
}

void Journal::write_at_end(const std::string& bytes) {
  std::size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count =
        ::pwrite(descriptor_, bytes.data() + done, bytes.size() - done, static_cast<off_t>(size_ + done));
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) break;
    done += static_cast<std::size_t>(count);
  }
  if (done == bytes.size() && ::fsync(descriptor_) == 0) {
    size_ += bytes.size();
    return;
  }
  const int reason = errno;
  cut(size_);
  fail(fmt::format("writing: {}", std::strerror(reason)));
}

void Journal::append(JournalRecord record) {
  if (runs_dry()) {
    size_ += bytes_of(record).size();
    return;
  }
  require(descriptor_ >= 0, "a journal was added to after its end");
  if (size_ == 0) {
    write_at_end(head());
    sync_directory_of(path_);
  }
  write_at_end(bytes_of(record));
  records_.push_back(std::move(record));
  ends_.push_back(size_);
}

void Journal::truncate(std::size_t count) {
  if (count >= records_.size()) return;
  if (!runs_dry()) cut(count == 0 ? head().size() : ends_[count - 1]);
  records_.resize(count);
  ends_.resize(count);
  if (!runs_dry()) return;
  size_ = 0;
  for (const JournalRecord& record : records_) size_ += bytes_of(record).size();
}

void Journal::remove() {
  if (DryRun* run = DryRun::current()) {
    run->add_file({path_, head().size() + size_, true});
    size_ = 0;
    return;
  }
  require(descriptor_ >= 0, "a journal was removed twice");
  // Another may be there by now under this name, or none.
  struct stat ours {
  }, there{};
  const bool is_ours = ::fstat(descriptor_, &ours) == 0 && ::stat(path_.c_str(), &there) == 0 &&
                       ours.st_ino == there.st_ino && ours.st_dev == there.st_dev;
  if (is_ours && ::unlink(path_.c_str()) != 0) fail(fmt::format("removing it: {}", std::strerror(errno)));
  ::close(std::exchange(descriptor_, -1));
  sync_directory_of(path_);
}

}  // namespace plaq::jobs
