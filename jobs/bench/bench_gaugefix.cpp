// Updates of gauge fixing: of all sites, once. Flops and bytes: gaugefix/run/gauge_fixer.hpp.
#include "jobs/bench/sweeps.hpp"
#include "jobs/bench/targets.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {

Field thermalized(const Bench& bench, int compound_sweeps) {
  const Queue& queue = bench.queue();
  const FieldSpec spec = gauge_spec(Precision::double_precision, bench.location());
  Field work(bench.geometry()->extended(1), spec);
  QuenchedUpdate update(bench.grid(), work, {6.0, 77}, bench.transport());
  hot_start(work, 77, queue);
  for (int n = 0; n < compound_sweeps; ++n) {
    update.heatbath_sweep(work, static_cast<std::uint32_t>(n), queue);
    for (int k = 0; k < 4; ++k) update.overrelaxation_sweep(work, queue);
    if (n % 10 == 9) reunitarize(work, queue);
  }
  reunitarize(work, queue);
  queue.synchronize();
  Field gauge(bench.geometry(), spec);
  copy(gauge, work);
  return gauge;
}

void bench_gaugefix(Bench& bench, std::string_view) {
  const auto storages = bench.storages_of_sweeps();
  const RateProblem problem = bench.problem(31);
  for (const auto& [gauge, called] : {std::pair{Gauge::landau, "landau "},
                                      {Gauge::coulomb, "coulomb "},
                                      {Gauge::maximally_abelian, "maximally_abelian "}})
    for (const GaugeUpdate& update : gauge_updates()) {
      const std::string name = called + std::string(update.name);
      if (bench.wants(name)) measure_sweeps(bench, name, problem, gauge, update, storages, 1);
    }
}

}  // namespace plaq::jobs
