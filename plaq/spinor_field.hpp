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
  /// ||b - M x|| / ||b|| of the full system, computed in double precision.
  std::vector<double> true_residuals;
  std::vector<std::int64_t> iterations, updates;  ///< iterations, and times that the residual was recomputed
  std::int64_t attempts = 0;                      ///< solvers that it took; more than 1: fallbacks
};

/// Shape of a quark field. Each site has `columns` spinors (spins 4) or color vectors of staggered quarks
/// (spins 1), and in five dimensions as many on each of its slices.
struct SpinorSettings {
  int columns = 1;                                    ///< spinors or color vectors of a site and slice
  int spins = 4;                                      ///< 4, or 1 of staggered quarks
  int Ls = 1;                                         ///< extent Ls of the fifth dimension; 1: none
  Precision precision = Precision::double_precision;  ///< double or single
  bool operator==(const SpinorSettings&) const = default;
};

/// Quark field: spinors or color vectors at each site. Spins are in the DeGrand-Rossi basis.
class SpinorField : public LatticeField {
 public:
  /// Zero everywhere. Throws Error(usage) if there is no such field.
  explicit SpinorField(const Lattice& lattice, const SpinorSettings& settings = {});
  /// For the classes of plaq: a field that others may have parts of.
  SpinorField(const Lattice& lattice, Field field, PropagatorNote note = {})
      : LatticeField(lattice, std::move(field)), note_(std::move(note)) {}

  int columns() const { return field().batch(); }     ///< spinors or color vectors of a site and slice
  int spins() const { return field().spec().spins; }  ///< 4, or 1 of staggered quarks
  int Ls() const { return field().Ls(); }             ///< extent Ls of the fifth dimension, else 1
  /// Shape of the field.
  SpinorSettings settings() const { return {columns(), spins(), Ls(), precision()}; }

  /// Copy of this rank's numbers, psi(column * Ls + slice, site). Not collective. Throws Error if the
  /// field has other spins.
  HostField<SiteSpinor> on_host() const;
  /// Copy as on_host(), of color vectors of staggered quarks.
  HostField<SiteColorVector> staggered_on_host() const;
  /// Overwrites this rank's numbers, which are the caller's own then: forget_origin(). Not collective.
  void set(const HostField<SiteSpinor>& psi);
  void set(const HostField<SiteColorVector>& chi);

  /// Copy in another precision, double or single, rounded to nearest.
  SpinorField with_precision(Precision precision) const;
  /// Copy of `count` columns from `first` on.
  SpinorField some_columns(int first, int count) const;
  /// Overwrites columns from `first` on by all columns of another field.
  void set_columns(int first, const SpinorField& columns);

  /// Origin of the field: gauge field, source, action, boundary.
  const PropagatorNote& note() const { return note_; }
  PropagatorNote& note() { return note_; }
  /// Report of the solver that found the field; none: no solver did, or the field was changed by the
  /// functions here.
  const std::optional<ColumnsSolved>& solved() const { return solved_; }
  /// Sets or removes the report.
  void set_solved(std::optional<ColumnsSolved> solved) { solved_ = std::move(solved); }
  /// Says that no solver found these numbers and that no known noise is in them. Position and boundary stay.
  void forget_origin();

  /// Adds x.
  SpinorField& operator+=(const SpinorField& x);
  /// Subtracts x.
  SpinorField& operator-=(const SpinorField& x);
  /// Multiplies by a number.
  SpinorField& operator*=(std::complex<double> a);

 private:
  PropagatorNote note_;
  std::optional<ColumnsSolved> solved_;
};

/// Sum of fields of one shape. Throws Error(usage) for other fields; so do all functions of two fields here.
SpinorField operator+(const SpinorField& x, const SpinorField& y);
/// Difference of fields of one shape.
SpinorField operator-(const SpinorField& x, const SpinorField& y);
/// Multiple a x of a field.
SpinorField operator*(std::complex<double> a, const SpinorField& x);
/// Adds a multiple: y += a x.
void add(SpinorField& y, std::complex<double> a, const SpinorField& x);
/// ||x||^2 of each column. Sums are exact: the bits do not depend on the process grid.
std::vector<double> norm2(const SpinorField& x);
/// x^dagger y of each column. Sums are exact.
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
  /// Copy as on_host(), of staggered quarks: row color of the sink, column color of the source.
  HostField<ColorMatrix> staggered_on_host() const;
  /// Overwrites this rank's numbers. Not collective. Throws Error if the field has other spins.
  void set(const HostField<SpinColorMatrix>& matrices);
  void set(const HostField<ColorMatrix>& matrices);
};

}  // namespace plaq
