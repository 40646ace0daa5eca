// Updates of gauge fixing: of all sites, once. Flops and bytes: gaugefix/run/sweep_work.hpp.
#include "jobs/bench/bench.hpp"
#include "jobs/study/sweeps.hpp"
#include "kernels/gauge/update.hpp"

namespace plaq::jobs {

Field thermalized(const Bench& bench, int compound_sweeps) {
  const Queue queue = bench.queue();
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

void bench_gaugefix(Bench& bench) {
  bench.share({32, 32, 32, 32}, {8, 8, 8, 16});
  const auto storages = bench.storages_of_sweeps();
  const RateProblem rates = bench.problem(31);
  SubjectProblem problem{rates};
  problem.looks_closer = false;
  for (const auto& [gauge, called] : {std::pair{Gauge::landau, "landau "},
                                      {Gauge::coulomb, "coulomb "},
                                      {Gauge::maximally_abelian, "maximally_abelian "}})
    for (const GaugeUpdate& update : gauge_updates()) {
      const std::string name = called + std::string(update.name);
      if (!bench.wants(name)) continue;
      const auto found = measure_sweeps(problem, gauge, update, storages, 1);
      for (std::size_t i = 0; i < found.size(); ++i) bench.add(name, storages[i], 1, found[i]);
    }
}

}  // namespace plaq::jobs
