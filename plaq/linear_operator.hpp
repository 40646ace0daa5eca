// Operators on quark fields, plaq's and the user's own, and Krylov solvers for them.
#pragma once

#include <memory>
#include <string>

#include "plaq/actions.hpp"
#include "plaq/gauge_field.hpp"
#include "plaq/spinor_field.hpp"
#include "quarks/action/action_smearing.hpp"

namespace plaq {

struct ActionOnLinks;

/// A linear operator A on quark fields in double precision. Derive from it for an operator of your own.
class SpinorOperator {
 public:
  /// Shape of the fields that it acts on; any number of columns. Throws Error(usage) if there are no such
  /// fields.
  explicit SpinorOperator(const Lattice& lattice, int spins = 4, int Ls = 1);
  virtual ~SpinorOperator() = default;

  /// Applies out = A in to all columns. `out` is another field of the shape of `in`.
  virtual void apply(SpinorField& out, const SpinorField& in) = 0;
  /// Applies out = A^dagger in to all columns. Methods "cg" and "cgne" need it.
  virtual void apply_dagger(SpinorField& out, const SpinorField& in) = 0;

  /// Note of solutions x of A x = b: what is known of them, but for their sources.
  virtual PropagatorNote note() const { return {}; }

  const Lattice& lattice() const { return lattice_; }  ///< lattice of the fields
  /// Shape of the fields with so many columns.
  SpinorSettings settings(int columns) const { return {.columns = columns, .spins = spins_, .Ls = Ls_}; }
  /// A field that the operator acts on, zero everywhere.
  SpinorField vector(int columns = 1) const { return SpinorField(lattice_, settings(columns)); }

 private:
  Lattice lattice_;
  int spins_, Ls_;
};

/// M of an action on the links of a gauge field, or on smeared ones, of which it keeps copies, in double
/// precision. In five dimensions its fields have the slices of the action.
class DiracOperator final : public SpinorOperator {
 public:
  /// M of `action` on the links of `gauge`, smeared if `smearing` says so. Throws Error(usage) if there is no
  /// action. Collective.
  DiracOperator(const ActionPtr& action, const GaugeField& gauge, const ActionSmearing& smearing = {});
  ~DiracOperator() override;
  void apply(SpinorField& out, const SpinorField& in) override;
  void apply_dagger(SpinorField& out, const SpinorField& in) override;
  PropagatorNote note() const override;
  /// The action, with bounds of its spectrum once apply() has measured them, if it needs any.
  const ActionPtr& action() const;
  /// For the classes of plaq.
  const ActionOnLinks& on_links() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// Settings of Krylov methods.
struct KrylovSettings {
  /// Method: "cg" (on A^dagger A), "cgne", "hermitian-cg" (A Hermitian, positive), "bicgstab", "gcr", "mr".
  std::string method = "bicgstab";
  double tolerance = 1e-10;    ///< largest ||b - A x|| / ||b||
  int max_iterations = 10000;  ///< largest number of iterations of each column
};

/// x with A x = b for each column of b, from x = 0. `solved` receives a report, also before an error, if it
/// is not null. Throws Error(not_converged).
/// @param a  the operator A
/// @param b  right-hand sides
/// @param settings  method and tolerance
/// @param solved  receives the report; null: nothing
SpinorField solve(SpinorOperator& a, const SpinorField& b, const KrylovSettings& settings = {},
                  ColumnsSolved* solved = nullptr);
/// x as above, from a first guess.
/// @param guess  first x, of the shape of b
/// @param a  the operator A
/// @param b  right-hand sides
/// @param settings  method and tolerance
/// @param solved  receives the report; null: nothing
SpinorField solve_from(const SpinorField& guess, SpinorOperator& a, const SpinorField& b,
                       const KrylovSettings& settings = {}, ColumnsSolved* solved = nullptr);

}  // namespace plaq
