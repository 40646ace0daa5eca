#include "core/system/machine.hpp"

#include <omp.h>
#include <sys/utsname.h>

#include <fstream>

#include "core/launch/queue.hpp"
#include "core/system/dry_run.hpp"

#ifndef PLAQ_FLAGS_HASH
#define PLAQ_FLAGS_HASH "unknown"
#endif

#ifndef PLAQ_VERSION
#define PLAQ_VERSION "0.2.0"
#endif

namespace plaq {

const char* version() { return PLAQ_VERSION; }

namespace {

// "model name : AMD EPYC 7763 64-Core Processor"; not every processor has such a line.
std::string processor_name() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("model name")) continue;
    const auto colon = line.find(": ");
    if (colon != std::string::npos) return line.substr(colon + 2);
  }
  utsname system{};
  return ::uname(&system) == 0 ? system.machine : "unknown processor";
}

}  // namespace

Machine machine_at(Location location, const std::string& version) {
  const std::string build = version + " " PLAQ_FLAGS_HASH;
  if (location == Location::device && runs_dry()) return {location, "a GPU", "none", build};
  if (location == Location::device) return {location, device_name(), device_driver(), build};
  return {location, processor_name() + ", " + std::to_string(omp_get_max_threads()) + " thread(s)", "none",
          build};
}

}  // namespace plaq
