// Parameters of APE, stout and HYP smearing of links, and of gradient flows. C is the sum of the k paths
// around the plaquettes with a link (kernels/gauge/smearing.hpp).
#pragma once

#include <optional>

namespace plaq {

/// APE: Albanese et al., Phys. Lett. B 192 (1987) 163, with alpha as the share of the staples:
///   U' = P((1 - alpha) U + (alpha / k) C),   0 <= alpha <= 1 in use, any finite number accepted.
/// Programs that write U + c C mean c = alpha / (k (1 - alpha)).
/// P: the unitary factor of the polar decomposition over the cube root of its determinant, the root with
/// |arg| <= pi/3 (kernels/site/su3_polar.hpp). A link whose matrix is singular to rounding, so that P is not
/// defined, stays as it was; one that holds a NaN gives NaN.
struct ApeSmearing {
  double alpha = 0.5;    ///< share of the staples
  bool spatial = false;  ///< links in space alone, with staples in space alone
};

/// Stout: Morningstar and Peardon, Phys. Rev. D 69 (2004) 054501, with rho_mu,nu = rho:
///   U' = exp(i Q) U,   Q = (i/2)(Omega^dagger - Omega) - (i/6) tr(Omega^dagger - Omega),
///   Omega = rho C U^dagger.
struct StoutSmearing {
  double rho = 0.1;      ///< weight of the staples
  bool spatial = false;  ///< links in space alone, with staples in space alone
};

/// HYP: Hasenfratz and Knechtli, Phys. Rev. D 64 (2001) 034504, hep-lat/0103029: APE smearing of
/// APE-smeared links, three levels, each with links that leave out the directions of those around it, so that
/// a smeared link feels the hypercubes that it is an edge of and no more.
///   Vbar_mu;nu,rho(x) = P((1 - alpha3) U_mu + (alpha3 / 2) paths along the direction that is left, of U)
///   Vtilde_mu;nu(x)   = P((1 - alpha2) U_mu + (alpha2 / 4) paths along the two rho, of Vbar_rho;nu,mu and
///                       Vbar_mu;rho,nu)
///   U'_mu(x)          = P((1 - alpha1) U_mu + (alpha1 / 6) paths along the three nu, of Vtilde_nu;mu and
///                       Vtilde_mu;nu)
/// P: that of APE smearing, defined in one step and covariant. The paper takes the member of SU(3) with the
/// largest Re tr(U'^dagger V); that is the same where V is a multiple of a unitary matrix, and else differs
/// by the order of arg det V times the spread of the singular values of V. In space alone U'_mu =
/// Vtilde_mu;t: two levels, with alpha2 and alpha3.
struct HypSmearing {
  /// Shares of the staples of the third, second and first level.
  double alpha1 = 0.75, alpha2 = 0.6, alpha3 = 0.3;
  bool spatial = false;  ///< links in space alone, with staples in space alone
};

/// Gradient flows (kernels/gauge/gradient_flow.hpp).
enum class FlowAction {
  wilson,    ///< down the Wilson action: Luescher, JHEP 08 (2010) 071
  symanzik,  ///< down the tree-level improved action of Luescher and Weisz
  zeuthen,   ///< without errors of order a^2: Ramos, Sint, Eur. Phys. J. C 76 (2016) 15
};

/// Numbers that are measured along a gradient flow: Luescher, JHEP 08 (2010) 071.
/// Lattice units.
struct FlowPoint {
  double t = 0;                   ///< flow time, in a^2
  double plaquette_energy = 0;    ///< 2 sum_{mu<nu} Re tr(1 - P_mu,nu), average over sites
  double clover_energy = 0;       ///< E by clover leaves, average over sites
  double topological_charge = 0;  ///< by clover leaves, sum over sites
};
/// Parameters of a gradient flow.
struct FlowRun {
  /// Step of the flow time, above 0; stable up to largest_flow_step() (smearing_stability.hpp). The first
  /// one, where a tolerance adapts the steps.
  double step = 0.01;
  /// Largest flow time: the last point is the last multiple of `step` that is not beyond t_max.
  double t_max = 1;
  /// Steps from point to point; t = 0 is measured, and the last one. Adaptive steps do so at these times.
  int measure_interval = 1;
  FlowAction action = FlowAction::wilson;  ///< which flow
  /// Largest error of a step, by which steps adapt their length (GradientFlow::step_with_error); none: all
  /// steps are alike.
  std::optional<double> tolerance = {};
};

}  // namespace plaq
