// The Wilson flow of a gauge field and its scales: Luescher, JHEP 08 (2010) 071;
// Borsanyi et al., JHEP 09 (2012) 010.
#pragma once

#include <optional>
#include <vector>

#include "comms/grid/shared_lattice.hpp"
#include "kernels/gauge/wilson_flow.hpp"

namespace plaq {

struct FlowMeasurement {
  std::vector<FlowPoint> points;
  std::optional<double> t0;  // t^2 E = 0.3 with the clover energy, in a^2; none: the flow does not reach it
  std::optional<double> w0;  // t d/dt (t^2 E) = 0.3 at t = w0^2 with the clover energy, in a
};

/// Collective. `gauge` is as WilsonFlow wants it, with its halo; it flows, and has other links afterwards.
/// `at_point` is that of WilsonFlow::run.
FlowMeasurement measure_flow(const SharedLattice& lattice, Field& gauge, const FlowRun& run,
                             const WilsonFlow::AtPoint& at_point = {});

}  // namespace plaq
