// For the tests of files of eigenvectors.
#pragma once

#include <gtest/gtest.h>

#include <cmath>

#include "io/eigenvectors/eigenvector_file.hpp"
#include "tests/io/entries.hpp"
#include "tests/support/convert.hpp"

namespace plaq::test {

// Spec of two modes.
inline FieldSpec modes_spec(int spins, int Ls, Precision precision) {
  EigenvectorFileInfo file;
  file.modes = 2;
  file.spins = spins;
  file.Ls = Ls;
  return eigenvectors_spec(file, precision, Location::host);
}

// Numbers by site, subfield and component alone, of many magnitudes.
inline double mode_number(int site, int subfield, int real) {
  return std::sin(1 + 37.0 * site + 11 * subfield + real) * std::pow(10.0, site % 5 - 4);
}

inline Field some_modes(const GeometryPtr& geometry, int spins, int Ls) {
  Field modes(geometry, modes_spec(spins, Ls, Precision::double_precision));
  for_stored_sites(*geometry, [&](int parity, int s, int site) {
    for (int i = 0; parity == 0 && i < modes.subfields(); ++i)
      for (int r = 0; r < modes.reals_per_site(); ++r) set_real(modes, i, 0, s, r, mode_number(site, i, r));
  });
  return modes;
}

// The numbers of `expected` as a file of this precision keeps them.
inline bool holds_modes(const Field& found, const Field& expected, Precision stored) {
  bool holds = true;
  for_stored_sites(found.geometry(), [&](int parity, int s, int) {
    for (int i = 0; parity == 0 && i < found.subfields(); ++i) {
      double most = 0;
      for (int r = 0; r < found.reals_per_site(); ++r)
        most = std::max(most, std::abs(get_real(expected, i, 0, s, r)));
      for (int r = 0; r < found.reals_per_site(); ++r) {
        const double number = get_real(found, i, 0, s, r), exact = get_real(expected, i, 0, s, r);
        holds &= stored == Precision::half_precision
                     ? std::abs(number - exact) <= most / 32767 * 0.501
                     : number == static_cast<double>(static_cast<float>(exact));
      }
    }
  });
  return holds;
}

inline EigenvectorInfo some_eigenvectors() {
  EigenvectorInfo info;
  info.plaq_version = "1.2.3";
  info.operator_entries = {{"type", "clover"}, {"mass", "-0.1375"}, {"form", "even-odd"}};
  info.links = {ChecksumKind::scidac, 0xffffffffu, 0x10u};
  info.values = {1e-5 / 3, 0.1};
  info.bounds = {1e-300, 0.2 / 3};
  info.entries = {{"NOTE", "a < b & \"c\" = d"}};
  return info;
}

inline void expect_same_eigenvectors(const EigenvectorInfo& found, const EigenvectorInfo& expected) {
  EXPECT_EQ(found.plaq_version, expected.plaq_version);
  expect_same_entries(found.operator_entries, expected.operator_entries);
  EXPECT_EQ(found.links, expected.links);
  EXPECT_EQ(found.values, expected.values);
  EXPECT_EQ(found.bounds, expected.bounds);
  expect_same_entries(found.entries, expected.entries);
}

}  // namespace plaq::test
