// The Wilson flow of SU(3), and what is measured along it: Luescher, JHEP 08 (2010) 071. Lattice units; t is
// the flow time in units of a^2. Fields live on geometry->extended(1) (the plain geometry where nothing is
// split) with a filled halo, and are left so. The same bits on any process grid.
#pragma once

#include <functional>
#include <vector>

#include "comms/halo/extended_halo.hpp"
#include "kernels/gauge/flow_run.hpp"

namespace plaq {

// Averages over sites and the sum over sites of the field strength from clover leaves,
//   F_mu,nu = (Q - Q^dagger)/8 without its trace, antihermitian (kernels/site/clover_leaf.hpp):
// energy E = -(1/2) sum_{mu,nu} tr F_mu,nu F_mu,nu, Luescher's (1/4) G^a G^a;
// topological charge sum_x -(1/32 pi^2) eps_mu,nu,rho,sigma tr F_mu,nu F_rho,sigma with eps_xyzt = 1:
// positive where the magnetic and electric fields are parallel, F_xy = F_zt. Programs with eps_txyz = 1 have
// the other sign.
struct CloverObservables {
  double energy = 0, topological_charge = 0;
};
// Collective; waits for the queue.
CloverObservables measure_clover(const ProcessGrid& grid, const Field& gauge, const Queue& queue);

FlowPoint measure_flow_point(const ProcessGrid& grid, const Field& gauge, double t, const Queue& queue);

class WilsonFlow {
 public:
  // `like`: the field that will flow, or one of its kind. Makes room for 18 + 8 reals a link.
  WilsonFlow(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport);

  // Collective. From flow time t to t + epsilon in place, an error of order epsilon^4: appendix C,
  //   W1 = exp(Z0/4) W0,  W2 = exp(8/9 Z1 - 17/36 Z0) W1,  W3 = exp(3/4 Z2 - 8/9 Z1 + 17/36 Z0) W2,
  // Zi = epsilon Z(Wi), Z = minus the traceless antihermitian part of U times its staples. A negative epsilon
  // flows back. Links come out on SU(3) to rounding, after any number of steps.
  void step(Field& gauge, double epsilon, const Queue& queue);

  // Collective. Flows `gauge` and measures. Throws Error(job_file) on every rank unless the numbers of `run`
  // are positive (t_max may be 0) and finite, and the steps fewer than 2^31.
  // `at_point`, where there is one, is called at each point that is measured, when `gauge` is there.
  using AtPoint = std::function<void(const FlowPoint&)>;
  std::vector<FlowPoint> run(Field& gauge, const FlowRun& run, const Queue& queue,
                             const AtPoint& at_point = {});

 private:
  void stage(Field& gauge, double step, double previous, bool keep, const Queue& queue);

  const ProcessGrid& grid_;
  Field work_, algebra_;
  ExtendedHalo halo_;
};

}  // namespace plaq
