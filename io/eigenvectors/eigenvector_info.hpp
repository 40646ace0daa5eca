// Description of a file of eigenvectors: the modes in it, the operator that
// they belong to, and their accuracy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

struct EigenvectorInfo {
  std::string plaq_version;  // of the program that wrote it
  // The operator, in all that decides it beside the links: type, mass, ..., and its even-odd form. Of links
  // without signs, checksum_of_links (io/gauge/link_sum.hpp).
  std::vector<HeaderEntry> operator_entries;
  LinkChecksum links;
  std::vector<double> values, bounds;  // |A v - value v| <= bound before the numbers were stored; ascending
  std::vector<HeaderEntry> entries;    // whatever else, no key twice
};

struct EigenvectorFileInfo {
  std::string path;
  Extents extents{};
  int modes = 0;
  int spins = 4;                                      // 1 of staggered quarks
  int Ls = 1;                                         // of a mode, in five dimensions
  Precision precision = Precision::single_precision;  // of the numbers in the file: half or single
  std::uint64_t data_offset = 0, data_bytes = 0;
  LinkChecksum checksum;  // of the numbers
  EigenvectorInfo info;
};

// Differences between the operator of the modes of a file and the one at hand, in one line: "mass -0.4 in the
// file, -0.41 here; ..."; empty: nothing. `here`, `links`: as in EigenvectorInfo. Serial.
std::string differences_of(const EigenvectorFileInfo& file, const Extents& lattice,
                           const std::vector<HeaderEntry>& here, const LinkChecksum& links);

}  // namespace plaq
