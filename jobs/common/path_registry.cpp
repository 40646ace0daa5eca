#include "jobs/common/path_registry.hpp"

#include <fmt/format.h>
#include <sys/stat.h>

#include <filesystem>
#include <map>
#include <system_error>
#include <utility>

#include "core/system/error.hpp"
#include "io/bytes/byte_source.hpp"
#include "io/bytes/temporary_file.hpp"

namespace plaq::jobs {
namespace fs = std::filesystem;

std::string FileIdentities::operator()(const std::string& path) {
  struct stat status {};
  if (::stat(path.c_str(), &status) == 0) return fmt::format("{}:{}", status.st_dev, status.st_ino);
  std::error_code ignored;
  const auto slash = path.rfind('/');
  const std::string directory = slash == path.npos ? "." : path.substr(0, slash + 1);
  const auto [at, is_new] = directories_.try_emplace(directory);
  if (is_new) at->second = fs::weakly_canonical(fs::absolute(directory, ignored), ignored) / "";
  return at->second.string() + (slash == path.npos ? path : path.substr(slash + 1));
}

void PathRegistry::reads(std::string path, std::string use) {
  if (!path.empty()) entries_.push_back({std::move(path), std::move(use), false});
}

void PathRegistry::writes(std::string path, std::string use) {
  if (!path.empty()) entries_.push_back({std::move(path), std::move(use), true});
}

void PathRegistry::add(const PathRegistry& other) {
  entries_.insert(entries_.end(), other.entries_.begin(), other.entries_.end());
}

void PathRegistry::check(ErrorKind kind, std::string_view where) const {
  FileIdentities identity;
  std::map<std::string, const Entry*> found;  // of each file an output, or else the first input
  for (const Entry& entry : entries_) {
    const auto [at, is_new] = found.emplace(identity(entry.path), &entry);
    if (is_new) continue;
    const Entry& other = *at->second;
    if (entry.written || other.written)
      throw Error(kind,
                  fmt::format("{}: {} is {}, and {}{}; every file that is written needs a name of its "
                              "own",
                              where, other.path, other.use,
                              entry.path == other.path ? "" : fmt::format("as {} ", entry.path), entry.use));
  }
  for (const Entry& entry : entries_) {
    const std::string owner = owner_of_hidden(entry.path);
    if (owner.empty()) continue;
    const auto at = found.find(identity(owner));
    if (at != found.end() && at->second->written)
      throw Error(kind, fmt::format("{}: {} is {}, but has the name of a temporary file of {}, {}; take "
                                    "another name",
                                    where, entry.path, entry.use, owner, at->second->use));
  }
}

void expect_json_or_nothing(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return;  // writing it says what is wrong
  const std::string begin = ByteSource::file(path).text(0, 1 << 12);
  const auto first = begin.find_first_not_of(" \t\r\n");
  if (first == std::string::npos || begin[first] == '{') return;
  throw Error(
      ErrorKind::output_file,
      fmt::format("cannot write {}: it exists and is no JSON file; choose another name, or delete it", path));
}

void make_directory(const std::string& name) {
  std::error_code failure;
  std::filesystem::create_directories(name, failure);
  if (failure)
    throw Error(ErrorKind::output_file, fmt::format("cannot make {}: {}", name, failure.message()));
}

}  // namespace plaq::jobs
