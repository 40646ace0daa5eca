// Parameters of the Wilson flow, and the numbers that are measured along it: Luescher,
// JHEP 08 (2010) 071. Lattice units.
#pragma once

namespace plaq {

struct FlowPoint {
  double t = 0;
  double plaquette_energy = 0;  // 2 sum_{mu<nu} Re tr(1 - P_mu,nu), average over sites
  double clover_energy = 0;
  double topological_charge = 0;
};
struct FlowRun {
  double step = 0.01;        // epsilon > 0; stable up to largest_flow_step (smearing_stability.hpp)
  double t_max = 1;          // the last point is the last multiple of `step` that is not beyond t_max
  int measure_interval = 1;  // steps from point to point; t = 0 is measured, and the last one
};

}  // namespace plaq
