// Settings of the solution of a Dirac equation.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/field/storages.hpp"
#include "core/system/error.hpp"
#include "quarks/multigrid/multigrid_options.hpp"
#include "solvers/report.hpp"

namespace plaq {

class Action;
class KrylovMethod;
class LinearOperator;
struct MethodSettings;

/// Krylov method: CG for M^dagger M, CG for M M^dagger, BiCGstab, GCR or minimal residuals.
enum class SolverMethod { cg, cgne, bicgstab, gcr, mr };
/// Names of methods in job files, in the order of SolverMethod.
inline constexpr std::string_view solver_method_names[] = {"cg", "cgne", "bicgstab", "gcr", "mr"};

/// The system that is iterated: the symmetric or the asymmetric Schur complement on the even sites, or M on
/// all sites.
enum class Preconditioning { even_odd, even_odd_asymmetric, none };
/// Names in job files, in the order of Preconditioning.
inline constexpr std::string_view preconditioning_names[] = {"even-odd", "even-odd-asymmetric", "none"};

/// Storage of inner operators.
struct InnerStorage {
  InnerStorage() = default;
  /// Storage in a precision, none if it is not chosen, and links of `r` reals.
  InnerStorage(std::optional<Precision> p, int r) : precision(p), reconstruction(r) {}
  InnerStorage(const LinkStorage& storage)
      : precision(storage.precision), reconstruction(storage.reconstruction) {}
  /// Precision of vectors and links; none: as resolved() chooses, single precision if it was not asked.
  std::optional<Precision> precision = {};
  int reconstruction = 12;  ///< of links: 18, 12 or 8
  bool operator==(const InnerStorage&) const = default;
};

/// Settings of a solver of the Dirac equation, with the defaults of [solver] in job files.
struct SolverSettings {
  std::optional<SolverMethod> method = {};                      ///< none: gcr with multigrid, else cg
  Preconditioning preconditioning = Preconditioning::even_odd;  ///< system that is iterated
  /// Scheme of mixed precision: none if the inner precision is not below the outer one.
  MixedScheme scheme = MixedScheme::reliable_updates;
  /// Precision of the vectors, and precision and form of the links.
  LinkStorage outer{Precision::double_precision, 18};
  InnerStorage inner = {};  ///< storage of inner operators; without a mixed scheme it has no meaning
  double delta = 0.1;       ///< reliable updates: the residual falls by this factor between two of them
  std::optional<double> inner_tolerance = {};  ///< defect correction; none: by the inner precision
  int restart = 16;                            ///< GCR: directions until it restarts
  double omega = 1;                            ///< MR: relaxation
  double tolerance = 1e-10;                    ///< largest ||b - M x|| / ||b|| of the full system
  /// Tolerance of ||(b - M x)(t)|| / ||x(t)|| on each time slice (solvers/schur_solve.hpp); none: no limit.
  std::optional<double> slice_tolerance = {};
  /// Largest number of iterations for each right-hand side; a fallback has as many if the attempt made no
  /// progress.
  int max_iterations = 10000;
  bool fallback = true;        ///< tries attempts_of() if the first attempt fails
  bool temporal_gauge = true;  ///< inner operators are in temporal gauge, if has_temporal_gauge()
  /// Preconditioner of GCR, in the asymmetric even-odd form and without temporal gauge.
  std::optional<MultigridOptions> multigrid = {};
  /// Number of low modes that deflate cg and cgne on the even sites (quarks/solve/low_modes.hpp); 0: all in
  /// the file.
  std::optional<int> modes = {};
  /// Columns of a source that are solved together; none: as many as fit (columns_at_once()).
  std::optional<int> columns = {};
  bool short_halo = false;  ///< faces of inner operators travel as 16-bit numbers, if has_short_halo()
  bool operator==(const SolverSettings&) const = default;
};

/// Limit of an approximate solve: one of the three.
struct Approximation {
  /// Number of iterations, all of which are made, whatever residual they leave.
  std::optional<int> iterations = {};
  /// Tolerance in place of SolverSettings::tolerance.
  std::optional<double> tolerance = {};
  /// True: the part in the low modes that deflate (SolverSettings::modes), without iterations.
  bool modes = false;
  bool operator==(const Approximation&) const = default;

