// Staggered quarks on the links of a chain, with hops of one step or HISQ's: M = m + D/2, whose even-odd
// operator on even sites is
//   A = m^2 - D_eo D_oe / 4,    det M = det A,
// Hermitian and positive. M has four tastes, so that N flavours have (det M)^(N/4) = (det A)^(N/4). A
// function of all of M^dagger M has the power N/8 instead, since even and odd sites have the same spectrum:
// det M^dagger M = (det A)^2. No eigenvalue of A is below m^2, on any links, and det M is never negative.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "core/field/version_of.hpp"
#include "dynamics/quark/quark_links.hpp"
#include "dynamics/quark/sea_quark.hpp"
#include "kernels/dirac/force/staggered_force.hpp"
#include "kernels/dirac/staggered/staggered_schur.hpp"

namespace plaq {

class StaggeredQuark final : public SeaQuark {
 public:
  /// Makes nothing before update(). Throws Error(job_file) where the mass is not positive.
  /// @param lattice     of the links
  /// @param parameters  of the quarks: without a coefficient of long links, which follows from epsilon
  /// @param settings    of solves, without multigrid
  /// @param links       that the quarks act on
  StaggeredQuark(const SharedLattice& lattice, const StaggeredParameters& parameters,
                 const MdSolverSettings& settings, QuarkLinks links = {});
  ~StaggeredQuark() override;

  const StaggeredParameters& parameters() const { return parameters_; }
  std::string operator_text() const override { return "m^2 - D_eo D_oe/4"; }
  std::string mass_text() const override;
  /// Color vectors.
  FieldSpec vector_spec(int batch) const override;

  int halo_depth() const override;
  void update(const Field& links) override;
  void remember(StateArchive& archive) override;
  std::int64_t take_filtered_links() override { return std::exchange(filtered_, 0); }

  /// Multi-shift conjugate gradients, all shifts at once, in mixed precision.
  std::int64_t solve_shifts(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                            double tolerance) override;
  /// The largest eigenvalue is measured, and the smallest one is m^2.
  SpectralRange spectral_range() override;
  double least_eigenvalue() const override { return parameters_.mass * parameters_.mass; }

  void begin_force(Field& force, int batch = 1) override;
  void add_pole_force(Field& force, const Field& links, const Field& x, double k) override;
  void finish_force(Field& force, const Field& links) override;

 private:
  struct Stored;  // A in a storage, for batches of one size
  using Key = std::pair<Precision, int>;
  void make_operators(const Field& links);
  StaggeredHoppingPtr make_hopping(Precision precision) const;
  StaggeredForce::Gradients gradients() const;
  Stored& in(Precision precision, int batch);
  LinearOperator& operator_in(Precision precision, int batch) override;
  LinearOperator& shifted_in(Precision precision, const std::vector<double>& shifts) override;

  StaggeredParameters parameters_;
  QuarkLinks links_;
  VersionOf links_version_;
  std::map<Precision, StaggeredHoppingPtr> hoppings_;  // of these links
  std::map<Key, std::unique_ptr<Stored>> stored_;
  Field z_;  // x on even and D_oe x on odd sites
  std::unique_ptr<StaggeredForce> force_kernels_;
  std::int64_t filtered_ = 0;  // links
};

}  // namespace plaq
