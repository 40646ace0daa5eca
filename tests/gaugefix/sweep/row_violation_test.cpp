// Distance of stored rows from SU(3), against the same in plain loops over a field that every rank has whole.

#include "gaugefix/sweep/row_violation.hpp"
#include "kernels/gauge/update.hpp"
#include "tests/gaugefix/fixing.hpp"

namespace plaq {
namespace {

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
  reference::ColorMatrix g;
  for (std::size_t k = 0; k < 6; ++k) g.element[k / 3][k % 3] = {rows[2 * k], rows[2 * k + 1]};
  reference::complete_rows(g);
  const auto deviation = g * dagger(g) - reference::ColorMatrix::unit();
  return std::sqrt(trace(deviation * dagger(deviation)).real());
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
        test::for_stored_sites(*geometry, [&](int parity, int s, int site) {
          for (int copy = 0; copy < copies; ++copy) {
            const auto rows = stored_rows(copy, site);
            for (int r = 0; r < 12; ++r) set_real(made, copy, parity, s, r, rows[r]);
          }
        });
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
  test::for_all_geometries({4, 4, 4, 8},
                           [&](const ProcessGrid& grid, const GeometryPtr& geometry, Location location) {
                             const Queue queue(location);
                             Field gauge(geometry, gauge_spec(Precision::double_precision, location));
                             hot_start(gauge, 5, queue);
                             for (const FixingPrecision precision : test::all_fixing_precisions) {
                               GaugeFixer fixer = test::make_fixer(grid, gauge, Gauge::landau, precision);
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
