// A GaugeFileInfo as bytes, for the ranks that do not touch the file.
#pragma once

#include <string>

#include "io/gauge_file_info.hpp"

namespace plaq {

std::string to_text(const GaugeFileInfo& info);
GaugeFileInfo info_from_text(const std::string& text);

}  // namespace plaq
