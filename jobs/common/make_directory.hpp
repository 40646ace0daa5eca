#pragma once

#include <string>

namespace plaq::jobs {

// With those above it. Throws output_file where it cannot be made.
void make_directory(const std::string& name);

}  // namespace plaq::jobs
