// The keys of [eigenvectors] beside those of EigenvectorSettings.
#pragma once

#include <string>

#include "core/system/location.hpp"

namespace plaq::jobs {

struct EigenvectorKeys {
  std::string directory;
  Precision precision = Precision::single_precision;  // of the file
};

}  // namespace plaq::jobs
