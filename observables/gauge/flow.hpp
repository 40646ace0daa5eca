// Gradient flows of a gauge field and their scales: Luescher, JHEP 08 (2010) 071;
// Borsanyi et al., JHEP 09 (2012) 010.
#pragma once

#include <optional>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "kernels/gauge/flow_scales.hpp"
#include "kernels/gauge/gradient_flow.hpp"

namespace plaq {

struct FlowMeasurement {
  std::vector<FlowPoint> points;
  std::optional<double> t0;  // t^2 E = 0.3 with the clover energy, in a^2; none: the flow does not reach it
  std::optional<double> w0;  // t d/dt (t^2 E) = 0.3 at t = w0^2 with the clover energy, in a
};

/// Copies of links, with the filled halo that a flow reads. Collective.
Field links_for_flow(const SharedLattice& lattice, const Field& links, FlowAction action);

/// Collective. `gauge` is as GradientFlow wants it, with its halo; it flows, and has other links afterwards.
/// `at_point` is that of GradientFlow::run.
FlowMeasurement measure_flow(const SharedLattice& lattice, Field& gauge, const FlowRun& run,
                             const GradientFlow::AtPoint& at_point = {});

}  // namespace plaq
