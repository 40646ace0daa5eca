// Speed of the memory, with plaq's own launch and views: the limit for everything else.
#pragma once

#include <array>
#include <string>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"
#include "jobs/rates/samples.hpp"

namespace plaq::jobs {

struct StreamRate {
  const char* name;  // "copy", "triad"
  Samples samples;
  double bytes = 0;  // read and written by one rank
};

// Collective over `ranks`. Vectors of 24 reals a site; each rank has the lattice `extents` for itself.
// `samples`: as measure() has them.
std::array<StreamRate, 2> measure_streams(const Communicator& ranks, Location location,
                                          const Extents& extents, Precision precision, int samples);

// Collective over `ranks`. The best of copy and triad in double precision, in which the bytes a thread has in
// flight are the most: bytes a second of one rank, on vectors of stream_extents().
double stream_bandwidth(const Communicator& ranks, Location location, int samples);
Extents stream_extents(Location location);

}  // namespace plaq::jobs
