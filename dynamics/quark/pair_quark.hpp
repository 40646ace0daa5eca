// Sea quarks with an operator W on even sites whose W^dagger W is the determinant of a pair of flavours, or
// of a ratio of two such pairs, and whose hops are those of Wilson quarks on each slice of a fifth dimension:
// Wilson and clover quarks (dynamics/quark/wilson_quark.hpp) and domain-wall quarks
// (dynamics/quark/domain_wall_sea_quark.hpp). With a twist W = S + i mu gamma5, else W = S.
#pragma once

#include <cstdint>
#include <memory>

#include "core/field/version_of.hpp"
#include "dynamics/quark/quark_links.hpp"
#include "dynamics/quark/sea_quark.hpp"
#include "kernels/dirac/force/wilson_force.hpp"
#include "solvers/eigen/singular_range.hpp"

namespace plaq {

class PairQuark : public SeaQuark {
 public:
  /// @param lattice   of the links
  /// @param settings  of solves
  /// @param hops      parameters of the hops, with those of the clover term
  /// @param links     that the quarks act on
  PairQuark(const SharedLattice& lattice, const MdSolverSettings& settings, const WilsonParameters& hops,
            QuarkLinks links);

  /// Takes these links, with a halo for smearing, else with or without. Does nothing where they are those of
  /// the last call. Throws MdFailure on every rank if they are not in SU(3), or if a clover block has no
  /// inverse. Collective.
  void update(const Field& links) override;

  /// out = W in, or W^dagger in. Collective.
  /// @param out     S has links of the last update()
  /// @param in      a batch
  /// @param mu      0 for quarks without twists
  /// @param dagger  of W
  virtual void apply(Field& out, const Field& in, double mu, bool dagger) = 0;
  /// Solves W^dagger W x = b, from x = 0. Returns the iterations. Throws MdFailure on every rank where the
  /// true residual misses the tolerance. Collective.
  virtual std::int64_t solve(Field& x, const Field& b, double mu, double tolerance) = 0;

  void begin_force(Field& force, int batch = 1) override;
  /// Adds to a force the contribution of -2 k Re Y^dagger dS X, X and Y on even sites. Collective.
  void add_force(Field& force, const Field& links, const Field& x, const Field& y, double k = 1) {
    add_force_of(*this, force, links, x, y, k);
  }
  /// The pair of x and S x.
  void add_pole_force(Field& force, const Field& links, const Field& x, double k) override;
  /// Acts like add_force() with S of other quarks on the same links that differ in the mass alone.
  void add_force_of(PairQuark& others, Field& force, const Field& links, const Field& x, const Field& y,
                    double k);
  void finish_force(Field& force, const Field& links) override;

 protected:
  /// Fields on all sites between which the variation of the whole matrix is that of S between x and y on
  /// even sites.
  struct Pair {
    Field x, y;
    Field clover_x;  ///< in the place of x for the clover term, where that differs
    Field even;      ///< workspace
  };
  /// Makes operators of links of the chain.
  virtual void make_operators(const Field& links) = 0;
  virtual void make_pair(Pair& pair, const Field& x, const Field& y) = 0;
  /// Says what kernels must know of pairs of these quarks.
  virtual void prepare(WilsonForce& /*kernels*/) {}
  /// Smallest and largest eigenvalue of S^dagger S, less and plus the error bounds of their measurement,
  /// which are at most 1% of them. Throws MdFailure on every rank if they were not found. Collective.
  /// @param exact  S in double precision
  /// @param low    S in the precision of Lanczos; the same object in double precision
  SpectralRange range_of(LinearOperator& exact, LinearOperator& low);
  /// S x, which the next call overwrites.
  Field& s_times(const Field& x);

  QuarkLinks links_;
  std::unique_ptr<WilsonForce> force_kernels_;

 private:
  WilsonParameters hops_;
  VersionOf links_version_;
  Pair pair_;  // when a force needs it
  Field s_x_;  // S x of a pole, likewise
};

}  // namespace plaq
