#include "dynamics/quark/staggered_quark.hpp"

#include <fmt/format.h>

#include "core/system/error.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "dynamics/trajectory_clock.hpp"
#include "kernels/dirac/force/pseudofermion.hpp"
#include "solvers/eigen/lanczos.hpp"

namespace plaq {
namespace {

constexpr auto staggered_precision = Precision::double_precision;
constexpr double assumed_highest = 5;  // eigenvalue of -D_eo D_oe/4, by dry runs; 4 for free quarks

}  // namespace

StaggeredQuark::StaggeredQuark(const SharedLattice& lattice, const StaggeredParameters& parameters,
                               const MdSolverSettings& settings, QuarkLinks links)
    : SeaQuark(lattice, settings), parameters_(parameters), links_(std::move(links)) {
  require(parameters.naik == 0, "forces of staggered quarks with long links");
  require(!settings.multigrid && !links_.thin_clover, "settings of Wilson quarks for staggered ones");
  if (!(parameters.mass > 0))
    throw Error(ErrorKind::job_file,
                fmt::format("mass {} of staggered sea quarks: it must be positive", parameters.mass));
  if (!links_.copies) links_.copies = std::make_shared<LinkCopies>(lattice);
}

std::string StaggeredQuark::mass_text() const { return fmt::format("m = {:.8g}", parameters_.mass); }

FieldSpec StaggeredQuark::vector_spec(int batch) const {
  return staggered_spec(Subset::even, batch, staggered_precision, lattice_.location());
}

void StaggeredQuark::update(const Field& links) {
  if (hopping_ && links_version_.is_of(links)) return;
  try {
    make_operators(links);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    throw MdFailure(error.what());
  }
  links_version_ = VersionOf(links);
}

void StaggeredQuark::make_operators(const Field& links) {
  const TimedPart part(TrajectoryPart::links);
  const ScopedRange range("quark_operators");
  lattice_.queue.synchronize();
  a_.clear();  // before their successors take memory
  hopping_.reset();
  links_.copies->take(links, links_.of_hops(links), false);
  hopping_ = std::make_shared<StaggeredHopping>(*lattice_.grid, links_.copies->hops(), parameters_,
                                                LinkStorage(staggered_precision, 18), lattice_.queue,
                                                lattice_.transport);
}

StaggeredSchur& StaggeredQuark::a(int batch) {
  auto& made = a_[batch];
  if (!made) made = std::make_unique<StaggeredSchur>(hopping_, 0, batch);
  return *made;
}

std::int64_t StaggeredQuark::solve_shifts(std::vector<Field>& x, const Field& b,
                                          const std::vector<double>& shifts, double tolerance) {
  const TimedPart part(TrajectoryPart::solves);
  return solve_at_once(a(b.subfields()), x, b, shifts, tolerance);
}

SpectralRange StaggeredQuark::spectral_range() {
  Field start = vector();
  draw_pseudofermion(start, 1, 0, 255, lattice_.queue);
  constexpr int basis = 32;
  Lanczos lanczos(a(1), *lattice_.grid, basis);
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
  force_kernels_->begin(force);
}

// -k x^dagger dA x = (k/2) Re x^dagger dD_eo D_oe x, since D_eo^dagger = -D_oe.
void StaggeredQuark::add_pole_force(Field& force, const Field& links, const Field& x, double k) {
  const int batch = x.subfields();
  if (!z_ || z_.subfields() != batch)
    z_ = Field(lattice_.geometry,
               staggered_spec(Subset::full, batch, staggered_precision, lattice_.location()));
  copy_parity(z_, x, 0, lattice_.queue);
  hopping_->apply(z_, x, 1, false, ActiveSet(batch));
  force_kernels_->add(force, links_.of_hops(links), z_, k);
}

void StaggeredQuark::finish_force(Field& force, const Field& links) {
  force_kernels_->finish(force, links_.of_hops(links));
  if (links_.smeared) links_.smeared->carry_back(force, links);
}

}  // namespace plaq
