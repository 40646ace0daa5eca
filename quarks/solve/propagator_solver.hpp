// Quark propagators on one gauge field: solves for all columns of a source, or for any right-hand sides.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quarks/solve/solve_stop.hpp"
#include "quarks/solve/system_solver.hpp"

namespace plaq {

// Report of the columns of one source, solved one after the other or together.
struct ColumnReport {
  std::vector<double> true_residuals;             // of each column
  std::vector<std::int64_t> iterations, updates;  // of each column
  std::int64_t attempts = 0;                      // the most solvers that any took
  // ||(b - M x)(t)|| / ||x(t)|| on each time slice of the lattice, the largest of all columns.
  std::vector<double> slice_residuals;
};

/// More fields of a solve in five dimensions (kernels/dirac/domain_wall/domain_wall_quark.hpp), where they
/// are not null.
struct WallFields {
  Field* midpoint = nullptr;  // the quark field in the middle of the fifth dimension, of quark_spec()
  Field* current = nullptr;   // the current field of the solution, of five_spec()
};

/// Warns of slices on which the residual is more than 0.001 of the solution: it is not determined there by a
/// tolerance of the whole residual.
void warn_of_slices(const ColumnReport& report, const std::string& file);
/// The larger of both on each slice; `to` may be empty.
void add_slices(std::vector<double>& to, const std::vector<double>& from);

class PropagatorSolver {
 public:
  /// Solves `together` right-hand sides at a time. Collective. The arguments are those of SystemSolver.
  PropagatorSolver(const FermionLinks& links, const ActionPtr& action, const SolverSettings& settings,
                   int together, const SetupPaths& setup = {}, MadeMultigrid made = {});

  /// Quark fields of so many columns: four dimensions, double precision, both parities, where the links are.
  FieldSpec quark_spec(int columns) const;

  /// Solutions of so many columns as they are solved for: in five dimensions, of domain walls.
  FieldSpec five_spec(int columns) const;

  /// Overwrites b with the sources of columns first_column to first_column + b.subfields() - 1.
  using FillSource = std::function<void(Field& b, int first_column)>;
  /// Solves for all columns of `quark`, of quark_spec(), whose number is a multiple of `together`. Where all
  /// are solved together in four dimensions it holds the first guess. Shows progress in decades of the
  /// residual. Collective. Throws Error(not_converged), which names the outcomes, unless all have reached the
  /// tolerance, or Error(stopped) (SolveStop).
  ///
  /// @param file      the gauge field, for messages
  /// @param midpoint  if not null, receives the quark field in the middle of the fifth dimension
  /// @param names     of the columns, for errors; if empty, spin and color of the source,
  ///                  which the log tells one by one
  ColumnReport solve(Field& quark, const FillSource& fill, const std::string& file, Field* midpoint = nullptr,
                     const std::vector<std::string>& names = {});

  /// Solves as above, and keeps more fields of domain walls.
  ColumnReport solve(Field& quark, const WallFields& walls, const FillSource& fill, const std::string& file,
                     const std::vector<std::string>& names = {});
  /// Receives solutions in four dimensions: columns first_column to first_column + x.subfields() - 1.
  using TakeSolutions = std::function<void(const Field& x, int first_column)>;
  /// Solves like solve() for so many columns, a multiple of `together`, each from 0, and hands over what is
  /// solved together in place of keeping a field of all columns.
  ColumnReport solve_each(int columns, const FillSource& fill, const TakeSolutions& take,
                          const std::string& file, const std::vector<std::string>& names);

  /// Solves like solve(), but only approximately (SystemSolver::approximate), from 0, whatever `quark` holds.
  /// Residuals may have any size in the report. Throws Error(not_converged) if a tolerance is missed, or if
  /// numbers are not finite. Collective.
  ColumnReport approximate(Field& quark, const FillSource& fill, const Approximation& how,
                           const std::string& file, const std::vector<std::string>& names = {},
                           const WallFields& walls = {});
  /// b = M x of so many columns as are solved together, in double precision with links of 18 reals. Not of
  /// actions in five dimensions. Collective.
  void apply(Field& b, const Field& x);

  int together() const { return together_; }
  const SolverSettings& settings() const { return solver_->settings(); }
  const DiracMultigrid* multigrid() const { return solver_->multigrid(); }
  /// For solvers at other masses. Nothing may be solved here afterwards.
  MadeMultigrid take_multigrid() { return solver_->take_multigrid(); }
  /// True if solve() takes a first guess for so many columns.
  bool takes_guesses(int columns) const { return together_ == columns && !has_walls(); }
  const std::optional<SpectralBounds>& measured_bounds() const { return solver_->measured_bounds(); }

 private:
  struct Part {
    int first, columns;  // the first one of this part, and the number of all
    const FillSource& fill;
    const std::string& file;
    const std::vector<std::string>& names;         // of all columns
    bool few;                                      // so that each has a line in the log
    const Approximation* approximation = nullptr;  // null: a solve to the tolerance
  };
  // Solutions go to fields of all columns, or are handed over.
  struct Solutions {
    Field* quark = nullptr;
    WallFields walls = {};
    const TakeSolutions* take = nullptr;
  };
  bool has_walls() const { return solver_->action()->has_walls(); }
  ColumnReport solve_parts(const Solutions& to, const Part& all);
  void solve_part(const Solutions& to, const Part& part, SolveStop& stop, ColumnReport& report);
  FullSolveReport solve_fields(Field& x, const Field& b, const Part& part, double share, SolveStop& stop);

  const ProcessGrid* grid_;
  GeometryPtr geometry_;
  Queue queue_;
  std::shared_ptr<Transport> transport_;
  int together_;
  std::unique_ptr<SystemSolver> solver_;
};

}  // namespace plaq
