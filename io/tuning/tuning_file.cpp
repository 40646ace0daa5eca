#include "io/tuning/tuning_file.hpp"

#include <fmt/chrono.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <span>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/joined_texts.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/file_lock.hpp"
#include "io/bytes/temporary_file.hpp"
#include "io/tuning/tuning_text.hpp"

namespace plaq {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

// Good and empty where there is no file.
TuningText read(const std::string& path) {
  std::error_code ignored;
  if (!fs::exists(path, ignored)) return {};
  return parse_tuning(path, ByteSource::file(path).text(0, most_tuning_bytes + 1));
}

// Between reading a file and replacing it; not the lock of TemporaryFile, which is taken meanwhile.
class MergeLock {
 public:
  explicit MergeLock(const std::string& path) {
    const fs::path where(path);
    name_ = (where.parent_path() / fmt::format(".{}.merge", where.filename().string())).string();
    const LockedFile file = open_locked(name_, 10);  // others hold it for the time of a small write
    descriptor_ = file.descriptor;
    if (descriptor_ < 0)
      throw Error(ErrorKind::output_file,
                  fmt::format("cannot write {}: locking {}: {}", path, name_, std::strerror(errno)));
  }
  ~MergeLock() {
    ::unlink(name_.c_str());
    ::close(descriptor_);
  }
  MergeLock(const MergeLock&) = delete;
  MergeLock& operator=(const MergeLock&) = delete;

 private:
  std::string name_;
  int descriptor_ = -1;
};

void keep_aside(const std::string& path) {
  const std::string kept = fmt::format("{}.{:%Y%m%dT%H%M%SZ}.bad", path, fmt::gmtime(std::time(nullptr)));
  std::error_code failure;
  fs::rename(path, kept, failure);
  if (failure)
    throw Error(ErrorKind::output_file, fmt::format("cannot rename {}: {}", path, failure.message()));
  log::info(fmt::format("{} is kept as {}, and a new one is begun", path, kept));
}

}  // namespace

std::string tuning_file_path(const std::string& asked) {
  if (!asked.empty()) return asked;
  if (const auto named = variable("PLAQ_TUNING_FILE"); !named.empty()) return named;
  if (const auto cache = variable("XDG_CACHE_HOME"); cache.starts_with('/'))
    return cache + "/plaq/tuning.jsonl";
  if (const auto home = variable("HOME"); home.starts_with('/')) return home + "/.cache/plaq/tuning.jsonl";
  return {};
}

std::vector<TuneEntry> read_tuning_file(const std::string& path) {
  TuningText found;
  try {
    found = read(path);
  } catch (const Error& error) {
    found.problem = error.what();
  }
  if (!found.problem.empty()) log::warning(fmt::format("{}; the tuning file is ignored", found.problem));
  return found.entries;
}

bool add_to_tuning_file(const std::string& path, std::span<const TuneEntry> entries) {
  std::error_code failure;
  if (const fs::path folder = fs::path(path).parent_path(); !folder.empty())
    fs::create_directories(folder, failure);
  if (failure)
    throw Error(ErrorKind::output_file,
                fmt::format("cannot write {}: making its folder: {}", path, failure.message()));
  const MergeLock lock(path);
  TuningText there = read(path);
  if (there.state == TuningText::State::foreign || there.state == TuningText::State::newer) return false;
  const std::string text = tuning_text(merge_tuning(std::move(there.entries), entries));
  if (const TuningText again = parse_tuning(path, text); again.state != TuningText::State::good)
    throw Error(ErrorKind::output_file,
                fmt::format("cannot write {}: plaq could not read it: {}", path, again.problem));
  if (there.state == TuningText::State::damaged) keep_aside(path);
  write_atomically(path, text, true);
  return true;
}

void load_tuning(const Communicator& comm, const std::string& path, Tuner& tuner) {
  if (tuner.mode() == TuneMode::off || path.empty()) return;
  const int rank = comm.rank();
  std::vector<TuneEntry> entries;
  if (rank == 0) {
    entries = read_tuning_file(path);
    std::erase_if(entries, [&](const TuneEntry& e) { return e.build != tuner.machine().build; });
  }
  const std::string text = broadcast(comm, rank == 0 ? tuning_text(entries) : "");
  tuner.add(parse_tuning(path, text).entries);
}

void save_tuning(const Communicator& comm, const std::string& path, Tuner& tuner) {
  if (tuner.mode() != TuneMode::on || path.empty() || runs_dry()) return;
  const int rank = comm.rank();
  std::vector<TuneEntry> entries = tuner.take_new();
  // Mostly all ranks have timed the same: only what the first one lacks needs to travel to it.
  const std::string firsts = broadcast(comm, tuning_text(entries));
  if (rank != 0) {
    const auto known = parse_tuning(path, firsts).entries;
    std::erase_if(entries, [&](const TuneEntry& mine) {
      return std::any_of(known.begin(), known.end(), [&](const auto& one) { return same_case(mine, one); });
    });
  }
  const auto join = [&path](const std::string& lower, const std::string& higher) {
    if (lower.empty() || higher.empty()) return lower + higher;
    return tuning_text(merge_tuning(parse_tuning(path, higher).entries, parse_tuning(path, lower).entries));
  };
  const std::string all = joined_texts(comm, entries.empty() ? "" : tuning_text(entries), join);
  entries = parse_tuning(path, all).entries;
  if (rank != 0 || entries.empty()) return;
  try {
    if (!add_to_tuning_file(path, entries)) log::debug(fmt::format("{} is left as it is", path));
  } catch (const Error& error) {
    log::warning(fmt::format("{}; what was tuned is not kept", error.what()));
  }
}

}  // namespace plaq
