// A flavour of domain-wall quarks on the links of a chain, with all weights of the slices that
// kernels/dirac/domain_wall/domain_wall_parameters.hpp has: the even-odd operator on even sites,
//   S(m) = 1 - M5 D_eo M5 D_oe,    det D(m) = det S(m) times a number,
// since M5 has no links. The determinant of the flavour is det D(m)/det D(1): Pauli-Villars quarks, which are
// quarks of mass 1, cancel the heavy modes of the fifth dimension. Quarks of several masses share their hops.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "dynamics/quark/pair_quark.hpp"
#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "kernels/dirac/wilson/wilson.hpp"

namespace plaq {

class DomainWallSeaQuark final : public PairQuark {
 public:
  /// Makes nothing before update(). Throws Error(job_file) where the parameters are wrong or have no even-odd
  /// form.
  /// @param lattice     of the links
  /// @param parameters  of the quarks
  /// @param settings    of solves, without multigrid
  /// @param links       that the quarks act on
  DomainWallSeaQuark(const SharedLattice& lattice, const DomainWallParameters& parameters,
                     const MdSolverSettings& settings, QuarkLinks links = {});
  ~DomainWallSeaQuark() override;
  /// Quarks of another mass, which share hops with these. Throws like the constructor.
  /// @param mass        of both chiralities
  /// @param minus_mass  that of chirality - where it is another one
  std::shared_ptr<DomainWallSeaQuark> of_mass(double mass, std::optional<double> minus_mass = {}) const;

  const DomainWallParameters& parameters() const { return parameters_; }
  std::string operator_text() const override { return "S^dagger S"; }
  std::string mass_text() const override;
  /// Spinors on the slices of the fifth dimension.
  FieldSpec vector_spec(int batch) const override;

  /// There are no twists: mu is 0.
  void apply(Field& out, const Field& in, double mu, bool dagger) override;
  std::int64_t solve(Field& x, const Field& b, double mu, double tolerance) override;
  /// Multi-shift conjugate gradients for (S^dagger S + shift_i) x_i = b, all shifts at once.
  std::int64_t solve_shifts(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                            double tolerance) override;
  SpectralRange spectral_range() override;

  /// q = P S P b of quark fields in four dimensions (kernels/dirac/domain_wall/domain_wall_quark.hpp), P the
  /// projector of a chirality. Returns the iterations. Throws MdFailure like solve(). Collective.
  /// @param q          P S P b on all sites
  /// @param psi        the solution in five dimensions, on all sites
  /// @param b          a spinor field on all sites
  /// @param chirality  chiral_plus or chiral_minus
  /// @param tolerance  of S^dagger S of the even-odd form
  std::int64_t propagate(Field& q, Field& psi, const Field& b, int chirality, double tolerance);
  /// Adds to a force the contribution of k b^dagger P S P b. Collective.
  /// @param others     whose S it is, on the same links, with weights that are the same on all slices
  /// @param force      that was begun
  /// @param links      of the chain
  /// @param psi        of propagate() of these others
  /// @param b          its source
  /// @param chirality  of P
  /// @param k          factor
  void add_propagator_force(DomainWallSeaQuark& others, Field& force, const Field& links, const Field& psi,
                            const Field& b, int chirality, double k);

 private:
  struct Hops;    // in each precision
  struct Stored;  // S and S^dagger S in a storage, for batches of one size
  using Key = std::pair<Precision, int>;
  void make_operators(const Field& links) override;
  WilsonHoppingPtr hops_in(Precision precision);
  Stored& in(Precision precision, int batch);
  LinearOperator& operator_in(Precision precision, int batch) override;
  LinearOperator& shifted_in(Precision precision, const std::vector<double>& shifts) override;
  void make_pair(Pair& pair, const Field& x, const Field& y) override;
  Field& chiral(const Field& b, int chirality);

  DomainWallParameters parameters_;
  std::shared_ptr<Hops> hops_;
  std::map<Key, std::unique_ptr<Stored>> stored_;
  Field chiral_, five_, reversed_, reduced_, solution_;  // workspace of quark fields
};

}  // namespace plaq
