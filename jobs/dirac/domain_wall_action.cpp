#include "jobs/dirac/domain_wall_action.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "jobs/dirac/wilson_action.hpp"
#include "kernels/dirac/domain_wall/optimal_weights.hpp"
#include "kernels/gauge/temporal_gauge.hpp"
#include "kernels/quark/sources.hpp"
#include "solvers/eigen/singular_range.hpp"

namespace plaq::jobs {
namespace {

const LinkStorage exact(Precision::double_precision, 18);

std::shared_ptr<DiracOperator> make_operator(const DiracMatrix& m, const DomainWallParameters& parameters,
                                             WilsonHoppingPtr hopping,
                                             const VectorConversion& conversion = {}) {
  const LinkStorage storage = hopping->storage();
  if (m.preconditioning == Preconditioning::none)
    return std::make_shared<DiracOperator>(
        storage, std::make_unique<DomainWallOperator>(std::move(hopping), parameters, m.batch), conversion);
  return std::make_shared<DiracOperator>(
      storage, std::make_unique<DomainWallSchur>(std::move(hopping), parameters, schur_parity, m.batch),
      conversion);
}

// The weights where they do not wait for a gauge field, else those of any bounds: for what is the same with
// all.
WilsonParameters kernel_of(const DomainWallChoice& choice) {
  return choice.parameters(std::pair{0.1, 1.0}).wilson();
}

// How far from a sign function the weights are: what chiral symmetry they leave.
void tell_deviation(const DomainWallChoice& choice, const std::pair<double, double>& bounds) {
  constexpr double poor = 0.05;
  const double deviation = optimal_deviation(choice.n_s, bounds.first, bounds.second);
  const std::string text = fmt::format(
      "optimal weights for |H_w| within [{:g}, {:g}] and n_s = {}: the sign function is off by {:.2g} at "
      "most",
      bounds.first, bounds.second, choice.n_s, deviation);
  if (deviation > poor) {
    log::warning(text + "; a larger n_s is nearer");
  } else {
    log::info(text);
  }
}

}  // namespace

std::pair<double, double> measure_bounds(const ProcessGrid& grid, const Field& gauge,
                                         const DomainWallChoice& choice, const Queue& queue,
                                         std::shared_ptr<Transport> transport) {
  WilsonOperator d_w(
      std::make_shared<WilsonHopping>(grid, gauge, kernel_of(choice), exact, queue, std::move(transport)));
  Field start(d_w.geometry(), d_w.spec(1));
  random_source(start, Noise::z4, 1);
  const SingularRange range = singular_range(d_w, grid, start);
  if (!range.converged() || !(range.below > 0))
    throw Error(ErrorKind::not_converged,
                fmt::format("the spectral bounds of H_w were not found: the smallest {} ({:g} +- {:g}), the "
                            "largest {}; give them instead",
                            name_of(range.low.reason), range.smallest, range.smallest - range.below,
                            name_of(range.high.reason)));
  log::info(fmt::format("|H_w| is within [{:.8g}, {:.8g}], found by {} applications of D_w^dagger D_w",
                        range.below, range.above, range.low.applications + range.high.applications));
  return {range.below, range.above};
}

DomainWallAction::DomainWallAction(const DiracMatrix& matrix, const DomainWallChoice& choice,
                                   const Field& gauge)
    : matrix_(matrix) {
  if (choice.measures_bounds())
    measured_ = measure_bounds(*matrix.grid, gauge, choice, matrix.queue, matrix.transport);
  parameters_ = choice.parameters(measured_);
  if (choice.kind == WallKind::optimal) tell_deviation(choice, measured_ ? *measured_ : *choice.bounds);
  links_ = make_hopping(gauge, exact);
  residual_operator_ = std::make_unique<DomainWallOperator>(links_, parameters_, matrix.batch);
  quark_ = std::make_unique<DomainWallQuark>(links_, parameters_);
}

WilsonHoppingPtr DomainWallAction::make_hopping(const Field& links, const LinkStorage& storage) const {
  return make_domain_wall_hopping(*matrix_.grid, links, parameters_, storage, matrix_.queue,
                                  matrix_.transport, 1 - schur_parity);
}

std::shared_ptr<DiracOperator> DomainWallAction::outer(const LinkStorage& storage) {
  return make_operator(matrix_, parameters_,
                       storage == exact ? links_ : make_hopping(links_->links(), storage));
}

std::shared_ptr<DiracOperator> DomainWallAction::inner(const SolverSpec& attempt) {
  const Field& links = links_->links();
  WilsonHoppingPtr hopping;
  VectorConversion conversion;
  if (goes_to_temporal_gauge(matrix_, links, attempt)) {
    TemporalGauge fixed = make_temporal_gauge(*matrix_.grid, links, matrix_.queue, matrix_.transport);
    hopping = make_hopping(fixed.links, attempt.inner);
    conversion = VectorConversion(std::make_shared<const Field>(std::move(fixed.g)));
  } else {
    hopping = make_hopping(links, iterated_storage(attempt));
  }
  hopping->set_short_faces(has_short_halo(attempt));
  return make_operator(matrix_, parameters_, std::move(hopping), conversion);
}

FieldSpec DomainWallAction::quark_spec() const {
  return spinor_spec(Subset::full, matrix_.batch, Precision::double_precision, matrix_.queue.location());
}

void DomainWallAction::make_source(Field& b, const Field& quark_source) {
  quark_->make_source(b, quark_source);
}

void DomainWallAction::quark(Field& q, const Field& x) { quark_->quark(q, x); }

void DomainWallAction::mid_quark(Field& q, const Field& x) { quark_->mid_quark(q, x); }

}  // namespace plaq::jobs
