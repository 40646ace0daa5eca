// The even-odd Wilson and clover operators, and the clover term itself.
#include "comms/halo/extended_halo.hpp"
#include "core/launch/dispatch.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/dirac/wilson_action.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/rated_action.hpp"
#include "jobs/rates/storage_check.hpp"

namespace plaq::jobs {
namespace {

constexpr int parity = rated_parity;
constexpr Precision wide = Precision::double_precision;

struct Bench {
  const BenchContext& context;
  RateProblem problem;

  const Queue& queue() const { return problem.queue; }
  const GeometryPtr& geometry() const { return problem.gauge.geometry_ptr(); }
  std::string grid() const { return to_string(problem.grid.ranks()); }

  void add_operator(std::vector<BenchRow>& rows, const char* name, const WilsonParameters& parameters,
                    bool symmetric) const {
    const auto storages = context.storages();
    for (const int rhs : context.batches()) {
      const auto rates =
          make_rated_action(problem, wilson_action(parameters))->schur_rates(symmetric, storages, rhs);
      for (std::size_t i = 0; i < rates.size(); ++i)
        rows.push_back(operator_row(name, *geometry(), grid(), storages[i], rhs, rates[i]));
    }
  }

  // C on both parities and its inverse on one, in double. Bytes: links and blocks once.
  void add_clover_term(std::vector<BenchRow>& rows, const WilsonParameters& parameters) const {
    const Field links = with_halo();
    Field term(geometry(), clover_spec(Subset::full, wide, queue().location()));
    const CloverTermCall call{&links, &term, parameters.diagonal(), parameters.clover.spatial,
                              parameters.clover.temporal};
    const double sites = static_cast<double>(geometry()->local_volume());
    dispatch(queue().location(), wide, [&](auto kind) {
      using Target = typename decltype(kind)::target;
      const Samples s =
          measure(context, queue(), [&](const Queue& q) { launch_clover_term<Target>(call, q); });
      rows.push_back(operator_row("clover_term", *geometry(), grid(), wide, 1,
                                  {s, {0, sites * 8 * (4 * 18 + 72)}, 0, "by clover_inverse"}));
      Field inverse(geometry(), clover_spec(subset_of(parity), wide, queue().location()));
      SumBuffer sums(queue().location(), 6);
      sums.clear(queue(), 6);
      const Samples t = measure(context, queue(), [&](const Queue& q) {
        launch_clover_inverse<Target>(term, inverse, parity, q, sums);
      });
      const Field psi = random_spinor(geometry(), subset_of(parity), 1, wide, queue().location(), 43);
      Field product(geometry(), psi.spec());
      apply_clover(product, psi, term, parity, ActiveSet(1), queue());
      apply_clover(product, product, inverse, parity, ActiveSet(1), queue());
      constexpr double conditioning = 100;
      const double off = check_against_double(problem.grid, product, psi, wide, queue(), conditioning);
      rows.push_back(operator_row("clover_inverse", *geometry(), grid(), wide, 1,
                                  {t, {0, sites / 2 * 8 * (72 + 72)}, off, difference_text(off)}));
    });
  }

 private:
  Field with_halo() const {
    const FieldSpec spec = gauge_spec(wide, queue().location());
    Field links(geometry()->extended(1), spec);
    copy(links, problem.gauge);
    ExtendedHalo(problem.grid, links.geometry_ptr(), spec, problem.transport).exchange(links, queue());
    return links;
  }
};

}  // namespace

std::vector<BenchRow> bench_wilson_operator(const BenchContext& context) {
  const Location location = context.site.location;
  const BenchLattice lattice =
      context.share(location == Location::device ? Extents{32, 32, 32, 64} : Extents{16, 16, 16, 16});
  const Bench bench{context,
                    {*lattice.grid, random_gauge(lattice.geometry, 41), context.queue(), lattice.transport,
                     context.options.repeats}};
  WilsonParameters wilson, clover;
  wilson.mass = clover.mass = 0.5;  // random links: away from singular blocks
  clover.clover = {1, 1};
  std::vector<BenchRow> rows;
  bench.add_operator(rows, "wilson_schur", wilson, true);
  bench.add_operator(rows, "wilson_schur_asy", wilson, false);
  bench.add_operator(rows, "clover_schur", clover, true);
  bench.add_operator(rows, "clover_schur_asy", clover, false);
  bench.add_clover_term(rows, clover);
  return rows;
}

}  // namespace plaq::jobs
