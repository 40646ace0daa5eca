// Entries of a tuning file, and a folder for one.
#pragma once

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "core/launch/tuning.hpp"

namespace plaq::test {

inline TuneEntry tune_entry(const std::string& kernel, const Launch& launch = {128, 3}) {
  return {kernel,
          "single",
          {8, 8, 8, 16},
          0b1100,
          12,
          "NVIDIA H200",
          "CUDA driver 12.4, runtime 12.2",
          "0.1.0 abcd",
          launch,
          12.25,
          15.5,
          "2026-01-31T23:59:59Z"};
}

class TuningFolder {
 public:
  TuningFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "plaq-tuning-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) std::abort();
    folder_ = name;
  }
  ~TuningFolder() { std::filesystem::remove_all(folder_); }
  TuningFolder(const TuningFolder&) = delete;
  TuningFolder& operator=(const TuningFolder&) = delete;

  std::filesystem::path folder() const { return folder_; }
  std::string path() const { return (folder_ / "tuning.jsonl").string(); }
  void put(const std::string& text) const { std::ofstream(path(), std::ios::binary) << text; }
  std::string text() const { return text_of(path()); }
  static std::string text_of(const std::filesystem::path& path) {
    std::ifstream stream(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : std::filesystem::directory_iterator(folder_))
      found.push_back(entry.path().filename());
    std::sort(found.begin(), found.end());
    return found;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace plaq::test
