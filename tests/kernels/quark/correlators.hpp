// Propagators and correlators of the tests of contractions.
#pragma once

#include "kernels/quark/momentum.hpp"
#include "tests/support/convert.hpp"
#include "tests/support/same_as_alone.hpp"

namespace plaq::test {

using CorrelatorInTime = std::vector<std::complex<double>>;

// A propagator of spinors or of color vectors.
template <class Column, std::size_t Columns>
Field propagator_field(const std::array<Column, Columns>& columns, const GeometryPtr& g, Location location,
                       Precision precision = Precision::double_precision) {
  return to_plaq(std::vector<Column>(columns.begin(), columns.end()), g, Subset::full, precision, location);
}

inline double largest(const CorrelatorInTime& c) {
  double most = 0;
  for (const auto& z : c) most = std::max(most, std::abs(z));
  return most;
}

inline void expect_near(const CorrelatorInTime& c, const CorrelatorInTime& expected, double tolerance) {
  ASSERT_EQ(c.size(), expected.size());
  for (std::size_t t = 0; t < c.size(); ++t) EXPECT_LT(std::abs(c[t] - expected[t]), tolerance) << "t " << t;
}

// All channels at all momenta.
inline void expect_near(const Correlators& c, const Correlators& expected, double tolerance) {
  ASSERT_EQ(c.size(), expected.size());
  for (std::size_t i = 0; i < c.size(); ++i) {
    SCOPED_TRACE("channel " + std::to_string(i));
    ASSERT_EQ(c[i].size(), expected[i].size());
    for (std::size_t p = 0; p < c[i].size(); ++p) expect_near(c[i][p], expected[i][p], tolerance);
  }
}

}  // namespace plaq::test
