// A flavour of Wilson or clover quarks on the links of a chain: its even-odd operator on even sites,
//   asymmetric  S = C_e - D_eo C_o^-1 D_oe / 4        det M = det C_o det S
//   symmetric   S = 1 - C_e^-1 D_eo C_o^-1 D_oe / 4   det M = det C_e det C_o det S
// in two precisions, made again where the links have changed, and with a twist W = S + i mu gamma5. In the
// asymmetric form Q = gamma5 S is Hermitian and W^dagger W is S^dagger S + mu^2. Q is not Hermitian in the
// symmetric form, and for twisted-mass quarks, which have C + i mu_q gamma5 in the place of C.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string>

#include "comms/grid/shared_lattice.hpp"
#include "core/field/version_of.hpp"
#include "dynamics/md_failure.hpp"
#include "dynamics/quark/link_copies.hpp"
#include "dynamics/quark/multigrid_solves.hpp"
#include "dynamics/quark/smeared_links.hpp"
#include "dynamics/rational/spectral_range.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/dirac/force/wilson_force.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "solvers/report.hpp"

namespace plaq {

struct MdSolverSettings {
  double force_tolerance = 1e-8;    ///< ||b - A x|| / ||b|| of A = W^dagger W in forces
  double action_tolerance = 1e-12;  ///< in values of the action, and where pseudofermions are drawn
  int max_iterations = 10000;
  /// Precision in which conjugate gradients iterate inside double: half, single or double; none: half on a
  /// GPU, single on the host. A solve that stagnates is repeated in the next higher one.
  std::optional<Precision> inner_precision = {};
  /// Multigrid, to the tolerances ||b - W^dagger y|| / ||b|| and ||y - W x|| / ||y||. Conjugate gradients
  /// take over where it fails.
  std::optional<MultigridOptions> multigrid = {};
  /// Largest twist mu of systems that multigrid solves, and largest root mu of a shift; none: as the first
  /// setup of a trajectory says (dynamics/quark/multigrid_choice.hpp).
  std::optional<double> largest_multigrid_twist = {};
  /// Iterations of a solve by multigrid that take as long as to renew its setup
  /// (docs/notes/speed-multigrid.md).
  double setup_renewal = 150;
};

/// Links that quarks act on.
struct QuarkLinks {
  /// Smeared links, which several quarks may share; none: the links of the chain.
  std::shared_ptr<SmearedLinks> smeared = {};
  /// Smeared links are those of the hops alone, and the clover term has the links of the chain: the SLiNC
  /// action, Cundy et al., Phys. Rev. D 79 (2009) 094507.
  bool thin_clover = false;
  /// Copies that several quarks may share; none: own ones.
  std::shared_ptr<LinkCopies> copies = {};
  /// Multigrid setups that quarks of several masses share; none: a quark has its own.
  std::shared_ptr<FirstSetup> setup = {};
};

class WilsonQuark {
 public:
  using Form = WilsonSchur::Form;
  /// Makes nothing before update(). `links` of its functions are always those of the chain.
  /// @param lattice     of the links
  /// @param parameters  of the quarks
  /// @param settings    of solves; multigrid is for the asymmetric form
  /// @param links       that the quarks act on
  /// @param form        of S
  WilsonQuark(const SharedLattice& lattice, const WilsonParameters& parameters,
              const MdSolverSettings& settings, QuarkLinks links = {}, Form form = Form::asymmetric);
  ~WilsonQuark();

  const SharedLattice& lattice() const { return lattice_; }
  const WilsonParameters& parameters() const { return parameters_; }
  const MdSolverSettings& settings() const { return settings_; }
  /// Spinors on even sites, in double precision. Functions take batches of them but for solve().
  /// @param batch  right-hand sides
  Field vector(int batch = 1) const;

  /// Takes these links, with a halo for smearing, else with or without. Does nothing where they are those of
  /// the last call. Throws MdFailure on every rank if they are not in SU(3), or if a clover block has no
  /// inverse. Collective.
  void update(const Field& links);

  /// update() at the start of a trajectory: what solves remember of other links is forgotten.
  void begin_trajectory(const Field& links);
  /// Visits what solves of this trajectory remember of its links so far; links have changed since the last
  /// solve. Collective.
  void remember(StateArchive& archive) {
    if (!multigrid_ || !archive.is_new(this)) return;
    archive(lowest_);
    multigrid_->setup().remember(archive, lattice_);
  }
  /// Rounds of multigrid setups since the last call.
  int take_setup_rounds() { return multigrid_ ? multigrid_->setup().take_rounds() : 0; }

