// Numbers of bytes for people.
#pragma once

#include <string>

namespace plaq::jobs {

std::string bytes_text(double bytes);  // "12 B", "1.50 GiB"

}  // namespace plaq::jobs
