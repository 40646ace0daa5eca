// What each storage of links and spinors costs in accuracy, and what it saves in time.
#include <fmt/format.h>

#include "jobs/bench/bench.hpp"
#include "jobs/dirac/storage_names.hpp"
#include "jobs/rates/accuracy.hpp"

namespace plaq::jobs {
std::vector<BenchRow> bench_accuracy(const BenchContext& context) {
  const BenchLattice lattice = context.share({24, 24, 24, 32});  // as in the paper
  const auto& [shared, geometry, transport] = lattice;
  const ProcessGrid& grid = *shared;
  const AccuracyProblem problem(grid, geometry, context.site.location, transport);
  const auto epsilons = usual_epsilons();
  std::vector<BenchRow> rows;
  for (const LinkStorage& storage : all_storages()) {
    if (!context.options.precision.empty() && context.options.precision != name_of(storage.precision))
      continue;
    WilsonSchur m = problem.make_operator(storage);
    const Field in = problem.eta(storage.precision);
    Field out(geometry, in.spec());
    const Samples s = measure(context, m.queue(), [&](const Queue&) { m.apply(out, in); });
    const AccuracyCurve curve = problem.curve(storage, epsilons);
    BenchRow r;
    r.name = "wilson_schur";
    r.lattice = to_string(geometry->global());
    r.grid = to_string(grid.ranks());
    r.precision = fmt::format("{} {}", name_of(storage.precision), storage.reals);
    r.samples = s.count;
    r.microseconds = s.median, r.least = s.least, r.most = s.most;
    const Work work = m.work(1);
    r.flops = work.flops;
    r.bytes = work.bytes;
    r.check = fmt::format("off by {:.1e} at most", curve.largest);
    for (std::size_t i = 0; i < epsilons.size(); ++i) r.curve.emplace_back(epsilons[i], curve.proportions[i]);
    rows.push_back(r);
  }
  return rows;
}

}  // namespace plaq::jobs
