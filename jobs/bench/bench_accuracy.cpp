// What each storage of links and spinors costs in accuracy, and what it saves in time.
#include "jobs/bench/targets.hpp"
#include "jobs/rates/accuracy.hpp"

namespace plaq::jobs {

void bench_accuracy(Bench& bench, std::string_view key) {
  const AccuracyProblem problem(bench.grid(), bench.geometry(), bench.location(), bench.transport());
  const auto epsilons = bench.asked.epsilons.empty() ? usual_epsilons() : bench.asked.epsilons;
  for (const StudyStorage& storage : bench.storages()) {
    WilsonSchur m = problem.make_operator(storage);
    const Field in = problem.eta(storage.precision);
    Field out(bench.geometry(), in.spec());
    const Samples samples = bench.time(m.queue(), [&](const Queue&) { m.apply(out, in); });
    const AccuracyCurve curve = problem.curve(storage, epsilons);
    Row& row = bench.add(std::string(key), storage, 1, samples, m.work(1), {});
    row.error = curve.largest;
    for (std::size_t i = 0; i < epsilons.size(); ++i)
      row.curve.emplace_back(epsilons[i], curve.proportions[i]);
  }
}

}  // namespace plaq::jobs
