// Domain-wall operators of N_s slices (--slices), Moebius weights: the hopping term of all slices, M5, and
// the even-odd operator; with _tg, links in temporal gauge. Table 1 of Chiu et al. 2010:
// --lattice 16x16x16x32 --slices 16.
#include <fmt/format.h>

#include <algorithm>

#include "jobs/bench/bench.hpp"
#include "jobs/dirac/domain_wall_action.hpp"
#include "jobs/rates/fifth_rates.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"
#include "kernels/gauge/temporal_gauge.hpp"

namespace plaq::jobs {

std::vector<BenchRow> bench_domain_wall(const BenchContext& context) {
  const Location location = context.site.location;
  const BenchLattice lattice =
      context.share(location == Location::device ? Extents{24, 24, 24, 64} : Extents{12, 12, 12, 24});
  const auto& [shared, geometry, transport] = lattice;
  const ProcessGrid& grid = *shared;
  const Queue queue = context.queue();
  const RateProblem problem{grid, random_gauge(geometry, 11), queue, transport, context.options.repeats};
  const RateProblem fixed{grid, make_temporal_gauge(grid, problem.gauge, queue, transport).links, queue,
                          transport, context.options.repeats};
  const int n_s = context.options.slices > 0 ? context.options.slices : 12;
  const int rhs = context.right_hand_sides(1);
  DomainWallChoice choice;
  choice.kind = WallKind::moebius;
  choice.n_s = n_s;
  choice.mass = 0.02;
  choice.b5 = 1.5;
  choice.c5 = 0.5;
  const DomainWallParameters parameters = choice.parameters();
  const ActionParameters action = domain_wall_action(choice);
  const auto storages = context.storages();
  std::vector<LinkStorage> not_eight;
  std::copy_if(storages.begin(), storages.end(), std::back_inserter(not_eight),
               [](const LinkStorage& storage) { return storage.reals != 8; });
  std::vector<Precision> precisions;
  for (const LinkStorage& storage : storages)
    if (precisions.empty() || precisions.back() != storage.precision) precisions.push_back(storage.precision);

  std::vector<BenchRow> rows;
  const auto add = [&](const char* text, const std::vector<LinkStorage>& stored, const auto& rate) {
    const std::string name = fmt::format("{} Ns {}", text, n_s);
    if (stored.empty() || !context.wants(name)) return;
    const std::vector<OperatorRate> rates = rate(stored);
    for (std::size_t i = 0; i < rates.size(); ++i)
      rows.push_back(operator_row(name, *geometry, to_string(grid.ranks()), stored[i], rhs, rates[i]));
  };
  const auto hop = [&](const RateProblem& p) {
    return [&](const std::vector<LinkStorage>& stored) {
      return make_rated_action(p, action)->hop_rates(stored, rhs);
    };
  };
  const auto schur = [&](const RateProblem& p) {
    return [&](const std::vector<LinkStorage>& stored) {
      return make_rated_action(p, action)->schur_rates(true, stored, rhs);
    };
  };
  add("domain_wall_hop", storages, hop(problem));
  add("domain_wall_hop_tg", not_eight, hop(fixed));
  std::vector<LinkStorage> without_links;
  for (const Precision precision : precisions) without_links.push_back({precision, 0});
  add("domain_wall_m5", without_links,
      [&](const std::vector<LinkStorage>&) { return fifth_rates(problem, parameters, precisions, rhs); });
  add("moebius_schur", storages, schur(problem));
  add("moebius_schur_tg", not_eight, schur(fixed));
  return rows;
}

}  // namespace plaq::jobs
