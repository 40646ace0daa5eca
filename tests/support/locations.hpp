// Locations where tests run: the host, and the GPU if there is one.
#pragma once

#include "core/launch/queue.hpp"
#include "tests/support/test.hpp"

namespace plaq::test {

inline std::vector<Location> locations() {
  if (device_count() > 0) return {Location::host, Location::device};
  return {Location::host};
}

}  // namespace plaq::test
