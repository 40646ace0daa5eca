// Entries of a tuning file, and a folder for one.
#pragma once

#include "core/launch/tuning.hpp"
#include "tests/support/files.hpp"

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

class TuningFolder : public TemporaryFolder {
 public:
  std::string tuning_file() const { return *this / "tuning.jsonl"; }
  void put(const std::string& text) const { std::ofstream(tuning_file(), std::ios::binary) << text; }
  std::string text() const { return read_bytes(tuning_file()); }
  std::vector<std::string> names() const { return names_in(path()); }
};

}  // namespace plaq::test
