// The Wilson hopping term on one parity.
#include "jobs/bench/bench.hpp"
#include "jobs/rates/random_fields.hpp"

namespace plaq::jobs {

std::vector<BenchRow> bench_wilson_hop(const BenchContext& context) {
  int ranks = 1;
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  const Location location = context.site.location;
  const Extents extents =
      context.lattice(location == Location::device ? Extents{32, 32, 32, 64} : Extents{24, 24, 24, 48});
  const ProcessGrid grid(MPI_COMM_WORLD, choose_grid(ranks, extents));
  const auto geometry = grid.geometry(extents);
  const RateProblem problem{grid, random_gauge(geometry, 11), context.queue(),
                            make_host_transport(grid, location), context.options.repeats};
  const auto storages = context.storages();
  std::vector<BenchRow> rows;
  for (const int rhs : context.batches()) {
    const auto rates = hop_rates(problem, {}, storages, rhs);
    for (std::size_t i = 0; i < rates.size(); ++i)
      rows.push_back(
          operator_row("wilson_hop", *geometry, to_string(grid.ranks()), storages[i], rhs, rates[i]));
  }
  return rows;
}

}  // namespace plaq::jobs
