// How a Dirac equation is solved, in numbers.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jobs/dirac/multigrid_spec.hpp"
#include "kernels/gauge/link_storage.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/method_settings.hpp"

namespace plaq::jobs {

enum class SolverMethod { cg, cgne, bicgstab, gcr, mr };
inline constexpr std::string_view solver_method_names[] = {"cg", "cgne", "bicgstab", "gcr", "mr"};

// The even sites alone, by the symmetric or the asymmetric Schur complement, or all sites.
enum class Preconditioning { even_odd, even_odd_asymmetric, none };
inline constexpr std::string_view preconditioning_names[] = {"even-odd", "even-odd-asymmetric", "none"};

struct SolverSpec {
  SolverMethod method = SolverMethod::cg;
  Preconditioning preconditioning = Preconditioning::even_odd;
  MixedScheme scheme = MixedScheme::none;
  // Precision of the vectors, precision and form of the links. Without a scheme `inner` is of no meaning.
  LinkStorage outer{Precision::double_precision, 18}, inner{Precision::single_precision, 12};
  double delta = 0.1;                     // of reliable updates
  std::optional<double> inner_tolerance;  // of defect correction; none: by the inner precision
  int restart = 16;                       // of GCR: directions until it begins anew
  double omega = 1;                       // of MR: relaxation
  double tolerance = 1e-10;               // ||b - M x|| / ||b|| of the full system
  // ||(b - M x)(t)|| / ||x(t)|| on each time slice (solvers/slice_solve.hpp); none: any.
  std::optional<double> slice_tolerance;
  int max_iterations = 10000;  // of a right-hand side; a fallback has as many where it came no nearer
  bool fallback = false;       // try attempts_of() where this does not get there
  bool temporal_gauge = true;  // of inner operators, where has_temporal_gauge()
  // GCR preconditioned by it: even_odd_asymmetric, no temporal gauge.
  std::optional<MultigridSpec> multigrid;
  // cg and cgne on the even sites: so many low modes deflate them (jobs/dirac/low_modes.hpp); 0: all there are.
  std::optional<int> modes;
  bool short_halo = false;  // faces of inner operators in 16 bits, where has_short_halo()
  bool operator==(const SolverSpec&) const = default;
};

// "bicgstab, half 12 in double 18, reliable updates 0.1"; "cg with deflation(32), double 18".
std::string name_of(const SolverSpec& spec);
std::string name_of(const LinkStorage& storage);  // "half 12"
// The inverse, with any white space. What a name does not say is that of `rest`, the restart of "gcr" and
// omega of "mr" without a number included. Throws Error(job_file), which says what was expected and found.
SolverSpec parse_solver(std::string_view name, const SolverSpec& rest = {});
double inner_tolerance_of(const SolverSpec& spec);
// The same with multigrid, by the method and the forms that it works with.
SolverSpec with_multigrid(SolverSpec spec, const MultigridSpec& multigrid);
// What reads and writes the vectors that are iterated.
const LinkStorage& iterated_storage(const SolverSpec& spec);

// Whether the inner operator is kept in temporal gauge: of 18 or 12 reals and a lower precision than the
// outer one. Only links of SU(3) have it.
bool has_temporal_gauge(const SolverSpec& spec);

// Whether faces of the inner operator travel as 16-bit numbers: it is not of double precision, and another
// than the outer one.
bool has_short_halo(const SolverSpec& spec);

// The solvers that are tried in turn, this one first. With a fallback: reliable updates around the next
// higher precisions, defect correction around the one below the outer, CG in the outer.
std::vector<SolverSpec> attempts_of(const SolverSpec& spec);

// What the method and its scheme are made with.
MethodSettings settings_of(const SolverSpec& spec);
// Of the method, for `a`.
std::unique_ptr<KrylovMethod> make_method(const SolverSpec& spec, LinearOperator& a, int batch,
                                          const MethodSettings& settings);

}  // namespace plaq::jobs
