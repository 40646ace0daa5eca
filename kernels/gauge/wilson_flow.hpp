// The Wilson flow of SU(3), and what is measured along it: Luescher, JHEP 08 (2010) 071. Lattice units; t is
// the flow time in units of a^2. Fields live on geometry->extended(1) (the plain geometry where nothing is
// split) with a filled halo, and are left so. The same bits on any process grid.
#pragma once

#include <functional>
#include <optional>
#include <span>
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

// Scales from the energy density E(t) along the Wilson flow, in lattice units: t is in units of a^2.
//
// Both functions take samples of E at ascending flow times, not necessarily at equal distances, and find the
// first place where a quantity climbs through `target` from one sample to the next: nothing where there is
// none. Both are of fourth order in the distance of the samples. Throw an internal Error unless there are as
// many times as energies, in strictly ascending order.

// t0: t^2 E(t) = target (Luescher, JHEP 08 (2010) 071), from the cubic through the two samples on either
// side, or the four nearest ones at an end.
std::optional<double> find_t0(std::span<const double> t, std::span<const double> energy, double target = 0.3);

// w0: W(w0^2) = target, W(t) = t d/dt (t^2 E(t)) (Borsanyi et al., JHEP 09 (2012) 010). W at a sample is from
// the slope of the quartic through it and two samples on either side (central differences where they are
// equidistant), or the five nearest ones at an end; then as t0.
std::optional<double> find_w0(std::span<const double> t, std::span<const double> energy, double target = 0.3);

}  // namespace plaq
