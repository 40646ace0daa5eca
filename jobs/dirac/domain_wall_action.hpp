// Domain-wall quarks: their operators in five dimensions in several storages.
#pragma once

#include "jobs/dirac/dirac_action.hpp"
#include "kernels/dirac/domain_wall/domain_wall_quark.hpp"
#include "kernels/dirac/domain_wall/domain_wall_schur.hpp"

namespace plaq::jobs {

class DomainWallAction final : public DiracAction {
 public:
  // `gauge`: without halo, any location and precision, 18 reals; it is copied. Measures the spectral bounds
  // of H_w where the choice says so. Throws Error(not_converged) where that fails. Collective.
  DomainWallAction(const DiracMatrix& matrix, const DomainWallChoice& choice, const Field& gauge);

  const DomainWallParameters& parameters() const { return parameters_; }
  LinearOperator& residual_operator() override { return *residual_operator_; }
  std::shared_ptr<DiracOperator> outer(const LinkStorage& storage) override;
  // In temporal gauge as Wilson's.
  std::shared_ptr<DiracOperator> inner(const SolverSpec& attempt) override;
  FieldSpec quark_spec() const override;
  void make_source(Field& b, const Field& quark_source) override;
  void quark(Field& q, const Field& x) override;
  void mid_quark(Field& q, const Field& x) override;
  std::optional<std::pair<double, double>> measured_bounds() const override { return measured_; }

 private:
  FieldSpec residual_spec() const override { return residual_operator_->spec(matrix_.batch); }
  WilsonHoppingPtr make_hopping(const Field& links, const LinkStorage& storage) const;

  DiracMatrix matrix_;
  std::optional<std::pair<double, double>> measured_;
  DomainWallParameters parameters_;
  WilsonHoppingPtr links_;  // of 18 reals in double: the true-residual operator's
  std::unique_ptr<DomainWallOperator> residual_operator_;
  std::unique_ptr<DomainWallQuark> quark_;
};

// The range of |H_w| on that field, a little wider than what was found. Throws Error(not_converged).
// Collective.
std::pair<double, double> measure_bounds(const ProcessGrid& grid, const Field& gauge,
                                         const DomainWallChoice& choice, const Queue& queue,
                                         std::shared_ptr<Transport> transport);

}  // namespace plaq::jobs
