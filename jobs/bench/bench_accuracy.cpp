// What each storage of links and spinors costs in accuracy, and what it saves in time.
#include <fmt/format.h>

#include "jobs/bench/bench.hpp"
#include "jobs/dirac/storage_names.hpp"
#include "jobs/rates/accuracy.hpp"

namespace plaq::jobs {

void bench_accuracy(Bench& bench) {
  bench.share({24, 24, 24, 32}, {24, 24, 24, 32});  // as in the paper
  const AccuracyProblem problem(bench.grid(), bench.geometry(), bench.location(), bench.transport());
  const auto epsilons = usual_epsilons();
  for (const LinkStorage& storage : all_storages()) {
    if (!bench.options.precision.empty() && bench.options.precision != name_of(storage.precision)) continue;
    WilsonSchur m = problem.make_operator(storage);
    const Field in = problem.eta(storage.precision);
    Field out(bench.geometry(), in.spec());
    const Samples s = bench.time(m.queue(), [&](const Queue&) { m.apply(out, in); });
    const AccuracyCurve curve = problem.curve(storage, epsilons);
    BenchRow& row = bench.add("wilson_schur", StudyStorage(storage.precision, 0), 1,
                              {s, m.work(1), fmt::format("off by {:.1e} at most", curve.largest)});
    row.precision = fmt::format("{} {}", name_of(storage.precision), storage.reals);
    for (std::size_t i = 0; i < epsilons.size(); ++i)
      row.more["proportion_off_by"].push_back({epsilons[i], curve.proportions[i]});
  }
}

std::string accuracy_text(const std::vector<BenchRow>& rows) {
  std::vector<std::string> names;
  for (const auto& r : rows) names.push_back(r.precision);
  return "proportion of components that are off by epsilon or more:\n" +
         accuracy_table(names, usual_epsilons(), [&](std::size_t curve, std::size_t e) {
           return rows[curve].more["proportion_off_by"][e][1].get<double>();
         });
}

}  // namespace plaq::jobs