  /// The first member that is wrong, in itself or with these settings; none if all is right.
  std::optional<ParameterFault> fault() const;
  std::optional<ParameterFault> fault(const SolverSettings& settings) const;
};

/// "bicgstab, half 12 in double 18, reliable updates 0.1" or "cg with deflation(32), double 18".
std::string name_of(const SolverSettings& settings);
/// "half 12".
std::string name_of(const LinkStorage& storage);
/// The inverse of name_of(), with any white space. Settings that a name does not state are those of `rest`,
/// like the restart of "gcr" and omega of "mr" without a number. Throws Error(job_file), which names what
/// was expected and what was found.
SolverSettings parse_solver(std::string_view name, const SolverSettings& rest = {});
/// The method: the given one, or the usual one without or with multigrid.
SolverMethod method_of(const SolverSettings& settings);
/// Storage of inner operators.
LinkStorage inner_storage(const SolverSettings& settings);
/// Settings for an action, with all choices made that depend on it or on the location. Inner operators are in
/// half precision on a GPU and in single precision on the host, where 16 bits save nothing, if no precision
/// is given. If that is not below the outer precision, there is no mixed scheme. Links have 18 reals if the
/// action has no compressed ones.
SolverSettings resolved(const SolverSettings& settings, const Action& action, Location location);
/// Right-hand sides that are solved together: `settings.columns`, else as many of `columns` as fit into a
/// batch with so many slices of the fifth dimension each. Divides `columns`.
int columns_at_once(const SolverSettings& settings, int columns, int Ls);
/// Tolerance of an inner solve of defect correction.
double inner_tolerance_of(const SolverSettings& settings);
/// Settings with multigrid, and with the method and the forms that multigrid needs.
SolverSettings with_multigrid(SolverSettings settings, const MultigridOptions& multigrid);
/// Storage of the operator that is iterated: the inner one of a mixed scheme, else the outer one.
LinkStorage iterated_storage(const SolverSettings& settings);

/// True if the inner operator may be in temporal gauge: it has 18 or 12 reals and a lower precision than the
/// outer one. The links must also be in SU(3).
bool has_temporal_gauge(const SolverSettings& settings);

/// True if faces of the inner operator travel as 16-bit numbers: it differs from the outer one and is not
/// in double precision.
bool has_short_halo(const SolverSettings& settings);

/// The solvers that are tried in turn, these settings first. With a fallback there follow reliable updates
/// with the next higher precisions inside, defect correction with the precision below the outer one
/// inside, and CG in the outer precision. Behind multigrid comes BiCGstab, or CG for domain walls, whose
/// spectrum lies around 0.
std::vector<SolverSettings> attempts_of(const SolverSettings& settings, const Action& action);

/// Settings of the Krylov method and its mixed scheme.
MethodSettings settings_of(const SolverSettings& settings);
/// Creates the Krylov method named by `settings` for operator `a`.
/// @param settings  names the method
/// @param a  the operator
/// @param batch  right-hand sides
/// @param of_method  tolerance and parameters of the method
std::unique_ptr<KrylovMethod> make_method(const SolverSettings& settings, LinearOperator& a, int batch,
                                          const MethodSettings& of_method);

/// Settings of a search for low modes (quarks/solve/low_modes.hpp).
struct EigenvectorSettings {
  int modes = 64;                  ///< number of modes
  double tolerance = 1e-3;         ///< largest error bound, relative to its eigenvalue
  std::optional<int> basis = {};   ///< vectors of the Lanczos basis, at least modes + 2; none: 2 modes + 20
  int filter_degree = 40;          ///< largest degree of the Chebyshev polynomial of the operator; 0: none
  int max_applications = 1000000;  ///< largest number of applications of the operator
  std::int64_t seed = 1;           ///< seed of start vectors

  int vectors() const { return basis.value_or(2 * modes + 20); }  ///< vectors of the Lanczos basis
};

class Action;

/// Settings that do not fit the action: parameters are members, such as "inner.reconstruction". Ranges of
/// numbers are those of the keys of [solver] (settings/solver/solver_table.hpp).
std::vector<ParameterFault> faults_of(const SolverSettings& settings, const Action& action);
/// Why an action has no even-odd form of this kind; none: it has.
std::optional<std::string> validate_form(Preconditioning form, const Action& action);
/// Faults of settings whose solves low modes deflate: multigrid, a method other than cg and cgne, no even-odd
/// form.
std::vector<ParameterFault> faults_of_deflation(const SolverSettings& settings);

}  // namespace plaq
