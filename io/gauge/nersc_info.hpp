// A NERSC file as it presents itself: its header, its size and its byte order agreed. Serial.
#pragma once

#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/nersc_header.hpp"

namespace plaq {

// Reads the header and checks the size, which must be that of header and links exactly; one newline after
// them is tolerated. Throws Error(input_file).
GaugeFileInfo read_nersc_info(const ByteSource& source);

}  // namespace plaq
