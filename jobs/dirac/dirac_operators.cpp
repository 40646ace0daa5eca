#include "jobs/dirac/dirac_operators.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq::jobs {
namespace {

// Of links that temporal gauge is fixed with: single precision files have less.
constexpr double largest_violation = 1e-6;

}  // namespace

DiracOperator::DiracOperator(const LinkStorage& storage, HoppingTerm& term, Preconditioning preconditioning,
                             int batch, VectorConversion conversion)
    : storage_(storage), conversion_(std::move(conversion)) {
  if (preconditioning == Preconditioning::none)
    full_ = term.full(batch);
  else
    schur_ = term.even_odd(preconditioning, batch);
}

DiracOperators::DiracOperators(const Background& links, const ActionParameters& parameters,
                               Preconditioning preconditioning, int batch,
                               std::shared_ptr<CloverField> clover)
    : parameters_(parameters),
      preconditioning_(preconditioning),
      batch_(batch),
      shares_clover_(clover != nullptr) {
  if (parameters_->needs_bounds()) {
    measured_bounds_ = parameters_->measure_bounds(links);
    parameters_ = parameters_->within(*measured_bounds_);
  }
  matrix_ = parameters_->on(links, shares_clover_ ? std::move(clover) : parameters_->clover_field(links));
  parameters_->tell();
  exact_ = matrix_->hopping(exact_storage);
  matrix_->own_links(*exact_);
  residual_operator_ = exact_->full(batch_);
}

std::shared_ptr<DiracOperator> DiracOperators::made(HoppingTerm& term, const LinkStorage& storage,
                                                    VectorConversion conversion) const {
  return std::make_shared<DiracOperator>(storage, term, preconditioning_, batch_, std::move(conversion));
}

std::shared_ptr<DiracOperator> DiracOperators::outer(const LinkStorage& storage) {
  return made(storage == exact_storage ? *exact_ : *matrix_->hopping(storage), storage);
}

std::shared_ptr<DiracOperator> DiracOperators::inner(const SolverSpec& attempt) {
  if (goes_to_temporal_gauge(attempt)) return in_temporal_gauge(attempt.inner, has_short_halo(attempt));
  const auto term = matrix_->hopping(iterated_storage(attempt));
  term->set_short_faces(has_short_halo(attempt));
  return made(*term, iterated_storage(attempt));
}

std::shared_ptr<DiracOperator> DiracOperators::in_temporal_gauge(const LinkStorage& storage,
                                                                 bool short_faces) {
  Background links = matrix_->background();
  TemporalGauge fixed =
      make_temporal_gauge(*links.grid, links.gauge, links.queue, links.transport, links.clover_links);
  links.gauge = fixed.links;
  links.clover_links = std::move(fixed.others);
  const auto matrix = parameters_->on(links, parameters_->clover_field(links));
  DryRun* dry = DryRun::current();
  if (dry != nullptr) dry->assume_unit_time_links(true);
  const auto term = matrix->hopping(storage);
  if (dry != nullptr) dry->assume_unit_time_links(false);
  term->set_short_faces(short_faces);
  return made(*term, storage, VectorConversion(std::make_shared<const Field>(std::move(fixed.g))));
}

bool DiracOperators::goes_to_temporal_gauge(const SolverSpec& attempt) const {
  if (!parameters_->has_temporal_gauge() || !has_temporal_gauge(attempt)) return false;
  if (DryRun* dry = DryRun::current()) {
    dry->note(fmt::format("Links are assumed to be {}in SU(3) to rounding, as temporal gauge needs it.",
                          dry->assumptions().temporal_gauge ? "" : "not "));
    if (!dry->assumptions().temporal_gauge) return false;
  }
  const Background& links = matrix_->background();
  return unitarity_violation(*links.grid, links.gauge, links.queue) <= largest_violation;
}

}  // namespace plaq::jobs
