// Wilson and clover quarks: their operators in several storages.
#pragma once

#include "jobs/dirac/dirac_action.hpp"
#include "kernels/dirac/wilson/wilson_schur.hpp"

namespace plaq::jobs {

// Clover blocks of its own from `gauge`, of 18 reals, of which the hopping term is; `clover`: the clover
// field of these links, null where it is not at hand. `conversion`: to vectors of their gauge. Collective.
std::shared_ptr<DiracOperator> make_wilson_operator(const DiracMatrix& matrix, const Field& gauge,
                                                    WilsonHoppingPtr hopping, CloverField* clover,
                                                    const VectorConversion& conversion = {});

class WilsonAction final : public DiracAction {
 public:
  // `gauge`: without halo, any location and precision, 18 reals; it is copied. `clover`: its clover field
  // with the diagonal and coefficients of the parameters, where the caller shares it; else made where it is
  // needed.
  WilsonAction(const DiracMatrix& matrix, const Field& gauge, std::shared_ptr<CloverField> clover);

  LinearOperator& residual_operator() override { return *residual_operator_; }
  std::shared_ptr<DiracOperator> outer(const LinkStorage& storage) override;
  // In temporal gauge where it goes_to_temporal_gauge().
  std::shared_ptr<DiracOperator> inner(const SolverSpec& attempt) override;
  void settle() override { plain_ = shared_; }

 private:
  FieldSpec residual_spec() const override { return residual_operator_->spec(matrix_.batch); }

  DiracMatrix matrix_;
  std::shared_ptr<CloverField> shared_, plain_;
  WilsonHoppingPtr links_;  // of 18 reals in double: the true-residual operator's
  std::unique_ptr<WilsonOperator> residual_operator_;
};

// Whether the attempt's inner operator is kept in temporal gauge: has_temporal_gauge(), and the links, in
// double, are of SU(3) to 1e-6. Collective.
bool goes_to_temporal_gauge(const DiracMatrix& matrix, const Field& links, const SolverSpec& attempt);

// In temporal gauge, with the conversion to it. `links`: as above, in double and unitary. Collective.
std::shared_ptr<DiracOperator> make_in_temporal_gauge(const DiracMatrix& matrix, const Field& links,
                                                      const LinkStorage& storage);

// The clover field of that matrix; null without a clover term. Collective.
std::shared_ptr<CloverField> make_clover_field(const ProcessGrid& grid, const Field& gauge,
                                               const WilsonParameters& parameters, const Queue& queue,
                                               std::shared_ptr<Transport> transport);

WilsonHoppingPtr make_hopping(const DiracMatrix& matrix, const Field& gauge, const LinkStorage& storage);
CloverNeed clover_need(Preconditioning preconditioning);

}  // namespace plaq::jobs
