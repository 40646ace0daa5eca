// Staggered quarks, one-link or asqtad: their operators in several storages.
#pragma once

#include <optional>

#include "jobs/dirac/dirac_action.hpp"
#include "kernels/dirac/staggered/staggered_schur.hpp"
#include "kernels/gauge/asqtad_links.hpp"

namespace plaq::jobs {

class StaggeredAction final : public DiracAction {
 public:
  // `gauge`: thin links without halo, any location and precision, 18 reals; it is copied. Collective.
  StaggeredAction(const DiracMatrix& matrix, const StaggeredParameters& parameters, const Field& gauge);
  StaggeredAction(const DiracMatrix& matrix, const AsqtadParameters& parameters, const Field& gauge);

  LinearOperator& residual_operator() override { return *residual_operator_; }
  std::shared_ptr<DiracOperator> outer(const LinkStorage& storage) override;
  std::shared_ptr<DiracOperator> inner(const SolverSpec& attempt) override;
  bool positive() const override { return matrix_.preconditioning != Preconditioning::none; }

 private:
  FieldSpec residual_spec() const override { return residual_operator_->spec(matrix_.batch); }
  void make_residual_operator();
  StaggeredHoppingPtr make_hopping(const LinkStorage& storage, bool short_faces) const;

  DiracMatrix matrix_;
  StaggeredParameters parameters_;
  Field gauge_;  // one-link: in double
  std::optional<AsqtadLinks> asqtad_;
  StaggeredHoppingPtr exact_;  // of 18 reals in double: the true-residual operator's
  std::unique_ptr<StaggeredOperator> residual_operator_;
};

}  // namespace plaq::jobs
