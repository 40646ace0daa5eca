// The Wilson hopping term on one parity; as wilson_hop_tg with links in temporal gauge, of 18 and 12 reals.
#include <algorithm>

#include "jobs/bench/bench.hpp"
#include "jobs/dirac/wilson_action.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq::jobs {

std::vector<BenchRow> bench_wilson_hop(const BenchContext& context) {
  const Location location = context.site.location;
  const BenchLattice lattice =
      context.share(location == Location::device ? Extents{32, 32, 32, 64} : Extents{24, 24, 24, 48});
  const auto& [shared, geometry, transport] = lattice;
  const ProcessGrid& grid = *shared;
  const Queue queue = context.queue();
  const RateProblem problem{grid, random_gauge(geometry, 11), queue, transport, context.options.repeats};
  const RateProblem fixed{grid, make_temporal_gauge(grid, problem.gauge, queue, transport).links, queue,
                          transport, context.options.repeats};
  const auto storages = context.storages();
  std::vector<LinkStorage> not_eight;
  std::copy_if(storages.begin(), storages.end(), std::back_inserter(not_eight),
               [](const LinkStorage& storage) { return storage.reals != 8; });
  std::vector<BenchRow> rows;
  const auto add = [&](const char* name, const RateProblem& p, const std::vector<LinkStorage>& stored,
                       int rhs) {
    const auto rates = make_rated_action(p, wilson_action({}))->hop_rates(stored, rhs);
    for (std::size_t i = 0; i < rates.size(); ++i)
      rows.push_back(operator_row(name, *geometry, to_string(grid.ranks()), stored[i], rhs, rates[i]));
  };
  for (const int rhs : context.batches()) {
    add("wilson_hop", problem, storages, rhs);
    if (!not_eight.empty()) add("wilson_hop_tg", fixed, not_eight, rhs);
  }
  return rows;
}

}  // namespace plaq::jobs
