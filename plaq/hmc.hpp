// Hybrid Monte Carlo: gauge fields with sea quarks, and with terms of the action of your own.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "dynamics/integrator/integrator.hpp"
#include "dynamics/trajectory/trajectory_report.hpp"
#include "plaq/action_term.hpp"
#include "plaq/actions.hpp"
#include "quarks/action/action_smearing.hpp"
#include "quarks/multigrid/multigrid_options.hpp"

namespace plaq {

struct HmcSetup;

/// Gauge action of a chain, as in [gauge] of hmc jobs.
struct GaugeActionSettings {
  double beta = 5.6;  ///< 6/g0^2, and 10/g0^2 of luscher_weisz; 0: no gauge action
  /// Name: "wilson", "symanzik", "iwasaki", "dbw2", "rectangles" with c1, or "luscher_weisz" with u0 and
  /// flavours.
  std::string action = "wilson";
  std::optional<double> c1 = {};          ///< coefficient of rectangles
  std::optional<double> u0 = {};          ///< fourth root of the average plaquette; none: 1
  std::optional<int> flavours = {};       ///< of sea quarks in the one-loop coefficients; none: 0
  std::optional<double> anisotropy = {};  ///< bare anisotropy; none: 1
};

/// Sea quarks of one mass.
struct SeaQuarkSettings {
  ActionPtr action;  ///< of wilson(), clover(), staggered(), hisq() or domain_wall()
  /// Degenerate flavours: 1, 2 or 3 of Wilson, clover and domain-wall quarks; one, and the third one of
  /// three, by a rational function. 1 to 16 of staggered quarks, by rational functions.
  int flavours = 2;
  /// Pseudofermions for their determinant, 1 to 8; several have a root of it each, by rational functions.
  int pseudofermions = 1;
};

/// The rational function of odd flavours and staggered quarks, as in [rational] of hmc jobs.
struct RationalSettings {
  double tolerance = 1e-7;  ///< its largest relative error on the range
  /// Eigenvalues of Q^2, or of m^2 - D_eo D_oe/4; none: they are measured.
  std::optional<std::array<double, 2>> range = {};
  int factors = 1;  ///< functions whose product it is
};

/// Solves of molecular dynamics, as in [solver] of hmc jobs.
struct HmcSolverSettings {
  double force_tolerance = 1e-8;                   ///< ||b - A x|| / ||b|| of solves for forces
  double action_tolerance = 1e-12;                 ///< of solves for H and for pseudofermions
  int max_iterations = 10000;                      ///< most iterations of a solve
  std::optional<Precision> inner_precision = {};   ///< of conjugate gradients; none: half or single
  std::optional<MultigridOptions> multigrid = {};  ///< for systems of pairs; none: no multigrid
  /// Largest twist of systems that multigrid solves; none: chosen by the first setup of a trajectory.
  std::optional<double> largest_twist = {};
};

/// Settings of a chain. The defaults are those of hmc jobs.
struct HmcSettings {
  std::uint64_t seed = 1;                     ///< seed of all random numbers
  GaugeActionSettings gauge = {};             ///< gauge action
  std::vector<SeaQuarkSettings> quarks = {};  ///< sea quarks of each mass
  ActionSmearing smearing = {};               ///< stout links of quarks
  std::vector<double> twists = {};  ///< Hasenbusch ladder of each pair of flavours, from the largest on
  /// Masses of such a ladder in the place of twists, bare, from the heaviest on.
  /// Staggered quarks have such a ladder, too.
  std::vector<double> heavier_masses = {};
  /// True: staggered quarks of one epsilon are in the same pseudofermions.
  bool joint_masses = false;
  double force_filter = 5e-5;  ///< of HISQ quarks, as in [hmc] of hmc jobs
  /// Even-odd form of pairs of flavours: "asymmetric" or "symmetric".
  std::string even_odd = "asymmetric";
  /// Action of an odd flavour: "rational", or "exact" for domain-wall quarks.
  std::string one_flavour = "rational";
  double length = 1;  ///< of a trajectory
  /// Names of terms on each time scale, the slowest first, with spaces between them. None: quarks, then
  /// gauge and own terms.
  std::optional<std::vector<std::string>> time_scales = {};
  std::vector<int> steps = {10};             ///< of each time scale
  std::vector<Integrator> integrators = {};  ///< of each time scale; none: omelyan2
  RationalSettings rational = {};            ///< of odd flavours
  HmcSolverSettings solver = {};             ///< of quarks
};

/// Options of one trajectory.
struct TrajectorySettings {
  bool always_accept = false;        ///< thermalisation; not if dH is not finite
  bool check_reversibility = false;  ///< integrates back as well
};

/// A chain of hybrid Monte Carlo. The bits are those of hmc jobs, on any process grid.
class HmcChain {
 public:
  /// Starts from a copy of `gauge`, after `trajectories` trajectories of this chain: random numbers belong to
  /// the number of a trajectory. Throws Error(usage) for settings that are not possible.
  /// @param gauge  first links
  /// @param settings  terms, time scales and solves
  /// @param own  terms of your own
  /// @param trajectories  trajectories that the links have had
  HmcChain(const GaugeField& gauge, const HmcSettings& settings, const std::vector<ActionTermPtr>& own = {},
           std::int64_t trajectories = 0);
  /// For the classes of plaq: settings that were checked.
  /// @param gauge  first links
  /// @param setup  terms, time scales and solves
  /// @param seed  of all random numbers
  /// @param own  terms of your own, as many as names in the setup
  /// @param trajectories  trajectories that the links have had
  HmcChain(const GaugeField& gauge, const HmcSetup& setup, std::uint64_t seed,
           const std::vector<ActionTermPtr>& own, std::int64_t trajectories);
  ~HmcChain();
  HmcChain(HmcChain&&) noexcept;

  /// One trajectory. A failed solve rejects it, with the reason in the report. If it is interrupted, or a
  /// term of your own throws, the chain keeps its links and repeats the trajectory at the next call.
  TrajectoryReport trajectory(const TrajectorySettings& settings = {});

  GaugeField gauge() const;                ///< copy of the links
  std::int64_t trajectories() const;       ///< trajectories so far, rejected ones too
  const Lattice& lattice() const;          ///< lattice of the links
  std::vector<std::string> terms() const;  ///< names of the terms, those of the slowest time scale first

  /// S of a term at the present links. Pseudofermions are those of the next trajectory. This and the
  /// following functions throw Error(usage) if there is no such term, and Error(not_converged) if a solve
  /// fails.
  double action(const std::string& term);
  /// F of a term at the present links, 3x3 matrices in place of links, with dP/dt = -F.
  GaugeField force(const std::string& term);
  /// Relative deviation of the force of a term from central differences of its value, along a random
  /// direction of all links: 0 but for rounding and the accuracy of solves.
  double check_force(const std::string& term, double step = 8e-3);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace plaq
