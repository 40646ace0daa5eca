// Description of a file of a multigrid setup: the near-null vectors in it, the operator that they belong to,
// and the parameters of the setup.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

// A level, and the transfer to the next coarse level.
struct MultigridLevelInfo {
  Extents block{};
  int vectors = 0;  // near-null vectors that span a block
  int smoothing_steps = 0;
  double coarse_tolerance = 0;  // of the residual of the next level's system, or as many iterations
  int coarse_iterations = 0;
  bool operator==(const MultigridLevelInfo&) const = default;
};

struct MultigridSetupInfo {
  std::string plaq_version;  // of the program that wrote it
  // The operator that the vectors were made for (io/vectors/operator_entries.hpp); of its links, without
  // signs, checksum_of_links (io/gauge/link_sum.hpp).
  std::vector<HeaderEntry> operator_entries;
  LinkChecksum links;
  std::vector<MultigridLevelInfo> levels;  // the finest first
  // Parameters of the setup. Filters: of level 0, of the levels below. omega: relaxation of the smoother.
  std::uint64_t seed = 0;
  int filter_iterations = 0, coarse_filter_iterations = 0;
  double omega = 0;
  int rounds = 0;         // that these vectors have been through
  bool finished = false;  // no further round is wanted
  // Reduction of the residual by a cycle, measured before the first round and after each.
  std::vector<double> reductions;
  std::vector<HeaderEntry> entries;  // whatever else, no key twice
};

struct MultigridFileInfo {
  std::string path;
  Extents extents{};
  int vectors = 0;
  int Ls = 1;                                       // of a vector, in five dimensions
  Precision precision = Precision::half_precision;  // of the numbers in the file: half or single
  std::uint64_t data_offset = 0, data_bytes = 0;
  LinkChecksum checksum;  // of the numbers
  MultigridSetupInfo setup;
};

}  // namespace plaq
