// How far stored rows are from SU(3), against the same in plain loops over a field that every rank has whole.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <complex>
#include <limits>

#include "gaugefix/run/gauge_fixer.hpp"
#include "gaugefix/sweep/row_violation.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/support/grids.hpp"

namespace plaq {
namespace {

using Rows = std::array<std::complex<double>, 9>;

// Rows 0 and 1 of a matrix near 1, of a copy and a site of the whole lattice: numbers that float has too.
std::array<double, 12> stored_rows(int copy, int site) {
  std::array<double, 12> rows{};
  for (std::size_t r = 0; r < 12; ++r) {
    const double angle = 0.7 * static_cast<double>(r) + 1.3 * site + 0.4 * copy;
    rows[r] = (r % 8 == 0 ? 1 : 0) + std::ldexp(std::round(1000 * std::sin(angle)), -20);
  }
  return rows;
}

double violation_of(const std::array<double, 12>& rows) {
  Rows g;
  for (std::size_t k = 0; k < 6; ++k) g[k] = {rows[2 * k], rows[2 * k + 1]};
  for (std::size_t k = 0; k < 3; ++k) {
    const std::size_t a = (k + 1) % 3, b = (k + 2) % 3;
    g[6 + k] = std::conj(g[a] * g[3 + b] - g[b] * g[3 + a]);
  }
  double sum = 0;
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) {
      std::complex<double> element = i == j ? -1 : 0;
      for (std::size_t k = 0; k < 3; ++k) element += g[3 * i + k] * std::conj(g[3 * j + k]);
      sum += std::norm(element);
    }
  return std::sqrt(sum);
}

void expect_violation(FixingPrecision precision) {
  constexpr int copies = 2;
  const Extents extents{4, 4, 4, 8};
  constexpr int volume = 4 * 4 * 4 * 8;
  double sum = 0, largest = 0;
  for (int copy = 0; copy < copies; ++copy)
    for (int site = 0; site < volume; ++site) {
      const double one = violation_of(stored_rows(copy, site));
      sum += one;
      largest = std::max(largest, one);
    }
  test::for_all_geometries(
      extents, [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
        const FieldSpec spec = gauge_fixer_specs(Gauge::landau, precision, copies, location).g;
        FieldSpec on_host = spec;
        on_host.location = Location::host;
        Field made(geometry, on_host), g(geometry, spec);
        const LatticeShape& shape = geometry->shape();
        for (int copy = 0; copy < copies; ++copy)
          for (int parity = 0; parity < 2; ++parity)
            for (int s = 0; s < shape.half_volume; ++s) {
              const auto site = static_cast<int>(shape.global_index(shape.coordinates(parity, s)));
              const auto rows = stored_rows(copy, site);
              for (int r = 0; r < 12; ++r)
                set_real(made, copy, parity, s, r, rows[static_cast<std::size_t>(r)]);
            }
        copy(g, made);
        const RowViolation found = row_violation(grid, g, Queue(location));
        EXPECT_NEAR(found.average, sum / (copies * volume), 1e-15);
        EXPECT_NEAR(found.largest, largest, 1e-15);
        // Not a number anywhere: nothing is said that looks like one.
        if (grid.rank() == 0) set_real(made, 1, 0, 3, 4, std::numeric_limits<double>::quiet_NaN());
        copy(g, made);
        EXPECT_TRUE(std::isnan(row_violation(grid, g, Queue(location)).average));
      });
}

TEST(RowViolation, DoubleAsInPlainLoops) { expect_violation(FixingPrecision::full); }
TEST(RowViolation, SingleAsInPlainLoops) { expect_violation(FixingPrecision::single); }

// Sweeps leave it at rounding, and so does the way back to SU(3).
TEST(RowViolation, SweepsDoNotDrift) {
  test::for_all_geometries({4, 4, 4, 8}, [&](const ProcessGrid& grid, const GeometryPtr& geometry,
                                             Location location) {
    const Queue queue(location);
    Field gauge(geometry, gauge_spec(Precision::double_precision, location));
    hot_start(gauge, 5, queue);
    for (const FixingPrecision precision :
         {FixingPrecision::single, FixingPrecision::mixed, FixingPrecision::full}) {
      GaugeFixer fixer(grid, gauge, Gauge::landau, precision, 1, queue, make_host_transport(grid, location));
      EXPECT_EQ(row_violation(grid, fixer.rows(), queue).largest, 0);  // g = 1
      for (int n = 0; n < 60; ++n) fixer.sweep(RelaxationStep::overrelaxation(1.7));
      const double bound = precision == FixingPrecision::single ? 3e-6 : 3e-15;
      const RowViolation swept = row_violation(grid, fixer.rows(), queue);
      EXPECT_GT(swept.average, 0);
      EXPECT_LT(swept.average, swept.largest);
      EXPECT_LT(swept.largest, bound);
      fixer.project();
      EXPECT_LT(row_violation(grid, fixer.rows(), queue).largest, bound);
    }
  });
}

}  // namespace
}  // namespace plaq
