// Staggered quarks with hops of one step on the links of a chain: M = m + D/2, whose even-odd operator on
// even sites is
//   A = m^2 - D_eo D_oe / 4,    det M = det A,
// Hermitian and positive. M has four tastes, so that N flavours have (det M)^(N/4) = (det A)^(N/4). A
// function of all of M^dagger M has the power N/8 instead, since even and odd sites have the same spectrum:
// det M^dagger M = (det A)^2. No eigenvalue of A is below m^2, on any links, and det M is never negative.
#pragma once

#include <map>
#include <memory>
#include <string>
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
  /// @param parameters  of the quarks: without long links
  /// @param settings    of solves, which are in double precision; without multigrid
  /// @param links       that the quarks act on
  StaggeredQuark(const SharedLattice& lattice, const StaggeredParameters& parameters,
                 const MdSolverSettings& settings, QuarkLinks links = {});

  const StaggeredParameters& parameters() const { return parameters_; }
  std::string operator_text() const override { return "m^2 - D_eo D_oe/4"; }
  std::string mass_text() const override;
  /// Color vectors.
  FieldSpec vector_spec(int batch) const override;

  void update(const Field& links) override;

  /// Multi-shift conjugate gradients, all shifts at once.
  std::int64_t solve_shifts(std::vector<Field>& x, const Field& b, const std::vector<double>& shifts,
                            double tolerance) override;
  /// The largest eigenvalue is measured, and the smallest one is m^2.
  SpectralRange spectral_range() override;
  double least_eigenvalue() const override { return parameters_.mass * parameters_.mass; }

  void begin_force(Field& force, int batch = 1) override;
  void add_pole_force(Field& force, const Field& links, const Field& x, double k) override;
  void finish_force(Field& force, const Field& links) override;

 private:
  void make_operators(const Field& links);
  StaggeredSchur& a(int batch);

  StaggeredParameters parameters_;
  QuarkLinks links_;
  VersionOf links_version_;
  StaggeredHoppingPtr hopping_;                       // of these links
  std::map<int, std::unique_ptr<StaggeredSchur>> a_;  // A, by the size of a batch
  Field z_;                                           // x on even and D_oe x on odd sites
  std::unique_ptr<StaggeredForce> force_kernels_;
};

}  // namespace plaq
