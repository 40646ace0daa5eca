// Gradient flows of SU(3), and what is measured along them: Luescher, JHEP 08 (2010) 071. Lattice units; t is
// the flow time in units of a^2. Fields live on geometry->extended(flow_halo_depth(action)) (the plain
// geometry where nothing is split) with a filled halo, and are left so. The same bits on any process grid.
//
//   dV/dt = -g0^2 (1 + share nabla*_mu nabla_mu) (dS/dV) V
//   wilson     S of plaquettes
//   symanzik   S of plaquettes and rectangles, c0 = 5/3 and c1 = -1/12
//   zeuthen    that action and share = 1/12: no O(a^2) in the flow. Ramos, Sint, Eur. Phys. J. C 76 (2016) 15
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "comms/halo/extended_halo.hpp"
#include "kernels/gauge/smearing_parameters.hpp"

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

// Depth of the halo of links that a flow reads.
inline int flow_halo_depth(FlowAction action) { return action == FlowAction::wilson ? 1 : 2; }

// Steps whose length follows from an estimated error: Fritzsch, Ramos, JHEP 10 (2013) 008, appendix D.
struct AdaptiveStep {
  double step;       // of the next step; the first one at the beginning
  double tolerance;  // largest error of a step, as step_with_error() has it
  double error = 0;  // of the last step
  std::int64_t taken = 0, repeated = 0;
};

class GradientFlow {
 public:
  // `like`: the field that will flow, or one of its kind. Makes room for 18 + 8 reals a link; with improved
  // actions for 8 more, and for adaptive steps for 18 + 8 more.
  GradientFlow(const ProcessGrid& grid, const Field& like, std::shared_ptr<Transport> transport,
               FlowAction action = FlowAction::wilson);
  ~GradientFlow();

  // Collective. From flow time t to t + epsilon in place, an error of order epsilon^4: appendix C,
  //   W1 = exp(Z0/4) W0,  W2 = exp(8/9 Z1 - 17/36 Z0) W1,  W3 = exp(3/4 Z2 - 8/9 Z1 + 17/36 Z0) W2,
  // Zi = epsilon Z(Wi), Z = minus the traceless antihermitian part of U times its staples for the Wilson
  // action. A negative epsilon flows back. Links come out on SU(3) to rounding, after any number of steps.
  void step(Field& gauge, double epsilon, const Queue& queue);
  // Collective. A step, and its distance from the second-order step exp(2 Z1 - Z0) W0: the largest
  // sqrt(tr D D^dagger) over links of their difference D, of order epsilon^3. Waits for the queue.
  double step_with_error(Field& gauge, double epsilon, const Queue& queue);
  // Collective. Flows for exactly `length` by steps with an error of at most the tolerance. A step with a
  // larger error is repeated with a shorter one. Throws Error(not_converged) where steps of 1e-9 fail too.
  void flow_for(Field& gauge, double length, AdaptiveStep& adaptive, const Queue& queue);

  // Collective. Flows `gauge` and measures, at the same times with fixed and with adaptive steps. Throws
  // Error(job_file) on every rank unless the numbers of `run` are positive (t_max may be 0) and finite, and
  // the steps fewer than 2^31.
  // `at_point`, where there is one, is called at each point that is measured, when `gauge` is there.
  using AtPoint = std::function<void(const FlowPoint&)>;
  std::vector<FlowPoint> run(Field& gauge, const FlowRun& run, const Queue& queue,
                             const AtPoint& at_point = {});

 private:
  struct Improved;
  struct Kept;
  void stage(Field& gauge, double step, double previous, bool keep, const Queue& queue);
  void compute_force(const Field& gauge, const Queue& queue);
  template <class AfterFirst>
  void step_with(Field& gauge, double epsilon, const Queue& queue, const AfterFirst& after_first);

  const ProcessGrid& grid_;
  FlowAction action_;
  Field work_, algebra_;
  ExtendedHalo halo_;
  std::unique_ptr<Improved> improved_;  // null: the Wilson action
  std::unique_ptr<Kept> kept_;          // of adaptive steps, made by the first one
};

}  // namespace plaq
