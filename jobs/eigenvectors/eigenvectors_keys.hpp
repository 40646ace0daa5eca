// The keys of [eigenvectors] beside those of EigenvectorSettings.
#pragma once

#include <string>

#include "core/system/location.hpp"
#include "jobs/schema/use_settings.hpp"

namespace plaq::jobs {

struct EigenvectorKeys {
  std::string directory;
  Precision precision = Precision::single_precision;  // of the file
};

/// The schema of eigenvectors jobs.
const Schema& eigenvectors_schema();

}  // namespace plaq::jobs
