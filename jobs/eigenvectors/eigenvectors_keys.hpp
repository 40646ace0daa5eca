// What the table [eigenvectors] says.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "core/system/location.hpp"

namespace plaq::jobs {

struct EigenvectorKeys {
  std::string directory;
  int modes = 64;
  double tolerance = 1e-3;  // of an error bound, relative to its eigenvalue
  std::optional<int> basis;
  int filter_degree = 40, max_applications = 1000000;
  std::int64_t seed = 1;
  Precision precision = Precision::single_precision;  // of the file

  int vectors() const { return basis.value_or(2 * modes + 20); }
};

}  // namespace plaq::jobs
