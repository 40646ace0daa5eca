// The build of the program, and the machine that a timing holds for: processor, driver and build.
#pragma once

#include <string>

#include "core/system/location.hpp"

namespace plaq {

// The version of the program: "0.2.0", with the state of the source when the build knows it.
const char* version();

// Timings hold on an equal machine alone.
struct Machine {
  Location location = Location::host;
  std::string device;  // "NVIDIA H200", or the host's processor with its number of threads
  std::string driver;  // of the GPU; "none" on the host
  std::string build;   // version of plaq, and a hash of compiler and flags

  bool operator==(const Machine&) const = default;
};

// This rank's machine at `location`, once its GPU and its number of threads are chosen.
Machine machine_at(Location location, const std::string& version);

}  // namespace plaq
