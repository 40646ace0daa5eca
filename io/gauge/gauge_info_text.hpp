// What a file says about itself as bytes, for the ranks that do not touch the file.
#pragma once

#include <string>

#include "io/gauge/gauge_file_info.hpp"
#include "io/transformation/transformation_info.hpp"

namespace plaq {

std::string to_text(const GaugeFileInfo& info);
GaugeFileInfo info_from_text(const std::string& text);

std::string to_text(const TransformationFileInfo& info);
TransformationFileInfo transformation_info_from_text(const std::string& text);

}  // namespace plaq
