#include "jobs/rates/staggered_rates.hpp"

#include <cmath>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/dirac/solver_spec.hpp"
#include "jobs/rates/random_fields.hpp"
#include "jobs/rates/storage_check.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq::jobs {
namespace {

constexpr Precision wide = Precision::double_precision;

// (y, D x) = -conj((x, D y)), to rounding.
void check_antihermiticity(const RateProblem& p, StaggeredHopping& hop, const Field& even, const Field& odd) {
  blas::Workspace work(hop.queue(), even.subfields());
  const ActiveSet all(even.subfields());
  const std::vector<blas::Coefficients> ones(static_cast<std::size_t>(even.subfields()));
  Field d_odd(even.geometry_ptr(), even.spec()), d_even(odd.geometry_ptr(), odd.spec());
  hop.apply(d_odd, odd, 0, false, all);
  hop.apply(d_even, even, 1, false, all);
  p.expect_intact_faces();
  auto left = blas::update_and_sum<blas::Dot>(work, ones, {&even, &d_odd});
  auto right = blas::update_and_sum<blas::Dot>(work, ones, {&d_even, &odd});
  auto norm = blas::update_and_sum<blas::Norm>(work, ones, {&even});
  const auto l = global_sums(p.grid, left), r = global_sums(p.grid, right), n = global_sums(p.grid, norm);
  double worst = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double off = std::hypot(l[2 * i] + r[2 * i], l[2 * i + 1] + r[2 * i + 1]) / n[i];
    worst = off < worst ? worst : off;  // a NaN stays
  }
  if (!(worst < 1e-13) && !runs_dry())
    throw Error(ErrorKind::internal,
                "the staggered hopping term is not anti-Hermitian on this machine: relative difference " +
                    std::to_string(worst));
}

}  // namespace

StaggeredHoppingPtr make_staggered_hopping(const RateProblem& p, const Field* long_links,
                                           const StaggeredParameters& parameters,
                                           const LinkStorage& storage) {
  if (long_links == nullptr)
    return std::make_shared<StaggeredHopping>(p.grid, p.gauge, parameters, storage, p.queue, p.transport,
                                              1 - rated_parity);
  return std::make_shared<StaggeredHopping>(p.grid, p.gauge, *long_links, parameters, storage, p.queue,
                                            p.transport, 1 - rated_parity);
}

std::vector<OperatorRate> staggered_rates(const RateProblem& p, const Field* long_links,
                                          const StaggeredParameters& parameters,
                                          const std::vector<LinkStorage>& storages, int rhs) {
  const GeometryPtr& geometry = p.gauge.geometry_ptr();
  const Location location = p.queue.location();
  const ActiveSet all(rhs);
  const Field odd = random_staggered(geometry, Subset::odd, rhs, wide, location, 12);
  Field expected = random_staggered(geometry, Subset::even, rhs, wide, location, 13);
  {
    const auto made = make_staggered_hopping(p, long_links, parameters, wide);
    StaggeredHopping& hop = *made;
    check_antihermiticity(p, hop, expected, odd);
    hop.apply(expected, odd, 0, false, all);
  }
  std::vector<OperatorRate> rates;
  for (const LinkStorage& storage : storages) {
    const TapeLabel label(name_of(storage));
    const auto made = make_staggered_hopping(p, long_links, parameters, storage);
    StaggeredHopping& hop = *made;
    Field in(geometry, staggered_spec(Subset::odd, rhs, storage.precision, location));
    Field out(geometry, staggered_spec(Subset::even, rhs, storage.precision, location));
    copy(in, odd);
    hop.apply(out, in, 0, false, all);
    p.expect_intact_faces();
    OperatorRate rate{{}, hop.work(rhs, false), 0, "anti-hermiticity"};
    if (storage != LinkStorage()) {
      rate.difference = check_against_double(p.grid, out, expected, storage, p.queue);
      rate.check = difference_text(rate.difference);
    }
    // In the gauge of the stored links, as the operators of solvers apply it.
    rate.samples = measure(p.grid.comm(), p.queue, p.samples,
                           [&](const Queue&) { hop.apply_stored(out, in, 0, false, all); });
    rates.push_back(rate);
  }
  return rates;
}

std::vector<OperatorRate> staggered_schur_rates(const RateProblem& p, const Field* long_links,
                                                const StaggeredParameters& parameters,
                                                const std::vector<LinkStorage>& storages, int rhs) {
  const GeometryPtr& geometry = p.gauge.geometry_ptr();
  const ActiveSet all(rhs);
  const Field source = random_staggered(geometry, subset_of(rated_parity), rhs, wide, p.queue.location(), 42);
  Field expected(geometry, source.spec());
  const auto make = [&](const LinkStorage& storage) {
    return StaggeredSchur(make_staggered_hopping(p, long_links, parameters, storage), rated_parity, rhs);
  };
  make(wide).apply(expected, source, all);
  std::vector<OperatorRate> rates;
  for (const LinkStorage& storage : storages) {
    const TapeLabel label(name_of(storage));
    StaggeredSchur s = make(storage);
    Field in(geometry, s.spec(rhs)), out(geometry, s.spec(rhs));
    copy(in, source);
    s.apply(out, in, all);
    p.expect_intact_faces();
    OperatorRate rate{{}, s.work(rhs), check_against_double(p.grid, out, expected, storage, p.queue, 3), ""};
    rate.check = difference_text(rate.difference);
    rate.samples = measure(p.grid.comm(), p.queue, p.samples, [&](const Queue&) { s.apply(out, in, all); });
    rates.push_back(rate);
  }
  return rates;
}

}  // namespace plaq::jobs
