// Landau, Coulomb and maximally Abelian gauge.
#pragma once

#include <vector>

#include "gaugefix/run/fixing_settings.hpp"
#include "plaq/color_matrix_field.hpp"
#include "plaq/gauge_field.hpp"

namespace plaq {

/// A fixed gauge field, and how it was found.
struct FixedGauge {
  GaugeField gauge;                 ///< the fixed field
  ColorMatrixField transformation;  ///< g(x) that took the field there
  CopyOutcome outcome;              ///< result of the best copy
  std::vector<CopyOutcome> copies;  ///< results of all copies
};

/// Gauge copies from which the best one is taken.
struct CopySettings {
  int copies = 1;   ///< gauge copies, each from a start of its own
  int at_once = 0;  ///< copies that are swept over together, which changes no bit; 0: chosen
};

/// Fixes gauge copies and takes the one with the largest functional. `at_check`, if there is one, is called
/// at each check of theta with the copies that are swept over (gaugefix/run/fixing_settings.hpp); an
/// exception of it ends the fixing. All ranks call it, and must throw together. Throws Error(not_converged)
/// if no copy reaches settings.theta.
/// @param gauge  the field that is fixed
/// @param settings  condition, accuracy and sweeps
/// @param copies  number of gauge copies
/// @param at_check  called at each check of theta; empty: nothing
FixedGauge fix_gauge(const GaugeField& gauge, const FixingSettings& settings, const CopySettings& copies = {},
                     const AtFixingCheck& at_check = {});

/// Functional and theta of a field as it is (gaugefix/run/fixing_settings.hpp).
GaugeQuality gauge_quality(const GaugeField& gauge, Gauge condition);
/// Functional and theta of a field that must be fixed. Throws Error(usage) if theta is above max_theta, in
/// Coulomb gauge that of the worst time slice.
GaugeQuality expect_fixed(const GaugeField& gauge, Gauge condition, double max_theta = 1e-10);

}  // namespace plaq
