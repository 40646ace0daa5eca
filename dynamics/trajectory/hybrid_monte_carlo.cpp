#include "dynamics/trajectory/hybrid_monte_carlo.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/random.hpp"
#include "core/system/performance_region.hpp"
#include "dynamics/md_failure.hpp"
#include "kernels/gauge/momenta.hpp"

namespace plaq {
namespace {

Field copy_of(const Field& field) {
  Field there(field.geometry_ptr(), field.spec());
  copy(there, field);
  return there;
}

// Parts in their order, so that the difference has the same bits everywhere.
double difference(const std::vector<double>& end, const std::vector<double>& start) {
  double sum = 0;
  for (std::size_t k = 0; k < end.size(); ++k) sum += end[k] - start[k];
  return sum;
}

}  // namespace

std::vector<double> HybridMonteCarlo::energies(const PhaseSpace& space) {
  std::vector<double> parts{space.kinetic_energy()};
  for (Monomial* monomial : dynamics_.monomials()) {
    const RegionLabel label(monomial->name());
    parts.push_back(monomial->value(space.links()));
  }
  return parts;
}

std::vector<std::int64_t> HybridMonteCarlo::take_iterations() {
  std::vector<std::int64_t> counts;
  for (Monomial* monomial : dynamics_.monomials()) counts.push_back(monomial->take_iterations());
  return counts;
}

TrajectoryReport HybridMonteCarlo::trajectory(PhaseSpace& space, std::uint32_t number,
                                              const TrajectoryOptions& options) {
  TrajectoryReport report;
  report.number = number;
  const Field old_links = copy_of(space.links());
  try {
    run(report, space, options);
  } catch (const MdFailure& failure) {
    report.failure = failure.what();
    report.accepted = false;
  } catch (...) {
    space.set_links(old_links);
    throw;
  }
  const auto later = take_iterations();
  if (report.iterations.empty()) report.iterations = later;
  if (report.accepted)
    space.reunitarize();
  else
    space.set_links(old_links);
  return report;
}

void HybridMonteCarlo::run(TrajectoryReport& report, PhaseSpace& space, const TrajectoryOptions& options) {
  const Field old_links = options.check_reversibility ? copy_of(space.links()) : Field();
  space.draw_momenta(seed_, report.number);
  for (Monomial* monomial : dynamics_.monomials()) {
    const RegionLabel label(monomial->name());
    monomial->draw(space.links(), seed_, report.number);
  }
  const auto start = energies(space);
  dynamics_.take_forces();
  dynamics_.integrate(space, 0, options.before);
  report.predicted_delta_h = dynamics_.predicted_delta_h();
  const auto end = energies(space);
  report.forces = dynamics_.take_forces();
  report.iterations = take_iterations();

  report.energies.push_back({"kinetic", start[0], end[0]});
  const auto monomials = dynamics_.monomials();
  for (std::size_t k = 0; k < monomials.size(); ++k)
    report.energies.push_back({monomials[k]->name(), start[k + 1], end[k + 1]});
  report.delta_h = difference(end, start);
  const bool stable = std::isfinite(report.delta_h) && report.delta_h < unstable_delta_h;
  report.acceptance = stable ? std::min(1.0, std::exp(-report.delta_h)) : 0;
  const RandomStream stream{seed_, 0, report.number, Purpose::metropolis};
  report.accepted = stable && (options.always_accept || stream.draw(0).uniform(0) < report.acceptance);

  if (options.check_reversibility) {
    const Field new_links = copy_of(space.links());
    report.reversibility = way_back(space, old_links, start);
    space.set_links(new_links);
  }
}

// Integrates once more with reversed momenta.
Reversibility HybridMonteCarlo::way_back(PhaseSpace& space, const Field& start,
                                         const std::vector<double>& energies_at_start) {
  space.reverse();
  dynamics_.integrate(space);
  const double energy = std::abs(difference(energies(space), energies_at_start));
  dynamics_.take_forces();
  return {largest_link_distance(*space.lattice().grid, space.links(), start, space.lattice().queue), energy};
}

}  // namespace plaq
