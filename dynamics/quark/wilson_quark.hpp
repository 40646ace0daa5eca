// A flavour of Wilson or clover quarks on the links of a chain: its even-odd operator on even sites,
//   asymmetric  S = C_e - D_eo C_o^-1 D_oe / 4        det M = det C_o det S
//   symmetric   S = 1 - C_e^-1 D_eo C_o^-1 D_oe / 4   det M = det C_e det C_o det S
// in two precisions, made again where the links have changed, and with a twist W = S + i mu gamma5. In the
// asymmetric form Q = gamma5 S is Hermitian and W^dagger W is S^dagger S + mu^2. Q is not Hermitian in the
// symmetric form, and for twisted-mass quarks, which have C + i mu_q gamma5 in the place of C.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "core/field/version_of.hpp"
#include "dynamics/quark/multigrid_solves.hpp"
#include "dynamics/quark/pair_quark.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"
#include "solvers/report.hpp"

namespace plaq {

class WilsonQuark final : public PairQuark {
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
  ~WilsonQuark() override;

  const WilsonParameters& parameters() const { return parameters_; }
  std::string operator_text() const override { return "Q^2"; }
  std::string mass_text() const override;
  /// Spinors. Functions take batches of them but for solve().
  FieldSpec vector_spec(int batch) const override;

  void begin_trajectory(const Field& links) override;
  void remember(StateArchive& archive) override {
    if (!multigrid_ || !archive.is_new(this)) return;
    archive(lowest_);
    multigrid_->setup().remember(archive, lattice_);
  }
  int take_setup_rounds() override { return multigrid_ ? multigrid_->setup().take_rounds() : 0; }

  /// With a twisted mass mu >= 0, as in solve().
  void apply(Field& out, const Field& in, double mu, bool dagger) override;
  std::int64_t solve(Field& x, const Field& b, double mu, double tolerance) override;
  /// Solves (S^dagger S + shift_i) x_i = b, as solve() does: multigrid the smallest shifts for which it pays,
  /// multi-shift conjugate gradients all others at once. For the asymmetric form without a twisted mass, as
  /// spectral_range(), whose last result decides together with the first setup of a trajectory.
  std::int64_t solve_shifts(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                            double tolerance) override;
  /// Smallest and largest eigenvalue of S^dagger S, less and plus the error bounds of their measurement,
  /// which are at most 1% of them. Lanczos is in single precision, unless solves iterate in double precision.
  /// Throws MdFailure on every rank if they were not found. Collective.
  SpectralRange spectral_range() override;
  std::optional<std::int64_t> multiply_by_root(Field& b, std::vector<Field>& x,
                                               const RationalFunction& r) override;
  /// ln det C on the sites of a parity, or ln |det(C + i mu_q gamma5)|; a constant without a clover term.
  /// `negative` counts blocks of negative determinant. Collective.
  CloverDeterminant determinant(int parity);

  /// Adds to a force the contribution of -flavours ln det C on the sites of a parity.
  void add_determinant_force(double flavours, int parity);

 private:
  class Twisted;
  struct Stored;
  struct Operators;
  void make_operators(const Field& links) override;
  LinearOperator& operator_in(Precision precision, int batch) override;
  LinearOperator& shifted_in(Precision precision, const std::vector<double>& shifts) override;
  std::string shift_text(double shift) const override;
  std::optional<std::int64_t> solve_by_multigrid(Field& x, const Field& b, double mu, double tolerance,
                                                 bool zero_guess, const std::function<bool()>& pays);
  std::size_t smallest_by_multigrid(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                                    double tolerance, std::int64_t& iterations);
  std::size_t smallest_of_each(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                               double tolerance, std::int64_t& iterations);
  void extrapolate(std::vector<Field>& x, const std::vector<double>& shifts, std::size_t k);
  void complete(Field& full, const Field& even, bool dagger);
  // X_o = C_o^-1 D_oe X_e / 2 and Y_o = C_o^-1 (D_eo)^dagger Y_e / 2. In the symmetric form
  // dS = C_e^-1 (dS_asymmetric - dC_e S) of these two forms, so that C_e^-dagger Y_e takes the place of Y_e,
  // and X_e - S X_e that of X_e in the variation of C_e.
  void make_pair(Pair& pair, const Field& x, const Field& y) override;
  void prepare(WilsonForce& kernels) override;

  WilsonParameters parameters_;
  Form form_;
  std::unique_ptr<Operators> operators_;
  std::unique_ptr<MultigridSolves> multigrid_;  // null without
  VersionOf trajectory_version_;                // of the links at its start
  double lowest_ = 0;                           // eigenvalue that spectral_range() has found
};

}  // namespace plaq