  /// out = W in, or W^dagger in; with a twisted mass mu >= 0, as in solve(). Collective.
  void apply(Field& out, const Field& in, double mu, bool dagger);
  /// Solves W^dagger W x = b, from x = 0. Returns the iterations. Throws MdFailure on every
  /// rank where the true residual misses the tolerance. Collective.
  std::int64_t solve(Field& x, const Field& b, double mu, double tolerance);
  /// Solves (S^dagger S + shift_i) x_i = b, as solve() does: multigrid the smallest shifts for which it pays,
  /// multi-shift conjugate gradients all others at once. For the asymmetric form without a twisted mass, as
  /// spectral_range(), whose last result decides together with the first setup of a trajectory.
  std::int64_t solve_shifts(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                            double tolerance);
  /// Smallest and largest eigenvalue of S^dagger S, with the errors of their measurement on the safe side.
  /// Throws MdFailure on every rank if they were not found. Collective.
  SpectralRange spectral_range();
  /// ln det C on the sites of a parity, or ln |det(C + i mu_q gamma5)|; a constant without a clover term.
  /// `negative` counts blocks of negative determinant. Collective.
  CloverDeterminant determinant(int parity);

  /// Begins a force on links of its geometry: sets it to 0.
  /// @param batch  pairs of spinors that are read in one pass over the links, at least
  void begin_force(Field& force, int batch = 1);
  /// Adds to a force the contribution of -2 k Re Y^dagger dS X, X and Y on even sites: both are completed to
  /// all sites, X_o = C_o^-1 D_oe X_e / 2 and Y_o = C_o^-1 (D_eo)^dagger Y_e / 2. In the symmetric form
  /// dS = C_e^-1 (dS_asymmetric - dC_e S) of these two forms, so that C_e^-dagger Y_e takes the place of Y_e,
  /// and X_e - S X_e that of X_e in the variation of C_e. Collective.
  void add_force(Field& force, const Field& links, const Field& x, const Field& y, double k = 1) {
    add_force_of(*this, force, links, x, y, k);
  }
  /// Acts like add_force() with S of other quarks on the same links that differ in the mass alone.
  void add_force_of(WilsonQuark& others, Field& force, const Field& links, const Field& x, const Field& y,
                    double k);
  /// Adds to a force the contribution of -flavours ln det C on the sites of a parity.
  void add_determinant_force(double flavours, int parity);
  /// Completes a force, on the links of the chain: it is carried back where these are smeared. Collective.
  void finish_force(Field& force, const Field& links);

  /// Re a^dagger b on even sites, an exact sum for each right-hand side, and their sum. Collective.
  double real_product(const Field& a, const Field& b);
  /// y <- y + factor x
  void add(Field& y, double factor, const Field& x);

 private:
  static constexpr auto wide = Precision::double_precision;  // of forces and true residuals
  class Twisted;
  struct Stored;
  struct Operators;
  void make_operators(const Field& links);
  // The links of the hops.
  const Field& hop_links(const Field& links) { return links_.smeared ? links_.smeared->of(links) : links; }
  Precision first_precision() const;
  std::optional<std::int64_t> solve_by_multigrid(Field& x, const Field& b, double mu, double tolerance,
                                                 bool zero_guess, const std::function<bool()>& pays);
  std::size_t smallest_by_multigrid(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                                    double tolerance, std::int64_t& iterations);
  std::size_t smallest_of_each(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                               double tolerance, std::int64_t& iterations);
  blas::Workspace& work(int batch);
  void extrapolate(std::vector<Field>& x, const std::vector<double>& shifts, std::size_t k);
  std::int64_t solve_shifts_by_cg(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                                  double tolerance);
  std::int64_t solve_by_cg(Field& x, const Field& b, std::vector<double> shifts, double tolerance,
                           bool zero_guess);
  std::int64_t solve_at_once(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                             double tolerance, Precision precision);
  // Fields on all sites between which the variation of M is that of S between x and y on even sites.
  struct Pair {
    Field x, y;
    Field clover_x;  // in the place of x for the clover term, where that differs
    Field even;      // workspace
  };
  void complete(Field& full, const Field& even, bool dagger);
  void make_pair(Pair& pair, const Field& x, const Field& y);

  SharedLattice lattice_;
  WilsonParameters parameters_;
  MdSolverSettings settings_;
  QuarkLinks links_;
  Form form_;
  std::map<int, std::unique_ptr<blas::Workspace>> work_;  // by the size of a batch
  VersionOf links_version_;
  std::unique_ptr<Operators> operators_;
  std::unique_ptr<MultigridSolves> multigrid_;  // null without
  VersionOf trajectory_version_;                // of the links at its start
  double lowest_ = 0;                           // eigenvalue that spectral_range() has found
  Pair pair_;                                   // when a force needs it
  std::unique_ptr<WilsonForce> force_kernels_;
};

}  // namespace plaq
