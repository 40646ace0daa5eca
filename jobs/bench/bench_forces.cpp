// Kernels of molecular dynamics: momenta, drifts, forces of gauge actions and of Wilson, clover, staggered
// and domain-wall quarks, and the chain rules of stout smearing and of HISQ links. Bytes: each field read and
// written once; of HISQ links, by each kernel.
#include <cmath>
#include <functional>

#include "comms/halo/extended_halo.hpp"
#include "core/system/error.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/dirac/force/staggered_force.hpp"
#include "kernels/dirac/force/wilson_force.hpp"
#include "kernels/gauge/algebra_field.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/hisq_smearer.hpp"
#include "kernels/gauge/momenta.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/stout_smearer.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {
namespace {

constexpr double links_a_site = 4 * 18, algebra_a_site = 4 * 8, spinor = 24, color_vector = 6,
                 planes_a_site = 6 * 12;  // reals

// dS/de along random momenta is 2 <P, F> to second order of a small step.
void expect_force(const Bench& bench, const Field& links, const Field& momenta, const Field& force,
                  const Queue& queue, const std::function<double(const Field&)>& action) {
  const ProcessGrid& grid = bench.grid();
  Field sum(momenta.geometry_ptr(), momenta.spec());
  copy(sum, momenta);
  kick(sum, force, -1, queue);
  const double predicted = kinetic_energy(grid, sum, queue) - kinetic_energy(grid, momenta, queue) -
                           kinetic_energy(grid, force, queue);
  ExtendedHalo halo(grid, links.geometry_ptr(), links.spec(), bench.transport());
  const auto moved = [&](double e) {
    Field there(links.geometry_ptr(), links.spec());
    copy(there, links);
    drift(there, momenta, e, queue);
    halo.exchange(there, queue);
    return action(there);
  };
  const double e = 1e-3, found = (moved(e) - moved(-e)) / (2 * e);
  const double size = std::sqrt(kinetic_energy(grid, force, queue) * kinetic_energy(grid, momenta, queue));
  if (!(std::abs(found - predicted) < 1e-5 * size))
    throw Error(ErrorKind::internal, "the force is " + std::to_string(predicted) +
                                         " along momenta, the action changes by " + std::to_string(found));
}

// The chain rule of HISQ links. Kernels of a direction read and write 66 matrices a site for each of two
// levels (kernels/site/fat_link_gradient.hpp), the others together 64: sums of gradients, their adjoints,
// long links, unitary factors, and the force. Some 400 products of matrices a link are the other limit. The
// check is on smooth links, where the filter does not act, for the sum of Re tr F and Re tr N.
void bench_hisq_force(Bench& bench) {
  if (!bench.wants("hisq_force")) return;  // it takes much memory
  constexpr auto wide = Precision::double_precision;
  const ProcessGrid& grid = bench.grid();
  const auto geometry = bench.geometry(), extended = geometry->extended(HisqSmearer::halo_depth);
  const Queue queue = bench.plain_queue();
  Field links(extended, gauge_spec(wide, bench.location())), unit(geometry, links.spec());
  Field momenta(extended, algebra_spec(wide, bench.location())), force(extended, momenta.spec());
  cold_start(unit, queue);
  cold_start(links, queue);
  draw_momenta(momenta, 1, 1, queue);
  drift(links, momenta, 0.1, queue);
  ExtendedHalo(grid, extended, links.spec(), bench.transport()).exchange(links, queue);
  HisqSmearer hisq(grid, extended, geometry, {0}, HisqSmearer::usual_filter, queue, bench.transport());
  hisq.smear(links);
  queue.synchronize();
  copy(hisq.fat_gradient(0), unit);
  copy(hisq.three_gradient(), unit);
  hisq.carry_back(force, links);
  expect_force(bench, links, momenta, force, queue, [&](const Field& there) {
    hisq.smear(there);
    const double sum =
        average_link_trace(grid, hisq.fat(0), queue) + average_link_trace(grid, hisq.three(), queue);
    return 12 * static_cast<double>(geometry->global_volume()) * sum;
  });
  constexpr double reals = 18 * (2 * 4 * 66 + 64) + 2 * algebra_a_site;
  bench.add_timed("hisq_force", wide, 1, reals * sizeof(double) * bench.local_sites(), "derivative", queue,
                  [&](const Queue&) {
                    hisq.fat_gradient(0);
                    hisq.three_gradient();
                    hisq.carry_back(force, links);
                  });
}

// Hops of slices of domain walls, and of the poles of a rational function of staggered quarks: as many pairs,
// or vectors, in one pass over the links as forces of jobs have.
void bench_batches(Bench& bench, Field& force, const Field& links) {
  constexpr auto wide = Precision::double_precision;
  const ProcessGrid& grid = bench.grid();
  const auto geometry = bench.geometry();
  const Queue queue = bench.plain_queue();
  const auto add = [&](const char* name, double reals_of_vectors, const auto& apply) {
    const double reals = reals_of_vectors + links_a_site + 2 * algebra_a_site;
    bench.add_timed(name, wide, 1, reals * sizeof(double) * bench.local_sites(), "none here", queue, apply);
  };
  if (bench.wants("domain_wall_force")) {
    constexpr int slices = 12;
    const Field x = random_spinor(geometry, Subset::full, slices, wide, bench.location(), 5),
                y = random_spinor(geometry, Subset::full, slices, wide, bench.location(), 6);
    WilsonParameters wilson;
    wilson.mass = -1.8;
    WilsonForce walls(grid, links.geometry_ptr(), wilson, queue, bench.transport(), slices);
    add("domain_wall_force", slices * 2 * spinor, [&](const Queue&) {
      walls.begin(force);
      walls.add_pair(force, links, x, y, 1);
      walls.finish(force, links);
    });
  }
  if (bench.wants("staggered_force")) {
    constexpr int poles = 12;
    const Field z = random_vectors(geometry, staggered_spec(Subset::full, poles, wide, bench.location()), 7);
    StaggeredForce staggered(grid, links.geometry_ptr(), {1, 1, 1, -1}, queue, bench.transport(), poles);
    add("staggered_force", poles * color_vector, [&](const Queue&) {
      staggered.begin(force);
      staggered.add(force, links, z, 1);
      staggered.finish(force, links);
    });
  }
}

}  // namespace

