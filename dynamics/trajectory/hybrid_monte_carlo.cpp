#include "dynamics/trajectory/hybrid_monte_carlo.hpp"

#include <algorithm>
#include <cmath>

#include "core/algebra/random.hpp"
#include "core/system/performance_region.hpp"
#include "dynamics/md_failure.hpp"
#include "dynamics/trajectory_clock.hpp"
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

// A trajectory, as far as it has come.
struct HybridMonteCarlo::Course {
  Field start_links;
  TrajectoryClock clock;
  TrajectoryReport report = {};
  bool back = false;                         // on its way back
  std::size_t done = 0;                      // updates of this way
  std::vector<double> start = {}, end = {};  // parts of H
  Field end_links = {};                      // of the way forward, on the way back
};

std::vector<double> HybridMonteCarlo::energies(const PhaseSpace& space) {
  const TimedPart part(TrajectoryPart::metropolis);
  std::vector<double> parts{space.kinetic_energy()};
  for (Monomial* monomial : dynamics_.monomials()) {
    const RegionLabel label(monomial->name());
    parts.push_back(monomial->value(space.links()));
  }
  return parts;
}

// Iterations of the way back are not counted.
void HybridMonteCarlo::add_iterations(Course& course) {
  const auto monomials = dynamics_.monomials();
  course.report.iterations.resize(monomials.size(), 0);
  for (std::size_t k = 0; k < monomials.size(); ++k) {
    const std::int64_t iterations = monomials[k]->take_iterations();
    if (!course.back) course.report.iterations[k] += iterations;
  }
}

TrajectoryReport HybridMonteCarlo::trajectory(PhaseSpace& space, std::uint32_t number,
                                              const TrajectoryOptions& options) {
  Course course{copy_of(space.links()), {space.lattice().queue, dynamics_.monomials().size()}};
  TrajectoryReport& report = course.report;
  report.number = number;
  try {
    run(course, space, options);
  } catch (const MdFailure& failure) {
    report.failure = failure.what();
    report.accepted = false;
  } catch (...) {
    space.set_links(course.start_links);
    throw;
  }
  add_iterations(course);
  if (report.accepted)
    space.reunitarize();
  else
    space.set_links(course.start_links);
  report.seconds += course.clock.take();
  return report;
}

void HybridMonteCarlo::run(Course& course, PhaseSpace& space, const TrajectoryOptions& options) {
  {
    const TimedPart part(TrajectoryPart::metropolis);
    space.draw_momenta(seed_, course.report.number);
    for (Monomial* monomial : dynamics_.monomials()) {
      const RegionLabel label(monomial->name());
      monomial->draw(space.links(), seed_, course.report.number);
    }
  }
  dynamics_.take_forces();
  if (options.from != nullptr)
    go_on_from(*options.from, course, space);
  else
    course.start = energies(space);
  if (!course.back) go_forward(course, space, options);
  judge(course, options);
  if (options.check_reversibility) go_back(course, space, options);
}

void HybridMonteCarlo::go_forward(Course& course, PhaseSpace& space, const TrajectoryOptions& options) {
  integrate(course, space, options);
  course.report.predicted_delta_h = dynamics_.predicted_delta_h();
  course.end = energies(space);
  course.report.forces = dynamics_.take_forces();
  add_iterations(course);
}

// Integrates once more with reversed momenta.
void HybridMonteCarlo::go_back(Course& course, PhaseSpace& space, const TrajectoryOptions& options) {
  const TimedPart part(TrajectoryPart::reversibility);
  if (!course.back) {
    course.end_links = copy_of(space.links());
    course.back = true;
    course.done = 0;
    space.reverse();
  }
  integrate(course, space, options);
  const double energy = std::abs(difference(energies(space), course.start));
  dynamics_.take_forces();
  const double links =
      largest_link_distance(*space.lattice().grid, space.links(), course.start_links, space.lattice().queue);
  course.report.reversibility = {links, energy};
  space.set_links(course.end_links);
}

void HybridMonteCarlo::integrate(Course& course, PhaseSpace& space, const TrajectoryOptions& options) {
  const auto& updates = dynamics_.updates();
  const std::size_t ways = options.check_reversibility ? 2 : 1;
  dynamics_.integrate(space, course.done, [&](std::size_t update) {
    if (options.at_place && update > 0 && updates[update - 1].kind == MdUpdate::Kind::drift) {
      course.done = update;
      const TimedPart part(TrajectoryPart::checkpoint);
      options.at_place(
          {update + (course.back ? updates.size() : 0), ways * updates.size(), course.start_links, [&] {
             add_iterations(course);
             course.report.seconds += course.clock.take();
             StateArchive archive;
             visit(archive, course, space);
             return archive.take();
           }});
    }
    if (options.before && !course.back) options.before(update);
  });
}

void HybridMonteCarlo::judge(Course& course, const TrajectoryOptions& options) {
  TrajectoryReport& report = course.report;
  report.energies.push_back({"kinetic", course.start[0], course.end[0]});
  const auto monomials = dynamics_.monomials();
  for (std::size_t k = 0; k < monomials.size(); ++k)
    report.energies.push_back({monomials[k]->name(), course.start[k + 1], course.end[k + 1]});
  report.delta_h = difference(course.end, course.start);
  const bool stable = std::isfinite(report.delta_h) && report.delta_h < unstable_delta_h;
  report.acceptance = stable ? std::min(1.0, std::exp(-report.delta_h)) : 0;
  const RandomStream stream{seed_, 0, report.number, Purpose::metropolis};
  report.accepted = stable && (options.always_accept || stream.draw(0).uniform(0) < report.acceptance);
}

// All that a trajectory needs of its updates so far, beside pseudofermions.
void HybridMonteCarlo::visit(StateArchive& archive, Course& course, PhaseSpace& space) {
  TrajectoryReport& report = course.report;
  archive(course.back);
  archive(course.done);
  archive(course.start);
  archive(course.end);
  archive(report.iterations);
  plaq::visit(archive, report.seconds);
  archive(report.predicted_delta_h);
  if (course.back) {
    if (archive.restores()) report.forces = dynamics_.take_forces();
    for (ForceRecord& record : report.forces) plaq::visit(archive, record);
  }
  dynamics_.remember(archive);
  for (Monomial* monomial : dynamics_.monomials()) monomial->remember(archive);
  Field links = space.links(), momenta = space.momenta();
  archive.field(links);
  archive.field(momenta);
  if (course.back) archive.field(course.end_links);
  if (!archive.restores()) return;
  space.set_links(links);
  space.set_momenta(momenta);
}

void HybridMonteCarlo::go_on_from(const State& state, Course& course, PhaseSpace& space) {
  add_iterations(course);  // of the draws, which were counted before
  StateArchive archive(state);
  visit(archive, course, space);
  archive.expect_end();
  const std::size_t terms = dynamics_.monomials().size(), updates = dynamics_.updates().size();
  archive.expect(course.done > 0 && course.done < updates && course.start.size() == terms + 1 &&
                 course.report.iterations.size() == terms && course.report.seconds.forces.size() == terms &&
                 course.report.seconds.solves.size() == terms &&
                 course.end.size() == (course.back ? terms + 1 : 0));
}

}  // namespace plaq
