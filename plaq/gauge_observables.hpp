// Gradient flows (Luescher, JHEP 08 (2010) 071), Wilson loops, and correlators of Polyakov loops.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "kernels/gauge/smearing_parameters.hpp"
#include "observables/gauge/polyakov_correlators.hpp"
#include "observables/gauge/static_loops.hpp"
#include "plaq/gauge_field.hpp"

namespace plaq {

/// A gauge field along the flow.
struct Flow {
  GaugeField gauge;               ///< the field at the end
  std::vector<FlowPoint> points;  ///< numbers from t = 0 on
  std::optional<double> t0;  ///< t^2 E = 0.3 with the clover energy, in a^2; none: the flow does not reach it
  std::optional<double> w0;  ///< t d/dt (t^2 E) = 0.3 at t = w0^2, in a
};

/// Flows a field to settings.t_max by the Wilson flow, or another one that settings.action names. `at_point`,
/// if there is one, is called with the field at each point that is measured; it is collective as the flow is.
/// Throws Error unless step is positive and not above 0.157 (symanzik: 0.0942, zeuthen: 0.141), where it
/// amplifies the highest momenta, and t_max is not negative.
Flow wilson_flow(const GaugeField& gauge, const FlowRun& settings,
                 const std::function<void(const GaugeField&, const FlowPoint&)>& at_point = {});

/// Wilson loops for the static potential: W(r, t) = <Re tr / 3> of loops with two sides in time on the links
/// as they are (kernels/gauge/wilson_loops.hpp), one entry a direction of settings: values[(n - 1) * slices +
/// t - 1] has r = n step, n and t from 1. Smear links in space before for less noise. Averages over sites and
/// equivalent directions are exact: the bits do not depend on the process grid. Throws Error(usage) if the
/// loops do not fit the lattice. Collective.
std::vector<StaticLoops> wilson_loops(const GaugeField& gauge, const StaticLoopSettings& settings = {});

/// Correlators of Polyakov lines by their distance, on the links as they are: the average over colors, and
/// the singlet, which is that of links in Coulomb gauge. The bits do not depend on the process grid.
/// Collective.
PolyakovCorrelators polyakov_correlators(const GaugeField& gauge);

}  // namespace plaq
