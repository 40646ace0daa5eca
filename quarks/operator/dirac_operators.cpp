#include "quarks/operator/dirac_operators.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq {
namespace {

// Deviation from SU(3) of links that temporal gauge is fixed with: single precision files have less.
constexpr double largest_violation = 1e-6;

}  // namespace

StoredOperator::StoredOperator(const LinkStorage& storage, HoppingTerm& term, Preconditioning preconditioning,
                               int batch, VectorConversion conversion)
    : storage_(storage), conversion_(std::move(conversion)) {
  if (preconditioning == Preconditioning::none)
    full_ = term.full(batch);
  else
    schur_ = term.even_odd(preconditioning, batch);
}

DiracOperators::DiracOperators(const FermionLinks& links, const ActionPtr& action,
                               Preconditioning preconditioning, int batch,
                               std::shared_ptr<CloverField> clover)
    : action_(action), preconditioning_(preconditioning), batch_(batch), shares_clover_(clover != nullptr) {
  if (action_->needs_bounds()) {
    measured_bounds_ = action_->measure_bounds(links);
    action_ = action_->within(*measured_bounds_);
  }
  matrix_ = action_->on(links, shares_clover_ ? std::move(clover) : action_->clover_field(links));
  action_->tell();
  high_precision_ = matrix_->hopping(high_precision_storage);
  matrix_->own_links(*high_precision_);
  residual_operator_ = high_precision_->full(batch_);
}

std::shared_ptr<StoredOperator> DiracOperators::made(HoppingTerm& term, const LinkStorage& storage,
                                                     VectorConversion conversion) const {
  return std::make_shared<StoredOperator>(storage, term, preconditioning_, batch_, std::move(conversion));
}

std::shared_ptr<StoredOperator> DiracOperators::outer(const LinkStorage& storage) {
  return made(storage == high_precision_storage ? *high_precision_ : *matrix_->hopping(storage), storage);
}

std::shared_ptr<StoredOperator> DiracOperators::inner(const SolverSettings& attempt) {
  if (goes_to_temporal_gauge(attempt))
    return in_temporal_gauge(inner_storage(attempt), has_short_halo(attempt));
  const auto term = matrix_->hopping(iterated_storage(attempt));
  term->set_short_faces(has_short_halo(attempt));
  return made(*term, iterated_storage(attempt));
}

std::shared_ptr<StoredOperator> DiracOperators::in_temporal_gauge(const LinkStorage& storage,
                                                                  bool short_faces) {
  FermionLinks links = matrix_->links();
  TemporalGauge fixed =
      make_temporal_gauge(*links.grid, links.gauge, links.queue, links.transport, links.clover_links);
  links.gauge = fixed.links;
  links.clover_links = std::move(fixed.others);
  const auto matrix = action_->on(links, action_->clover_field(links));
  DryRun* dry = DryRun::current();
  if (dry != nullptr) dry->assume_unit_time_links(true);
  const auto term = matrix->hopping(storage);
  if (dry != nullptr) dry->assume_unit_time_links(false);
  term->set_short_faces(short_faces);
  return made(*term, storage, VectorConversion(std::make_shared<const Field>(std::move(fixed.g))));
}

bool DiracOperators::goes_to_temporal_gauge(const SolverSettings& attempt) const {
  if (!action_->has_temporal_gauge() || !has_temporal_gauge(attempt)) return false;
  if (DryRun* dry = DryRun::current()) {
    dry->note(fmt::format("Links are assumed to be {}in SU(3) to rounding, as temporal gauge needs it.",
                          dry->assumptions().temporal_gauge ? "" : "not "));
    if (!dry->assumptions().temporal_gauge) return false;
  }
  const FermionLinks& links = matrix_->links();
  return unitarity_violation(*links.grid, links.gauge, links.queue) <= largest_violation;
}

}  // namespace plaq
