// What a file of eigenvectors says about itself, as the text in its file: JSON, a line for each key. Numbers
// come back as they were, to the bit. Serial.
#pragma once

#include <string>
#include <string_view>

#include "io/eigenvectors/eigenvector_info.hpp"

namespace plaq {

std::string to_text(const EigenvectorFileInfo& info);
// Path, checksum and place of the numbers are not in the text. Throws Error(input_file), beginning with
// `place`, for a text that is none of these: it names the key.
EigenvectorFileInfo eigenvector_info_from_text(std::string_view text, const std::string& place);

}  // namespace plaq
