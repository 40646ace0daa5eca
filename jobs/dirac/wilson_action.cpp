#include "jobs/dirac/wilson_action.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq::jobs {
namespace {

const LinkStorage exact(Precision::double_precision, 18);
// Of links that temporal gauge is fixed with: single precision files have less.
constexpr double largest_violation = 1e-6;

}  // namespace

WilsonHoppingPtr make_hopping(const DiracMatrix& m, const Field& gauge, const LinkStorage& storage) {
  auto hopping = std::make_shared<WilsonHopping>(*m.grid, gauge, std::get<WilsonParameters>(m.parameters),
                                                 storage, m.queue, m.transport, 1 - schur_parity);
  hopping->set_short_faces(m.short_faces);
  return hopping;
}

CloverNeed clover_need(Preconditioning preconditioning) {
  switch (preconditioning) {
    case Preconditioning::even_odd:
      return CloverNeed::schur_symmetric;
    case Preconditioning::even_odd_asymmetric:
      return CloverNeed::schur_asymmetric;
    case Preconditioning::none:
      break;
  }
  return CloverNeed::operator_full;
}

std::shared_ptr<DiracOperator> make_wilson_operator(const DiracMatrix& m, const Field& gauge,
                                                    WilsonHoppingPtr hopping, CloverField* clover,
                                                    const VectorConversion& conversion) {
  auto blocks =
      make_clover_blocks(*m.grid, gauge, *hopping, clover_need(m.preconditioning), schur_parity, clover);
  const LinkStorage storage = hopping->storage();
  if (m.preconditioning == Preconditioning::none)
    return std::make_shared<DiracOperator>(
        storage, std::make_unique<WilsonOperator>(std::move(hopping), std::move(blocks)), conversion);
  const auto form = m.preconditioning == Preconditioning::even_odd ? WilsonSchur::Form::symmetric
                                                                   : WilsonSchur::Form::asymmetric;
  return std::make_shared<DiracOperator>(
      storage,
      std::make_unique<WilsonSchur>(std::move(hopping), schur_parity, form, m.batch, std::move(blocks)),
      conversion);
}

std::shared_ptr<CloverField> make_clover_field(const ProcessGrid& grid, const Field& gauge,
                                               const WilsonParameters& parameters, const Queue& queue,
                                               std::shared_ptr<Transport> transport) {
  if (!parameters.has_clover()) return nullptr;
  return std::make_shared<CloverField>(grid, gauge, parameters.diagonal(), parameters.clover, queue,
                                       std::move(transport));
}

bool goes_to_temporal_gauge(const DiracMatrix& matrix, const Field& links, const SolverSpec& attempt) {
  if (!has_temporal_gauge(attempt)) return false;
  if (DryRun* dry = DryRun::current()) {
    dry->note(fmt::format("Links are assumed to be {}in SU(3) to rounding, as temporal gauge needs it.",
                          dry->assumptions().temporal_gauge ? "" : "not "));
    if (!dry->assumptions().temporal_gauge) return false;
  }
  return unitarity_violation(*matrix.grid, links, matrix.queue) <= largest_violation;
}

std::shared_ptr<DiracOperator> make_in_temporal_gauge(const DiracMatrix& m, const Field& links,
                                                      const LinkStorage& storage) {
  TemporalGauge fixed = make_temporal_gauge(*m.grid, links, m.queue, m.transport);
  DryRun* dry = DryRun::current();
  if (dry != nullptr) dry->assume_unit_time_links(true);
  auto hopping = make_hopping(m, fixed.links, storage);
  if (dry != nullptr) dry->assume_unit_time_links(false);
  const auto clover =
      make_clover_field(*m.grid, fixed.links, std::get<WilsonParameters>(m.parameters), m.queue, m.transport);
  return make_wilson_operator(m, fixed.links, std::move(hopping), clover.get(),
                              VectorConversion(std::make_shared<const Field>(std::move(fixed.g))));
}

WilsonAction::WilsonAction(const DiracMatrix& matrix, const Field& gauge, std::shared_ptr<CloverField> clover)
    : matrix_(matrix), shared_(std::move(clover)) {
  const auto& parameters = std::get<WilsonParameters>(matrix.parameters);
  require(!shared_ || (shared_->diagonal() == parameters.diagonal() &&
                       shared_->coefficients().spatial == parameters.clover.spatial &&
                       shared_->coefficients().temporal == parameters.clover.temporal),
          "a clover field of other parameters than its solver's");
  plain_ =
      shared_ ? shared_ : make_clover_field(*matrix.grid, gauge, parameters, matrix.queue, matrix.transport);
  links_ = make_hopping(matrix_, gauge, exact);
  residual_operator_ = std::make_unique<WilsonOperator>(
      links_, make_clover_blocks(*matrix.grid, gauge, *links_, CloverNeed::operator_full, 0, plain_.get()));
}

std::shared_ptr<DiracOperator> WilsonAction::outer(const LinkStorage& storage) {
  const Field& links = links_->links();
  return make_wilson_operator(
      matrix_, links, storage == exact ? links_ : make_hopping(matrix_, links, storage), plain_.get());
}

std::shared_ptr<DiracOperator> WilsonAction::inner(const SolverSpec& attempt) {
  const Field& links = links_->links();
  DiracMatrix matrix = matrix_;
  matrix.short_faces = has_short_halo(attempt);
  if (goes_to_temporal_gauge(matrix_, links, attempt))
    return make_in_temporal_gauge(matrix, links, attempt.inner);
  return make_wilson_operator(matrix, links, make_hopping(matrix, links, iterated_storage(attempt)),
                              plain_.get());
}

}  // namespace plaq::jobs