void bench_forces(Bench& bench, std::string_view) {
  constexpr auto wide = Precision::double_precision;
  const ProcessGrid& grid = bench.grid();
  const auto geometry = bench.geometry(), extended = geometry->extended(2);
  const Queue queue = bench.plain_queue();
  const Field plain = random_gauge(geometry, 21);
  Field links(extended, gauge_spec(wide, bench.location()));
  copy(links, plain);
  ExtendedHalo(grid, extended, links.spec(), bench.transport()).exchange(links, queue);
  Field momenta(extended, algebra_spec(wide, bench.location())), force(extended, momenta.spec());
  const auto add = [&](const char* name, double reals, const char* check, const auto& apply) {
    bench.add_timed(name, wide, 1, reals * sizeof(double) * bench.local_sites(), check, queue, apply);
  };
  draw_momenta(momenta, 1, 1, queue);
  add("draw_momenta", algebra_a_site, "none here", [&](const Queue& q) { draw_momenta(momenta, 1, 1, q); });
  for (const auto& [name, weights] :
       {std::pair{"gauge_force_wilson", wilson_gauge_action(6)},
        {"gauge_force_symanzik", rectangle_gauge_action(4, symanzik_c1)},
        {"gauge_force_luscher_weisz", luscher_weisz_gauge_action(6, 0.87, 2)}}) {
    gauge_force(force, links, weights, queue);
    expect_force(bench, links, momenta, force, queue,
                 [&](const Field& there) { return gauge_action(grid, there, weights, queue); });
    add(name, links_a_site + algebra_a_site, "derivative",
        [&](const Queue& q) { gauge_force(force, links, weights, q); });
  }
  add("kick", 3 * algebra_a_site, "none here", [&](const Queue& q) { kick(momenta, force, 1e-3, q); });
  draw_momenta(momenta, 1, 1, queue);  // the kicks that were timed would make the steps of checks long
  add("kinetic_energy", algebra_a_site, "none here",
      [&](const Queue& q) { kinetic_energy(grid, momenta, q); });
  WilsonParameters quarks;
  quarks.mass = 0.1;
  quarks.clover = {1, 1};
  const Field x = random_spinor(geometry, Subset::full, 1, wide, bench.location(), 5),
              y = random_spinor(geometry, Subset::full, 1, wide, bench.location(), 6);
  WilsonParameters wilson = quarks;
  wilson.clover = {};
  WilsonForce hops(grid, extended, wilson, queue, bench.transport());
  WilsonForce clover(grid, extended, quarks, queue, bench.transport());
  // Copies of the pair into fields with a halo included.
  add("hop_force", 2 * spinor + links_a_site + 2 * algebra_a_site, "none here", [&](const Queue&) {
    hops.begin(force);
    hops.add_pair(force, links, x, y, 1);
  });
  clover.begin(force);
  clover.add_pair(force, links, x, y, 1);
  add("leaf_force", planes_a_site + links_a_site + 2 * algebra_a_site, "none here",
      [&](const Queue&) { clover.finish(force, links); });
  // The gauge force on links after a step of smearing, carried back.
  StoutSmearer stout(grid, extended, {0.1, false}, queue, bench.transport());
  Field smeared(extended, links.spec());
  const LoopWeights wilson_gauge = wilson_gauge_action(6);
  stout.smear(smeared, links);
  gauge_force(force, smeared, wilson_gauge, queue);
  stout.carry_back(force, links);
  expect_force(bench, links, momenta, force, queue, [&](const Field& there) {
    stout.smear(smeared, there);
    return gauge_action(grid, smeared, wilson_gauge, queue);
  });
  add("stout_step", 2 * links_a_site, "derivative", [&](const Queue&) { stout.smear(smeared, links); });
  add("stout_force", 2 * links_a_site + 6 * algebra_a_site, "derivative",
      [&](const Queue&) { stout.carry_back(force, links); });
  Field moving(extended, links.spec());
  copy(moving, links);
  add("drift", 2 * links_a_site + algebra_a_site, "none here",
      [&](const Queue& q) { drift(moving, momenta, 1e-3, q); });
  bench_batches(bench, force, links);
  bench_hisq_force(bench);
}

}  // namespace plaq::jobs
