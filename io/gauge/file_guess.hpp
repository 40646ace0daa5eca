// What a file seems to be that no reader knows: for messages. Serial.
#pragma once

#include <string>

#include "io/bytes/byte_source.hpp"

namespace plaq {

// "it seems to be an HDF5 file", or its first bytes.
std::string guess_file(const ByteSource& source);
// Guess for files that are not LIME: gauge fields are known, too.
std::string guess_contents(const ByteSource& source);

}  // namespace plaq
