// Journals: what is opened must open again as it is, take a record, and hold it. The same with checksums made
// right, so that what lies behind them is reached.
#include <zlib.h>

#include <cstring>

#include "core/system/log.hpp"
#include "jobs/results/journal.hpp"
#include "jobs/results/results.hpp"
#include "tests/fuzz/fuzz_target.hpp"
#include "tests/fuzz/memory_file.hpp"
#include "tests/fuzz/result_seeds.hpp"

namespace {

using plaq::jobs::Journal;
using plaq::jobs::JournalRecord;

std::vector<JournalRecord> records_of(const std::string& path) { return Journal(path).records(); }

// By the description in jobs/results/journal.hpp, on a little-endian machine.
std::string with_checksums(std::string file) {
  constexpr std::size_t head = 12, numbers = 16, crc_bytes = 4;
  const auto put_crc = [&](std::size_t from, std::size_t to) {
    const auto crc = static_cast<std::uint32_t>(
        ::crc32(0, reinterpret_cast<const Bytef*>(file.data()) + from, static_cast<uInt>(to - from)));
    std::memcpy(file.data() + to, &crc, crc_bytes);
  };
  for (std::size_t at = head; at + numbers + crc_bytes <= file.size();) {
    put_crc(at, at + numbers);
    std::uint32_t key = 0;
    std::uint64_t payload = 0;
    std::memcpy(&key, file.data() + at + 4, sizeof key);
    std::memcpy(&payload, file.data() + at + 8, sizeof payload);
    at += numbers + crc_bytes;
    const std::size_t left = file.size() - at;
    if (key > left || payload > left - key || crc_bytes > left - key - payload) break;
    put_crc(at, at + key + payload);
    at += key + payload + crc_bytes;
  }
  return file;
}

void open(const std::string& path) {
  auto records = records_of(path);
  if (records_of(path) != records) std::abort();
  records.push_back({3, "key", "payload"});
  Journal(path).append(records.back());
  if (records_of(path) != records) std::abort();
  for (const auto& record : records) plaq::jobs::results_from_bytes(record.payload);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* bytes, std::size_t size) {
  plaq::log::set_level(plaq::log::Level::silent);
  const std::string found(plaq::fuzz::text_of(bytes, size));
  for (const std::string& text : {found, with_checksums(found)}) {
    const plaq::fuzz::MemoryFile file(text);
    try {
      open(file.path());
    } catch (const plaq::Error& error) {
      if (error.kind() != plaq::ErrorKind::output_file) throw;
    }
  }
  return 0;
}

std::vector<std::string> plaq::fuzz::fuzz_seeds() {
  log::set_level(log::Level::silent);
  std::vector<JournalRecord> records = {{0, "0.1.0", "job = \"measure\"\n"}, {7, "", ""}};
  for (const auto& results : result_seeds()) records.push_back({1, "a.nersc", jobs::to_bytes(results)});
  std::vector<std::string> seeds;
  const MemoryFile file("");
  for (const auto& record : records) {
    Journal(file.path()).append(record);
    seeds.push_back(ByteSource::file(file.path()).text(0, 1 << 20));
  }
  return seeds;
}
