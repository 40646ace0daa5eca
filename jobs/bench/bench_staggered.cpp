// The staggered hopping terms on one parity: one-link, and improved with fat links of 18 reals and long links
// of as many as the row says.
#include "jobs/bench/bench.hpp"
#include "jobs/dirac/staggered_action.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"

namespace plaq::jobs {

std::vector<BenchRow> bench_staggered(const BenchContext& context) {
  const Location location = context.site.location;
  const BenchLattice lattice =
      context.share(location == Location::device ? Extents{32, 32, 32, 64} : Extents{24, 24, 24, 48});
  const auto& [shared, geometry, transport] = lattice;
  const ProcessGrid& grid = *shared;
  const Queue queue = context.queue();
  const auto storages = context.storages();
  StaggeredParameters parameters;
  parameters.naik = -1.0 / 24;
  std::vector<BenchRow> rows;
  const auto add = [&](const char* name, Field links, const Field* long_links) {
    const RateProblem problem{grid, std::move(links), queue, transport, context.options.repeats};
    const ActionParameters one_link = staggered_action(parameters);
    const Background here = background_of(problem);
    RatedAction action(
        problem, one_link,
        long_links == nullptr ? one_link->on(here) : improved_staggered(here, *long_links, parameters));
    for (const int rhs : context.batches()) {
      const auto rates = action.hop_rates(storages, rhs);
      for (std::size_t i = 0; i < rates.size(); ++i)
        rows.push_back(operator_row(name, *geometry, to_string(grid.ranks()), storages[i], rhs, rates[i]));
    }
  };
  if (context.wants("staggered")) add("staggered", random_gauge(geometry, 11), nullptr);
  if (context.wants("improved")) {
    const Field long_links = random_gauge(geometry, 14);
    add("improved", random_matrices(geometry, 15), &long_links);
  }
  return rows;
}

}  // namespace plaq::jobs
