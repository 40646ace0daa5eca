// Sea quarks on the links of a chain, as rational functions of their operator see them: A, Hermitian and
// positive on even sites, whose powers are powers of the determinant. Wilson and clover quarks have
// A = Q^2, det A = (det S)^2 (dynamics/quark/wilson_quark.hpp), staggered quarks A = m^2 - D_eo D_oe/4,
// det A = det M (dynamics/quark/staggered_quark.hpp), domain-wall quarks A = S^dagger S
// (dynamics/quark/domain_wall_sea_quark.hpp).
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "comms/start/shared_lattice.hpp"
#include "core/operator/linear_operator.hpp"
#include "dynamics/md_failure.hpp"
#include "dynamics/quark/md_solver_settings.hpp"
#include "dynamics/rational/rational_function.hpp"
#include "dynamics/rational/spectral_range.hpp"
#include "kernels/blas/blas.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class StateArchive;

/// `links` of all functions are those of the chain.
class SeaQuark {
 public:
  SeaQuark(const SharedLattice& lattice, const MdSolverSettings& settings)
      : lattice_(lattice), settings_(settings) {}
  virtual ~SeaQuark() = default;

  const SharedLattice& lattice() const { return lattice_; }
  const MdSolverSettings& settings() const { return settings_; }
  /// A and its mass in messages, such as "Q^2" and "kappa = 0.136".
  virtual std::string operator_text() const = 0;
  virtual std::string mass_text() const = 0;
  /// Vectors on even sites, in double precision. Functions take batches of them.
  /// @param batch  right-hand sides
  Field vector(int batch = 1) const { return Field(lattice_.geometry, vector_spec(batch)); }
  virtual FieldSpec vector_spec(int batch) const = 0;

  /// Depth of the halo of links that forces read.
  virtual int halo_depth() const { return 1; }
  /// Takes these links, with a halo for smearing, else with or without. Does nothing where they are those of
  /// the last call. Throws MdFailure on every rank if A cannot be made of them. Collective.
  virtual void update(const Field& links) = 0;
  /// update() at the start of a trajectory: what solves remember of other links is forgotten.
  virtual void begin_trajectory(const Field& links) { update(links); }
  /// Visits what solves of this trajectory remember of its links so far; links have changed since the last
  /// solve. Collective.
  virtual void remember(StateArchive& /*archive*/) {}
  /// Rounds of multigrid setups since the last call.
  virtual int take_setup_rounds() { return 0; }
  /// Links on which the filter of HISQ forces acted, over all forces since the last call.
  virtual std::int64_t take_filtered_links() { return 0; }

  /// Solves (A + shift_i) x_i = b. Returns the iterations. Throws MdFailure on every rank where the true
  /// residual misses the tolerance. Collective.
  virtual std::int64_t solve_shifts(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                                    double tolerance) = 0;
  /// Smallest and largest eigenvalue of A, with the errors of their measurement on the safe side. Throws
  /// MdFailure on every rank if they were not found. Collective.
  virtual SpectralRange spectral_range() = 0;
  /// No eigenvalue is smaller, on any links.
  virtual double least_eigenvalue() const { return 0; }
  /// b <- R b with R R^dagger = 1/r(A), for quarks with a Hermitian Q on even sites, Q^2 = A. Returns the
  /// iterations; nothing, and b stays, where there is no such Q. Collective.
  /// @param b  a batch
  /// @param x  work space, r.degree() batches
  /// @param r  a rational function
  virtual std::optional<std::int64_t> multiply_by_root(Field& /*b*/, std::vector<Field>& /*x*/,
                                                       const RationalFunction& /*r*/) {
    return std::nullopt;
  }

  /// Draws vectors of pseudofermions (kernels/dirac/force/pseudofermion.hpp).
  /// @param eta         a batch
  /// @param seed        of the chain
  /// @param trajectory  its number
  /// @param number      of the first one in the chain
  void draw_vectors(Field& eta, std::uint64_t seed, std::uint32_t trajectory, int number) const;

  /// Begins a force on links of its geometry: sets it to 0.
  /// @param batch  vectors that are read in one pass over the links, at least
  virtual void begin_force(Field& force, int batch) = 0;
  /// Adds to a force the contribution of -k x^dagger dA x: that of k phi^dagger (A + b)^-1 phi, for the
  /// solution x. Collective.
  virtual void add_pole_force(Field& force, const Field& links, const Field& x, double k) = 0;
  /// Completes a force, on the links of the chain: it is carried back where these are smeared. Collective.
  virtual void finish_force(Field& force, const Field& links) = 0;

  /// Re a^dagger b on even sites, an exact sum for each right-hand side, and their sum. Collective.
  double real_product(const Field& a, const Field& b);
  /// y <- y + factor x
  void add(Field& y, double factor, const Field& x);

 protected:
  static constexpr auto wide = Precision::double_precision;  // of forces and true residuals

  blas::Workspace& work(int batch);
  /// Precision in which conjugate gradients begin to iterate inside double.
  Precision first_precision() const;
  /// A on the links of the last update().
  /// @param precision  of its links and vectors
  /// @param batch      right-hand sides
  virtual LinearOperator& operator_in(Precision precision, int batch) = 0;
  /// A + shift, or the systems that shifts stand for, with a shift of each right-hand side. The next call may
  /// change the shifts. One object for a precision and a number of shifts, until forget_solvers().
  virtual LinearOperator& shifted_in(Precision precision, const std::vector<double>& shifts) = 0;
  /// Forgets solvers of the operators of shifted_in(), before these go.
  void forget_solvers() { solvers_.clear(); }
  /// A shift in messages.
  virtual std::string shift_text(double shift) const;

  /// Solves (A + shift_i) x_i = b by multi-shift conjugate gradients: in single precision as far as that
  /// goes, and each shift from there on, where conjugate gradients do not begin in double precision. Returns
  /// the iterations. Throws MdFailure on every rank where the true residual misses the tolerance. Collective.
  std::int64_t solve_shifts_by_cg(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                                  double tolerance);
  /// Solves the first systems of a batch, as many as there are shifts, from x or from 0. A system that
  /// stagnates is solved in the next higher precision. Returns the iterations. Throws MdFailure on every rank
  /// where the true residual misses the tolerance. Collective.
  std::int64_t solve_by_cg(Field& x, const Field& b, std::vector<double> shifts, double tolerance,
                           bool zero_guess);
  /// Places of numbers in increasing order.
  static std::vector<std::size_t> increasing(const std::vector<double>& numbers);

  SharedLattice lattice_;
  MdSolverSettings settings_;

 private:
  Solver& conjugate_gradients(Precision inner, const std::vector<double>& shifts);
  std::int64_t solve_at_once(LinearOperator& a, std::vector<Field>& x, const Field& b,
                             const std::vector<double>& shifts, double tolerance);

  std::map<int, std::unique_ptr<blas::Workspace>> work_;  // by the size of a batch
  // By the precision that they iterate in, and the size of a batch.
  std::map<std::pair<Precision, int>, std::unique_ptr<Solver>> solvers_;
};

}  // namespace plaq
