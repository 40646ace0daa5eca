#include "jobs/dirac/staggered_action.hpp"

namespace plaq::jobs {
namespace {

const LinkStorage exact(Precision::double_precision, 18);

std::shared_ptr<DiracOperator> make_operator(const DiracMatrix& m, StaggeredHoppingPtr hopping) {
  const LinkStorage storage = hopping->storage();
  if (m.preconditioning == Preconditioning::none)
    return std::make_shared<DiracOperator>(storage, std::make_unique<StaggeredOperator>(std::move(hopping)));
  return std::make_shared<DiracOperator>(
      storage, std::make_unique<StaggeredSchur>(std::move(hopping), schur_parity, m.batch));
}

}  // namespace

StaggeredAction::StaggeredAction(const DiracMatrix& matrix, const StaggeredParameters& parameters,
                                 const Field& gauge)
    : matrix_(matrix),
      parameters_(parameters),
      gauge_(gauge.geometry_ptr(), gauge_spec(Precision::double_precision, matrix.queue.location())) {
  copy(gauge_, gauge);
  make_residual_operator();
}

StaggeredAction::StaggeredAction(const DiracMatrix& matrix, const AsqtadParameters& parameters,
                                 const Field& gauge)
    : matrix_(matrix), parameters_(parameters.staggered) {
  const AsqtadCoefficients coefficients = asqtad_coefficients(parameters.u0);
  parameters_.naik = coefficients.naik;
  asqtad_ = asqtad_links(*matrix.grid, gauge, coefficients, Precision::double_precision, matrix.queue,
                         matrix.transport);
  make_residual_operator();
}

void StaggeredAction::make_residual_operator() {
  exact_ = make_hopping(exact, false);
  residual_operator_ = std::make_unique<StaggeredOperator>(exact_);
}

StaggeredHoppingPtr StaggeredAction::make_hopping(const LinkStorage& storage, bool short_faces) const {
  const auto& m = matrix_;
  auto hopping = asqtad_
                     ? std::make_shared<StaggeredHopping>(*m.grid, asqtad_->fat, asqtad_->three, parameters_,
                                                          storage, m.queue, m.transport, 1 - schur_parity)
                     : std::make_shared<StaggeredHopping>(*m.grid, gauge_, parameters_, storage, m.queue,
                                                          m.transport, 1 - schur_parity);
  hopping->set_short_faces(short_faces);
  return hopping;
}

std::shared_ptr<DiracOperator> StaggeredAction::outer(const LinkStorage& storage) {
  return make_operator(matrix_, storage == exact ? exact_ : make_hopping(storage, false));
}

std::shared_ptr<DiracOperator> StaggeredAction::inner(const SolverSpec& attempt) {
  return make_operator(matrix_, make_hopping(iterated_storage(attempt), has_short_halo(attempt)));
}

}  // namespace plaq::jobs
