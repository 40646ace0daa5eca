#include "jobs/rates/operator_rates.hpp"

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

// ||D in|| and (in', D in) against gamma5 hermiticity: (y, D x) = conj((x, D^dagger y)), to rounding.
void check_hermiticity(const RateProblem& p, WilsonHopping& hop, const Field& even, const Field& odd) {
  const ProcessGrid& grid = p.grid;
  const Queue& queue = hop.queue();
  blas::Workspace work(queue, even.subfields());
  const std::vector<blas::Coefficients> ones(static_cast<std::size_t>(even.subfields()));
  Field d_odd(even.geometry_ptr(), even.spec()), d_even(odd.geometry_ptr(), odd.spec());
  hop.apply(d_odd, odd, 0, false);
  hop.apply(d_even, even, 1, true);
  p.expect_intact_faces();
  auto left = blas::update_and_sum<blas::Dot>(work, ones, {&even, &d_odd});
  auto right = blas::update_and_sum<blas::Dot>(work, ones, {&d_even, &odd});
  auto norm = blas::update_and_sum<blas::Norm>(work, ones, {&even});
  const auto l = global_sums(grid, left), r = global_sums(grid, right), n = global_sums(grid, norm);
  double worst = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double scale = n[i];
    worst = std::max(worst, std::hypot(l[2 * i] - r[2 * i], l[2 * i + 1] - r[2 * i + 1]) / scale);
  }
  const double allowed = even.precision() == Precision::double_precision ? 1e-13 : 1e-5;
  if (!(worst < allowed) && !runs_dry())
    throw Error(ErrorKind::internal,
                "the hopping term is not gamma5-hermitian on this machine: relative difference " +
                    std::to_string(worst));
}

// The hopping term that reads and multiplies all links.
void check_against_time_links(const RateProblem& p, const WilsonParameters& parameters, const Field& odd,
                              const Field& expected) {
  const LinkStorage eight(wide, 8);
  WilsonHopping hop(p.grid, p.gauge, parameters, eight, p.queue, p.transport);
  Field out(expected.geometry_ptr(), expected.spec());
  hop.apply(out, odd, 0, false);
  p.expect_intact_faces();
  check_against_double(p.grid, out, expected, eight, p.queue);
}

}  // namespace

WilsonHoppingPtr make_schur_hopping(const RateProblem& p, const WilsonParameters& parameters,
                                    const LinkStorage& storage) {
  return std::make_shared<WilsonHopping>(p.grid, p.gauge, parameters, storage, p.queue, p.transport,
                                         1 - rated_parity);
}

WilsonSchur make_schur(const RateProblem& p, WilsonHoppingPtr hopping, WilsonSchur::Form form, int rhs) {
  auto clover = make_clover_blocks(
      p.grid, p.gauge, *hopping,
      form == WilsonSchur::Form::symmetric ? CloverNeed::schur_symmetric : CloverNeed::schur_asymmetric,
      rated_parity);
  return WilsonSchur(std::move(hopping), rated_parity, form, rhs, std::move(clover));
}

WilsonSchur make_schur(const RateProblem& p, const WilsonParameters& parameters, const LinkStorage& storage,
                       WilsonSchur::Form form, int rhs) {
  return make_schur(p, make_schur_hopping(p, parameters, storage), form, rhs);
}

std::vector<OperatorRate> hop_rates(const RateProblem& p, const WilsonParameters& parameters,
                                    const std::vector<LinkStorage>& storages, int rhs) {
  const GeometryPtr& geometry = p.gauge.geometry_ptr();
  const Location location = p.queue.location();
  const Field odd = random_spinor(geometry, Subset::odd, rhs, wide, location, 12);
  Field expected = random_spinor(geometry, Subset::even, rhs, wide, location, 13);
  {
    WilsonHopping hop(p.grid, p.gauge, parameters, wide, p.queue, p.transport);
    check_hermiticity(p, hop, expected, odd);
    hop.apply(expected, odd, 0, false);
    if (hop.temporal_gauge()) check_against_time_links(p, parameters, odd, expected);
  }
  std::vector<OperatorRate> rates;
  for (const LinkStorage& storage : storages) {
    const TapeLabel label(name_of(storage));
    WilsonHopping hop(p.grid, p.gauge, parameters, storage, p.queue, p.transport);
    const ActiveSet all(rhs);
    Field in(geometry, spinor_spec(Subset::odd, rhs, storage.precision, location));
    Field out(geometry, spinor_spec(Subset::even, rhs, storage.precision, location));
    copy(in, odd);
    hop.apply(out, in, 0, false);
    p.expect_intact_faces();
    OperatorRate rate{{}, hop.work(rhs, false), 0, "hermiticity"};
    if (storage != LinkStorage()) {
      rate.difference = check_against_double(p.grid, out, expected, storage, p.queue);
      rate.check = difference_text(rate.difference);
    }
    // In the gauge of the stored links, as the operators of solvers apply it.
    rate.samples = measure(p.grid.comm(), p.queue, p.samples,
                           [&](const Queue&) { hop.apply_stored(out, in, 0, false, all, {}); });
    rates.push_back(rate);
  }
  return rates;
}

std::vector<OperatorRate> schur_rates(const RateProblem& p, const WilsonParameters& parameters,
                                      WilsonSchur::Form form, const std::vector<LinkStorage>& storages,
                                      int rhs) {
  const GeometryPtr& geometry = p.gauge.geometry_ptr();
  const Subset subset = subset_of(rated_parity);
  const Field source = random_spinor(geometry, subset, rhs, wide, p.queue.location(), 42);
  Field expected(geometry, source.spec());
  make_schur(p, parameters, wide, form, rhs).apply(expected, source);
  std::vector<OperatorRate> rates;
  for (const LinkStorage& storage : storages) {
    const TapeLabel label(name_of(storage));
    WilsonSchur s = make_schur(p, parameters, storage, form, rhs);
    Field in(geometry, s.spec(rhs)), out(geometry, s.spec(rhs));
    copy(in, source);
    s.apply(out, in);
    p.expect_intact_faces();
    OperatorRate rate{{}, s.work(rhs), check_against_double(p.grid, out, expected, storage, p.queue, 3), ""};
    rate.check = difference_text(rate.difference);
    rate.samples = measure(p.grid.comm(), p.queue, p.samples, [&](const Queue&) { s.apply(out, in); });
    rates.push_back(rate);
  }
  return rates;
}

}  // namespace plaq::jobs
