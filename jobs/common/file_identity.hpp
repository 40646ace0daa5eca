// What a file is, whatever its name: links and detours give one many names.
#pragma once

#include <filesystem>
#include <map>
#include <string>

namespace plaq::jobs {

class FileIdentities {
 public:
  // A text that is the same for two names of one file, and for no others: device and inode where it exists,
  // else the canonical name of its directory and its own.
  std::string operator()(const std::string& path);

 private:
  std::map<std::string, std::filesystem::path> directories_;  // a chain has 100,000 fields in one
};

}  // namespace plaq::jobs
