// Quark fields: sources, solutions and propagators.
#pragma once

#include <complex>
#include <cstdint>
#include <optional>
#include <vector>

#include "kernels/site/gamma_matrix.hpp"
#include "observables/quark/propagator_note.hpp"
#include "plaq/host_field.hpp"
#include "plaq/lattice_field.hpp"
#include "plaq/matrix.hpp"

namespace plaq {

/// Report on the columns of a solution, one entry a column.
struct ColumnsSolved {
  std::vector<double> true_residuals;  // ||b - M x|| / ||b|| of the full system, computed in double precision
  std::vector<std::int64_t> iterations, updates;  // updates: times that the residual was recomputed
  std::int64_t attempts = 0;                      // solvers that it took; more than 1: fallbacks
};

/// Shape of a quark field. Each site has `columns` spinors (spins 4) or color vectors of staggered quarks
/// (spins 1), and in five dimensions as many on each of its slices.
struct SpinorSettings {
  int columns = 1;
  int spins = 4;
  int slices = 1;
  Precision precision = Precision::double_precision;
  bool operator==(const SpinorSettings&) const = default;
};

/// Zero at first. Spins are in the DeGrand-Rossi basis.
class SpinorField : public LatticeField {
 public:
  explicit SpinorField(const Lattice& lattice, const SpinorSettings& settings = {});
  /// For the classes of plaq: a field that others may have parts of.
  SpinorField(const Lattice& lattice, Field field, PropagatorNote note = {})
      : LatticeField(lattice, std::move(field)), note_(std::move(note)) {}

  int columns() const { return field().batch(); }
  int spins() const { return field().spec().spins; }
  int slices() const { return field().slices(); }
  SpinorSettings settings() const { return {columns(), spins(), slices(), precision()}; }

  /// Copy of this rank's numbers, psi(column * slices + slice, site). Not collective. Throws
  /// Error if the field has other spins.
  HostField<SiteSpinor> on_host() const;
  HostField<SiteColorVector> staggered_on_host() const;
  /// Overwrites this rank's numbers, which are the caller's own then: forget_origin(). Not collective.
  void set(const HostField<SiteSpinor>& psi);
  void set(const HostField<SiteColorVector>& chi);

  /// Copy in another precision, double or single, rounded to nearest.
  SpinorField with_precision(Precision precision) const;
  /// Copy of `count` columns from `first` on, and the way back.
  SpinorField some_columns(int first, int count) const;
  void set_columns(int first, const SpinorField& columns);

  /// Origin of the field: gauge field, source, action, boundary.
  const PropagatorNote& note() const { return note_; }
  PropagatorNote& note() { return note_; }
  /// Report of the solver that found the field; none: no solver did, or the field
  /// was changed by the functions here.
  const std::optional<ColumnsSolved>& solved() const { return solved_; }
  void set_solved(std::optional<ColumnsSolved> solved) { solved_ = std::move(solved); }
  /// Says that no solver found these numbers and that no known noise is in them. Position and boundary stay.
  void forget_origin();

  SpinorField& operator+=(const SpinorField& x);
  SpinorField& operator-=(const SpinorField& x);
  SpinorField& operator*=(std::complex<double> a);

 private:
  PropagatorNote note_;
  std::optional<ColumnsSolved> solved_;
};

SpinorField operator+(const SpinorField& x, const SpinorField& y);
SpinorField operator-(const SpinorField& x, const SpinorField& y);
SpinorField operator*(std::complex<double> a, const SpinorField& x);
/// y += a x.
void add(SpinorField& y, std::complex<double> a, const SpinorField& x);
/// ||x||^2 of each column, and x^dagger y. Sums are exact: the bits do not depend on the process grid.
std::vector<double> norm2(const SpinorField& x);
std::vector<std::complex<double>> inner_product(const SpinorField& x, const SpinorField& y);
/// gamma psi at every site, for spinors in single or double precision (kernels/site/gamma_matrix.hpp).
SpinorField operator*(const GammaMatrix& gamma, const SpinorField& psi);

/// A quark propagator S(x, source): 12 columns 3 * spin + color of the source, or 3 of staggered quarks.
class Propagator : public SpinorField {
 public:
  /// Throws Error unless the field is of so many columns in four dimensions.
  explicit Propagator(SpinorField columns);
  Propagator(const Lattice& lattice, int spins = 4)
      : Propagator(SpinorField(lattice, {.columns = 3 * spins, .spins = spins})) {}

  /// Copy of this rank's numbers as a matrix at each site.
  HostField<SpinColorMatrix> on_host() const;
  HostField<ColorMatrix> staggered_on_host() const;
  void set(const HostField<SpinColorMatrix>& matrices);
  void set(const HostField<ColorMatrix>& matrices);
};

}  // namespace plaq
