// Description of a file of modes of the Laplacian in space: the modes in it, the links that they belong to,
// and their accuracy.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "core/system/location.hpp"
#include "io/gauge/gauge_file_info.hpp"
#include "io/gauge/link_checksum.hpp"

namespace plaq {

// Modes of all time slices that the text of a file has room for, with their values and bounds.
constexpr int most_modes_of_slices = 1 << 18;

struct LaplacianModeInfo {
  std::string plaq_version;  // of the program that wrote it
  // Everything that decides the operator beside the links: boundary signs in space.
  std::vector<HeaderEntry> operator_entries;
  LinkChecksum links;  // the Laplacian's, smeared or not, without signs: checksum_of_links
  // [slice * modes + mode]: eigenvalues of minus the Laplacian, ascending on each slice, and
  // |A v - value v| <= bound before the numbers were stored.
  std::vector<double> values, bounds;
  std::vector<HeaderEntry> entries;  // whatever else, no key twice
};

struct LaplacianModeFileInfo {
  std::string path;
  Extents extents{};
  int modes = 0;                                      // of each time slice
  Precision precision = Precision::single_precision;  // of the numbers in the file: half or single
  std::uint64_t data_offset = 0, data_bytes = 0;
  LinkChecksum checksum;  // of the numbers
  LaplacianModeInfo info;
};

// Differences between the modes of a file and those at hand, in one line, as differences_of() of eigenvectors
// has it; empty: nothing. Serial.
std::string differences_of(const LaplacianModeFileInfo& file, const Extents& lattice,
                           const std::vector<HeaderEntry>& here, const LinkChecksum& links);

}  // namespace plaq
