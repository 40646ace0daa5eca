// Kernels on gauge fields: smearing, flow, what is measured. Bytes: links read and written once.
#include "comms/halo/extended_halo.hpp"
#include "core/system/error.hpp"
#include "core/system/kept_memory.hpp"
#include "jobs/bench/targets.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/gauge/asqtad_links.hpp"
#include "kernels/gauge/gauge_action.hpp"
#include "kernels/gauge/gradient_flow.hpp"
#include "kernels/gauge/hisq_links.hpp"
#include "kernels/gauge/observables.hpp"
#include "kernels/gauge/smearing.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {
namespace {

constexpr double link = 18, algebra = 8;  // reals

// The distance of `links` from SU(3) is rounding.
void expect_unitarity(const Bench& bench, const Field& links, const Queue& queue, const char* what) {
  const double found = unitarity_violation(bench.grid(), links, queue);
  const double allowed = links.precision() == Precision::double_precision ? 1e-13 : 1e-5;
  if (!(found < allowed))
    throw Error(ErrorKind::internal, std::string(what) + " are off SU(3) by " + std::to_string(found));
}

void bench_in(Bench& bench, const Field& links, Precision precision) {
  const ProcessGrid& grid = bench.grid();
  const auto geometry = bench.geometry(), extended = geometry->extended(1);
  const Queue queue = bench.plain_queue();
  Field gauge(extended, gauge_spec(precision, bench.location()));
  copy(gauge, links);
  ExtendedHalo(grid, extended, gauge.spec(), bench.transport()).exchange(gauge, queue);
  LinkSmearer smearing(grid, gauge, bench.transport());
  GradientFlow flow(grid, gauge, bench.transport());
  // `reals`: fewest of a site that an application moves.
  const auto add = [&](const char* name, double reals, const auto& apply, const char* check = "unitarity") {
    bench.add_timed(name, precision, 1, reals * bytes_of(precision) * bench.local_sites(), check, queue,
                    apply);
  };
  add("plaquette", 4 * link, [&](const Queue& q) { average_plaquette(grid, gauge, q); });
  add("clover", 4 * link, [&](const Queue& q) { measure_clover(grid, gauge, q); });
  add("stout", 8 * link, [&](const Queue& q) { smearing.apply(gauge, StoutSmearing{0.05}, 1, q); });
  add("ape", 8 * link, [&](const Queue& q) { smearing.apply(gauge, ApeSmearing{0.5}, 1, q); });
  // Levels of HYP smearing read the links and those of the level below, and write 12, 12 and 4 a site.
  add("hyp", (3 * 4 + 12 + 12 + 12 + 12 + 4) * link,
      [&](const Queue& q) { smearing.apply(gauge, HypSmearing{}, 1, q); });
  // Three stages read and write the links; the first writes and the last reads the force, the second both.
  add("flow_step", 3 * 8 * link + 4 * 4 * algebra, [&](const Queue& q) { flow.step(gauge, 0.01, q); });
  expect_unitarity(bench, gauge, queue, "links after smearing");
  // A job makes them so: memory, which is kept, the exchange of the halo and copies between geometries
  // included. Levels of each direction read 4, 7 and 7 matrices a site and write 3, 3 and 1
  // (kernels/site/asqtad_link.hpp).
  const MemoryReuse reuse;
  Field thin(geometry, gauge.spec());
  copy(thin, links);
  constexpr double fat = 4 * (7 + 10 + 8) * link, three = 8 * link, factor = 12 * link;
  AsqtadLinks improved;
  const auto improve = [&](const Queue& q) {
    improved = asqtad_links(grid, thin, asqtad_coefficients(0.87), precision, q, bench.transport());
  };
  improve(queue);
  add("asqtad", fat + three, improve, "unitarity of W");
  expect_unitarity(bench, improved.three, queue, "three-link products");  // W is in SU(3)
  add(
      "hisq", 2 * fat + factor + three,
      [&](const Queue& q) { improved = hisq_links(grid, thin, 0, precision, q, bench.transport()); },
      "none here");
}

// Flows and updates with the Symanzik action, beside the updates with the Wilson action.
void bench_actions_in(Bench& bench, const Field& links, Precision precision) {
  const ProcessGrid& grid = bench.grid();
  const auto extended = bench.geometry()->extended(2);
  const Queue queue = bench.plain_queue();
  Field gauge(extended, gauge_spec(precision, bench.location()));
  copy(gauge, links);
  ExtendedHalo(grid, extended, gauge.spec(), bench.transport()).exchange(gauge, queue);
  const auto add = [&](const char* name, double reals, const auto& apply) {
    bench.add_timed(name, precision, 1, reals * bytes_of(precision) * bench.local_sites(), "unitarity", queue,
                    apply);
  };
  // The force of the three stages is written and read as well.
  for (const auto& [name, action] :
       {std::pair{"flow_step_symanzik", FlowAction::symanzik}, {"flow_step_zeuthen", FlowAction::zeuthen}}) {
    GradientFlow flow(grid, gauge, bench.transport(), action);
    add(name, 3 * (12 * link + 2 * 4 * algebra) + 4 * 4 * algebra,
        [&](const Queue& q) { flow.step(gauge, 0.01, q); });
  }
  GradientFlow adaptive(grid, gauge, bench.transport());
  add("flow_step_error", (3 * 8 + 2 * 8) * link + (4 + 4) * 4 * algebra,
      [&](const Queue& q) { adaptive.step_with_error(gauge, 0.01, q); });
  // A sweep reads and writes each link once.
  for (const auto& [heatbath, overrelaxation, weights] :
       {std::tuple{"heatbath", "overrelaxation", wilson_gauge_action(6)},
        {"heatbath_symanzik", "overrelaxation_symanzik", rectangle_gauge_action(4.3, symanzik_c1)}}) {
    if (LinkColours::fault_of(weights, bench.geometry()->global())) continue;
    QuenchedUpdate update(grid, gauge, weights, 1, bench.transport());
    std::uint32_t sweep = 0;
    add(heatbath, 8 * link, [&](const Queue& q) { update.heatbath_sweep(gauge, sweep++, q); });
    add(overrelaxation, 8 * link, [&](const Queue& q) { update.overrelaxation_sweep(gauge, q); });
  }
  expect_unitarity(bench, gauge, queue, "links after flows and updates");
}

}  // namespace

void bench_gauge(Bench& bench, std::string_view) {
  const Field links = random_gauge(bench.geometry(), 21);
  for (const Precision precision : bench.precisions()) {
    bench_in(bench, links, precision);
    bench_actions_in(bench, links, precision);
  }
}

}  // namespace plaq::jobs
