// Landau, Coulomb and maximally Abelian gauge.
#pragma once

#include <vector>

#include "gaugefix/run/fixing_settings.hpp"
#include "plaq/color_matrix_field.hpp"
#include "plaq/gauge_field.hpp"

namespace plaq {

struct FixedGauge {
  GaugeField gauge;                 // in the gauge
  ColorMatrixField transformation;  // g(x) that took the field there
  CopyOutcome outcome;              // of the best copy
  std::vector<CopyOutcome> copies;  // of all copies
};

/// Fixes `copies` gauge copies and takes the one with the largest functional. Throws Error(not_converged) if none reaches settings.theta.
FixedGauge fix_gauge(const GaugeField& gauge, const FixingSettings& settings, int copies = 1);

/// Functional and theta of a field as it is (gaugefix/run/fixing_settings.hpp).
GaugeQuality gauge_quality(const GaugeField& gauge, Gauge condition);
/// The same of a field that must be fixed. Throws Error(usage) if theta is above max_theta, in Coulomb gauge that of the worst time slice.
GaugeQuality expect_fixed(const GaugeField& gauge, Gauge condition, double max_theta = 1e-10);

}  // namespace plaq
