// Gauge files of any format that this version reads, recognised from their bytes.
#pragma once

#include <string>

#include "io/byte_source.hpp"
#include "io/nersc.hpp"

namespace plaq {

// Throws Error(input_file), saying what the file seems to be, when no reader knows it. Serial.
GaugeFileFormat recognize_gauge_file(const ByteSource& source);

// What the file says about itself; the links are not looked at. Serial. Throws Error(input_file).
GaugeFileInfo inspect_gauge_file(const std::string& path);

// Collective. See read_nersc.
GaugeReadReport read_gauge_file(const std::string& path, const ProcessGrid& grid, Field& gauge);

// See verify_nersc. Serial.
void verify_gauge_file(const GaugeFileInfo& info, double plaquette, double link_trace);

}  // namespace plaq
