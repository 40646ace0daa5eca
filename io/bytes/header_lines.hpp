// Lines KEY = VALUE, as headers and texts of files have them. Serial.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "io/gauge/gauge_file_info.hpp"

namespace plaq {

std::vector<std::string> lines_of(std::string_view text);  // without their ends

// What such lines say, without blanks around key and value; others are passed over. `number`: of the record
// that has them.
std::vector<HeaderEntry> entries_of_lines(const std::vector<std::string>& lines, int number = 0);

// Why the two cannot be such a line and come back as they were; none when they can.
std::optional<std::string> line_complaint(std::string_view key, std::string_view value);

}  // namespace plaq
