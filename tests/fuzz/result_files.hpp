// Result files as bytes.
#pragma once

#include <filesystem>
#include <string>

#include "io/bytes/byte_source.hpp"
#include "jobs/results/output_file.hpp"
#include "tests/fuzz/result_seeds.hpp"

namespace plaq::fuzz {

inline std::vector<std::string> result_files() {
  std::string folder = (std::filesystem::temp_directory_path() / "plaq-fuzz-XXXXXX").string();
  if (!::mkdtemp(folder.data())) std::abort();
  std::vector<std::string> files;
  for (const auto& results : result_seeds()) {
    if (results.groups.empty()) continue;
    const std::string path = folder + "/out.h5";
    jobs::OutputFile out(path, true);
    out.write(results);
    out.commit();
    files.push_back(ByteSource::file(path).text(0, 1 << 20));
  }
  std::filesystem::remove_all(folder);
  return files;
}

}  // namespace plaq::fuzz
