// Journal of the results of an unfinished job, in a file that survives its run: records that are only ever
// added, each with one write and an fsync. Serial: rank 0 holds it.
//
//   "plaqJRNL", layout (32 bits); then each record:
//   kind, bytes of key (32 bits each), bytes of payload (64 bits), CRC-32 of these three; key, payload,
//   CRC-32 of both; all little-endian
//
// The file is not hidden: it holds work worth hours, and users may delete it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace plaq::jobs {

struct JournalRecord {
  std::uint32_t kind = 0;
  std::string key, payload;
  bool operator==(const JournalRecord&) const = default;
};

// The records that opening the journal at `path` would find; none where it is not there. Changes nothing.
// Throws Error(output_file) where it is no journal.
std::vector<JournalRecord> look_into_journal(const std::string& path);

// True if the file begins as journals do, also those of other versions. False if it cannot be read.
bool is_journal(const std::string& path);

// The whole records of a journal, and what was found behind them: a record that a killed run has cut off, or
// a damaged one. Changes nothing. Throws Error(output_file) where it is no journal of this version.
struct JournalFile {
  std::vector<JournalRecord> records;
  std::uint64_t bytes = 0, file_bytes = 0;  // of the whole records with the head, and of the file
  bool damaged = false;
};
JournalFile inspect_journal(const std::string& path);

// All errors: output_file, naming the path. An flock keeps two runs from using it at once.
class Journal {
 public:
  // Opens `path`, or makes it, and reads what is there. A record that is cut off at the end is what a killed
  // run leaves: it is taken away. One that is damaged is warned about, and taken away with all that follow.
  explicit Journal(std::string path);
  // Removes the file when it has no records.
  ~Journal();
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  const std::string& path() const { return path_; }
  const std::vector<JournalRecord>& records() const { return records_; }

  // On disk when it returns; when it throws the file is as before.
  void append(JournalRecord record);
  // Keeps the first `count` records.
  void truncate(std::size_t count);
  // The job is complete: removes the file. Nothing can be added afterwards.
  void remove();

 private:
  [[noreturn]] void fail(const std::string& what) const;
  void read();
  void write_at_end(const std::string& bytes);
  void cut(std::uint64_t bytes);

  std::string path_;
  int descriptor_ = -1;
  std::uint64_t size_ = 0;
  std::vector<JournalRecord> records_;
  std::vector<std::uint64_t> ends_;  // of the records in the file
};

}  // namespace plaq::jobs
