#include "dynamics/quark/staggered_quark.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "dynamics/quark/hisq_chain.hpp"
#include "dynamics/trajectory_clock.hpp"
#include "io/state/state_archive.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "kernels/gauge/hisq_links.hpp"
#include "solvers/eigen/lanczos.hpp"
#include "solvers/normal_operator.hpp"

namespace plaq {
namespace {

constexpr double assumed_highest = 5;  // eigenvalue of -D_eo D_oe/4, by dry runs; 4 for free quarks

}  // namespace

struct StaggeredQuark::Stored {
  StaggeredSchur a;
  ShiftedOperator shifted;

  Stored(const StaggeredHoppingPtr& hopping, int batch) : a(hopping, 0, batch), shifted(a, 0, batch) {}
};

StaggeredQuark::~StaggeredQuark() = default;

StaggeredQuark::StaggeredQuark(const SharedLattice& lattice, const StaggeredParameters& parameters,
                               const MdSolverSettings& settings, QuarkLinks links)
    : SeaQuark(lattice, settings), parameters_(parameters), links_(std::move(links)) {
  require(parameters.naik == 0, "forces of staggered quarks with long links");
  require(!settings.multigrid && !links_.thin_clover, "settings of Wilson quarks for staggered ones");
  require(!links_.hisq || !links_.smeared, "smeared links of HISQ quarks, which smear links themselves");
  if (links_.hisq) parameters_.naik = hisq_coefficients(links_.epsilon).naik;
  if (!(parameters.mass > 0))
    throw Error(ErrorKind::job_file,
                fmt::format("mass {} of staggered sea quarks: it must be positive", parameters.mass));
  if (!links_.copies) links_.copies = std::make_shared<LinkCopies>(lattice);
}

std::string StaggeredQuark::mass_text() const { return fmt::format("m = {:.8g}", parameters_.mass); }

FieldSpec StaggeredQuark::vector_spec(int batch) const {
  return staggered_spec(Subset::even, batch, wide, lattice_.location());
}

int StaggeredQuark::halo_depth() const { return links_.hisq ? std::max(HisqChain::halo_depth, 3) : 1; }

void StaggeredQuark::update(const Field& links) {
  if (links_.hisq) links_.hisq->update(links);  // others may have taken other links in between
  if (!hoppings_.empty() && links_version_.is_of(links)) return;
  try {
    make_operators(links);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    throw MdFailure(error.what());
  }
  links_version_ = VersionOf(links);
}

void StaggeredQuark::remember(StateArchive& archive) {
  if (links_.hisq && archive.is_new(this)) archive(filtered_);
}

void StaggeredQuark::make_operators(const Field& links) {
  const TimedPart part(TrajectoryPart::links);
  const ScopedRange range("quark_operators");
  lattice_.queue.synchronize();
  forget_solvers();  // before their successors take memory
  stored_.clear();
  hoppings_.clear();
  if (!links_.hisq) links_.copies->take(links, links_.of_hops(links), false);
  std::set<Precision> all{wide, first_precision()};
  if (first_precision() != wide) all.insert(Precision::single_precision);  // of multi-shift iterations
  for (const Precision precision : all) hoppings_[precision] = make_hopping(precision);
}

// Links of SU(3) have 12 reals where they are not exact. Long links of HISQ are of U(3).
StaggeredHoppingPtr StaggeredQuark::make_hopping(Precision precision) const {
  if (links_.hisq)
    return std::make_shared<StaggeredHopping>(*lattice_.grid, links_.hisq->fat(links_.epsilon),
                                              links_.hisq->naik(), parameters_, LinkStorage(precision, 18),
                                              lattice_.queue, lattice_.transport);
  return std::make_shared<StaggeredHopping>(*lattice_.grid, links_.copies->hops(), parameters_,
                                            LinkStorage(precision, precision == wide ? 18 : 12),
                                            lattice_.queue, lattice_.transport);
}

StaggeredQuark::Stored& StaggeredQuark::in(Precision precision, int batch) {
  auto& made = stored_[{precision, batch}];
  if (!made) made = std::make_unique<Stored>(hoppings_.at(precision), batch);
  return *made;
}

LinearOperator& StaggeredQuark::operator_in(Precision precision, int batch) { return in(precision, batch).a; }

LinearOperator& StaggeredQuark::shifted_in(Precision precision, const std::vector<double>& shifts) {
  ShiftedOperator& shifted = in(precision, static_cast<int>(shifts.size())).shifted;
  shifted.set_shifts(shifts);
  return shifted;
}

std::int64_t StaggeredQuark::solve_shifts(std::vector<Field>& x, const Field& b,
                                          const std::vector<double>& shifts, double tolerance) {
  const TimedPart part(TrajectoryPart::solves);
  return solve_shifts_by_cg(x, b, shifts, tolerance);
}

SpectralRange StaggeredQuark::spectral_range() {
  Field start = vector();
  draw_pseudofermion(start, 1, 0, 255, lattice_.queue);
  constexpr int basis = 32;
  Lanczos lanczos(operator_in(wide, 1), *lattice_.grid, basis);
  LanczosParameters parameters;
  parameters.end = SpectrumEnd::highest;
  parameters.tolerance = 0;
  parameters.relative_tolerance = 1e-3;
  const LanczosReport found = lanczos.run(start, parameters);
  if (!found.converged())
    throw MdFailure(
        fmt::format("the largest eigenvalue of {} for {} was not found", operator_text(), mass_text()));
  return {least_eigenvalue(),
          by_data(found.values[0] + found.bounds[0], least_eigenvalue() + assumed_highest)};
}

void StaggeredQuark::begin_force(Field& force, int batch) {
  if (!force_kernels_ || force_kernels_->batch() < batch)
    force_kernels_ =
        std::make_unique<StaggeredForce>(*lattice_.grid, force.geometry_ptr(), parameters_.boundary,
                                         lattice_.queue, lattice_.transport, batch);
  if (!links_.hisq) return force_kernels_->begin(force);
  lattice_.queue.zero_async(force.data(0, 0), force.bytes());
  links_.hisq->begin_force();
  force_kernels_->begin_gradients();
}

StaggeredForce::Gradients StaggeredQuark::gradients() const {
  return {links_.hisq->fat_gradient(links_.epsilon), links_.hisq->naik_gradient(), parameters_.naik};
}

// -k x^dagger dA x = (k/2) Re x^dagger dD_eo D_oe x, since D_eo^dagger = -D_oe.
void StaggeredQuark::add_pole_force(Field& force, const Field& links, const Field& x, double k) {
  const int batch = x.subfields();
  if (!z_ || z_.subfields() != batch)
    z_ = Field(lattice_.geometry, staggered_spec(Subset::full, batch, wide, lattice_.location()));
  copy_parity(z_, x, 0, lattice_.queue);
  hoppings_.at(wide)->apply(z_, x, 1, false, ActiveSet(batch));
  if (links_.hisq)
    force_kernels_->add_gradients(gradients(), z_, k);
  else
    force_kernels_->add(force, links_.of_hops(links), z_, k);
}

void StaggeredQuark::finish_force(Field& force, const Field& links) {
  if (links_.hisq) {
    force_kernels_->finish_gradients(gradients());
    links_.hisq->finish_force(force, links);
    filtered_ += links_.hisq->take_filtered();
    return;
  }
  force_kernels_->finish(force, links_.of_hops(links));
  if (links_.smeared) links_.smeared->carry_back(force, links);
}

}  // namespace plaq
