// All files that a command reads and writes: no output may replace an input, or another output.
#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "core/system/error.hpp"

namespace plaq::jobs {

// Tells files apart, whatever their names: links and detours give one many names.
class FileIdentities {
 public:
  // A text that is the same for two names of one file, and for no others: device and inode where it exists,
  // else the canonical name of its directory and its own.
  std::string operator()(const std::string& path);

 private:
  std::map<std::string, std::filesystem::path> directories_;  // a chain has 100,000 fields in one
};

class PathRegistry {
 public:
  // `use`: for users, with the key or option that names it: "a gauge field ([gauge] files)". Nothing is
  // looked at yet; an empty path is no file.
  void reads(std::string path, std::string use);
  void writes(std::string path, std::string use);
  void add(const PathRegistry& other);

  // Throws Error(kind), which begins with `where` and names both uses, at the first file that is written and
  // has a second use. Files are compared by what they are: device and inode where they exist, so that links
  // count, else the canonical name of their directory and their own. Lock and temporaries of an output
  // (TemporaryFile) belong to it. Call it before anything is opened for writing. Serial.
  void check(ErrorKind kind, std::string_view where) const;

 private:
  struct Entry {
    std::string path, use;
    bool written = false;
  };
  std::vector<Entry> entries_;
};

// For an output that no `overwrite` speaks about: throws Error(output_file) where a file is there that is not
// empty and does not begin with `{`, and so is no earlier output of the same kind.
void expect_json_or_nothing(const std::string& path);

// Makes a directory, with those above it. Throws output_file where it cannot be made.
void make_directory(const std::string& name);

}  // namespace plaq::jobs
