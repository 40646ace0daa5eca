// The clover term: C on both parities and its inverse on one, in double. Bytes: links and blocks once.
#include "comms/halo/extended_halo.hpp"
#include "core/launch/dispatch.hpp"
#include "jobs/bench/bench.hpp"
#include "jobs/rates/field_checks.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/dirac/clover/clover_field.hpp"
#include "kernels/dirac/clover/clover_launch.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision wide = Precision::double_precision;

Field links_with_halo(const RateProblem& p) {
  const FieldSpec spec = gauge_spec(wide, p.queue.location());
  Field links(p.gauge.geometry().extended(1), spec);
  copy(links, p.gauge);
  ExtendedHalo(p.grid, links.geometry_ptr(), spec, p.transport).exchange(links, p.queue);
  return links;
}

}  // namespace

void add_clover_term(Bench& bench, const RateProblem& p, const WilsonParameters& parameters) {
  constexpr int parity = rated_parity;
  const Location location = p.queue.location();
  const Field links = links_with_halo(p);
  Field term(bench.geometry(), clover_spec(Subset::full, wide, location));
  const CloverTermCall call{&links, &term, parameters.diagonal(), parameters.clover.spatial,
                            parameters.clover.temporal};
  const double sites = bench.local_sites();
  dispatch(location, wide, [&](auto kind) {
    using Target = typename decltype(kind)::target;
    const Samples s = bench.time(p.queue, [&](const Queue& q) { launch_clover_term<Target>(call, q); });
    bench.add("clover_term", {wide, 18}, 1, s, {0, sites * 8 * (4 * 18 + 72)}, "by clover_inverse");
    Field inverse(bench.geometry(), clover_spec(subset_of(parity), wide, location));
    SumBuffer sums(location, 6);
    sums.clear(p.queue, 6);
    const Samples t = bench.time(p.queue, [&](const Queue& q) {
      launch_clover_inverse<Target>(term, 0, inverse, nullptr, parity, q, sums);
    });
    const Field psi = random_spinor(bench.geometry(), subset_of(parity), 1, wide, location, 43);
    Field product(bench.geometry(), psi.spec());
    apply_clover(product, psi, term, parity, ActiveSet(1), p.queue);
    apply_clover(product, product, inverse, parity, ActiveSet(1), p.queue);
    constexpr double conditioning = 100;
    const double off = check_against_double(p.grid, product, psi, wide, p.queue, conditioning);
    bench.add("clover_inverse", {wide, 18}, 1, t, {0, sites / 2 * 8 * (72 + 72)}, difference_text(off));
  });
}

}  // namespace plaq::jobs
