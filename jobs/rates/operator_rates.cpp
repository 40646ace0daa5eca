#include "jobs/rates/operator_rates.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/rates/storage_check.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "quarks/solve/solver_settings.hpp"

namespace plaq::jobs {

std::vector<Row> checked_rates(const RateProblem& p, const ExpectedResult& expected,
                               const std::vector<LinkStorage>& storages,
                               const std::function<TimedOperator(const LinkStorage&)>& make) {
  const auto& [source, result, rounding, check] = expected;
  const auto like = [](const Field& wide, Precision precision) {
    FieldSpec spec = wide.spec();
    spec.precision = precision;
    return Field(wide.geometry_ptr(), spec);
  };
  std::vector<Row> rates;
  for (const LinkStorage& storage : storages) {
    const TapeLabel label(name_of(storage));
    const TimedOperator op = make(storage);
    Field in = like(source, storage.precision), out = like(result, storage.precision);
    copy(in, source);
    op.apply(out, in);
    p.expect_intact_faces();
    const bool compared = check.empty() || storage != LinkStorage();
    const double error = compared ? check_against_double(p.grid, out, result, storage, p.queue, rounding) : 0;
    const Samples samples =
        measure(p.grid.comm(), p.queue, p.samples, [&](const Queue&) { op.timed(out, in); });
    rates.emplace_back(samples, op.work, p.grid.size(), compared ? difference_text(error) : check);
    rates.back().error = error;
  }
  return rates;
}

void check_adjoint(const RateProblem& p, const Field& x, const Field& y, const std::string& what,
                   const std::function<void(Field& out, const Field& in, bool dagger)>& apply) {
  Field ax(y.geometry_ptr(), y.spec()), ay(x.geometry_ptr(), x.spec());
  apply(ax, x, false);
  apply(ay, y, true);
  p.expect_intact_faces();
  blas::Workspace work(p.queue, y.batch());
  const std::vector<blas::Coefficients> ones(static_cast<std::size_t>(y.batch()));
  auto left = blas::update_and_sum<blas::Dot>(work, ones, {&y, &ax});
  auto right = blas::update_and_sum<blas::Dot>(work, ones, {&ay, &x});
  auto norm = blas::update_and_sum<blas::Norm>(work, ones, {&y});
  const auto l = global_sums(p.grid, left), r = global_sums(p.grid, right), n = global_sums(p.grid, norm);
  double worst = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double off = std::hypot(l[2 * i] - r[2 * i], l[2 * i + 1] - r[2 * i + 1]) / n[i];
    worst = off < worst ? worst : off;  // a NaN stays
  }
  if (!(worst < 1e-13) && !runs_dry())
    throw Error(ErrorKind::internal,
                fmt::format("{} on this machine is not the adjoint of its adjoint: relative difference {}",
                            what, worst));
}

}  // namespace plaq::jobs
