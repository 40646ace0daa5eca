// For the tests of files of modes of the Laplacian.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "io/laplacian_modes/laplacian_mode_file.hpp"
#include "tests/io/entries.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

inline constexpr int some_laplacian_mode_count = 5;

// Numbers by site, mode and real of the color vector alone, of many magnitudes; 0 beyond the modes.
inline double laplacian_mode_number(int site, int mode, int real) {
  if (mode >= some_laplacian_mode_count) return 0;
  return std::sin(2 + 31.0 * site + 13 * mode + real) * std::pow(10.0, site % 5 - 4);
}

inline Field some_laplacian_modes(const GeometryPtr& geometry) {
  Field modes(geometry,
              laplacian_modes_spec(some_laplacian_mode_count, Precision::double_precision, Location::host));
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int i = 0; i < 4 * modes.subfields(); ++i)
      for (int r = 0; r < 6; ++r)
        set_real(modes, i / 4, parity, s, 6 * (i % 4) + r, laplacian_mode_number(site, i, r));
  });
  return modes;
}

// The numbers as a file of this precision keeps them.
inline bool holds_laplacian_modes(const Field& found, Precision stored) {
  bool holds = true;
  for_stored_sites(found.geometry(), [&](int parity, int s, int site) {
    for (int i = 0; i < 4 * found.subfields(); ++i) {
      double most = 0;
      for (int r = 0; r < 6; ++r) most = std::max(most, std::abs(laplacian_mode_number(site, i, r)));
      for (int r = 0; r < 6; ++r) {
        const double number = get_real(found, i / 4, parity, s, 6 * (i % 4) + r);
        const double exact = laplacian_mode_number(site, i, r);
        holds &= stored == Precision::half_precision
                     ? std::abs(number - exact) <= most / 32767 * 0.501
                     : number == static_cast<double>(static_cast<float>(exact));
      }
    }
  });
  return holds;
}

inline LaplacianModeInfo some_laplacian_info(const Extents& extents) {
  LaplacianModeInfo info;
  info.plaq_version = "1.2.3";
  info.operator_entries = {{"type", "laplacian"}, {"boundary", "1 1 -1"}};
  info.links = {ChecksumKind::scidac, 0xfffffff0u, 0x11u};
  for (int t = 0; t < extents[3]; ++t)
    for (int i = 0; i < some_laplacian_mode_count; ++i) {
      info.values.push_back(i == 0 ? -1e-17 : i / 3.0 + t);
      info.bounds.push_back(1e-9 / (1 + i + t));
    }
  info.entries = {{"NOTE", "a < b & \"c\" = d"}};
  return info;
}

inline void expect_same_laplacian_info(const LaplacianModeInfo& found, const LaplacianModeInfo& expected) {
  EXPECT_EQ(found.plaq_version, expected.plaq_version);
  expect_same_entries(found.operator_entries, expected.operator_entries);
  EXPECT_EQ(found.links, expected.links);
  EXPECT_EQ(found.values, expected.values);
  EXPECT_EQ(found.bounds, expected.bounds);
  expect_same_entries(found.entries, expected.entries);
}

}  // namespace plaq::test
