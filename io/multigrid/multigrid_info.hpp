// What a file of a multigrid setup says about itself: the near-null vectors in it, the operator that they belong to, and how
// they were made.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_checksum.hpp"
#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq {

// From one level to the next: the blocks, and the vectors that span a block.
struct MultigridLevelInfo {
  Extents block{};
  int vectors = 0;
  bool operator==(const MultigridLevelInfo&) const = default;
};

struct MultigridSetupInfo {
  std::string plaq_version;  // of the program that wrote it
  WilsonParameters action;   // of the operator that the vectors were made for
  LinkChecksum links;        // checksum_of_links (io/gauge/field_checksum.hpp) of its links, without signs
  std::vector<MultigridLevelInfo> levels;  // level 0 to 1 first
  std::uint64_t seed = 0;                  // of the noise that the vectors began as
  int filter_iterations = 0;
  int smoother_steps = 0;
  double coarse_tolerance = 0;
  int rounds = 0;         // that these vectors have been through
  bool finished = false;  // no further round is wanted
  std::vector<double>
      reductions;  // of the residual by a cycle, as measured: before the first round, after each
  // Whatever else: each one line KEY = VALUE, the keys other than those above.
  std::vector<HeaderEntry> entries;
};

struct MultigridFileInfo {
  std::string path;
  Extents extents{};
  int vectors = 0;
  Precision precision = Precision::half_precision;  // of the numbers in the file: half or single
  std::uint64_t data_offset = 0, data_bytes = 0;
  LinkChecksum checksum;  // of the numbers
  MultigridSetupInfo setup;
};

}  // namespace plaq
