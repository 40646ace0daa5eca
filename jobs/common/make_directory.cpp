#include "jobs/common/make_directory.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <system_error>

#include "core/system/error.hpp"

namespace plaq::jobs {

void make_directory(const std::string& name) {
  std::error_code failure;
  std::filesystem::create_directories(name, failure);
  if (failure)
    throw Error(ErrorKind::output_file, fmt::format("cannot make {}: {}", name, failure.message()));
}

}  // namespace plaq::jobs
