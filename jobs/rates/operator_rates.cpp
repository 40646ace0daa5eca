#include "jobs/rates/operator_rates.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "jobs/rates/field_checks.hpp"
#include "jobs/rates/random_fields.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension.hpp"
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
    const RegionLabel label(name_of(storage));
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

std::vector<Row> fifth_rates(const RateProblem& p, const DomainWallParameters& parameters,
                             const std::vector<Precision>& precisions, int rhs) {
  constexpr Precision wide = Precision::double_precision;
  const FieldSpec spec =
      five_dimensional_spec(subset_of(rated_parity), rhs, parameters.Ls(), wide, p.queue.location());
  const Field source = random_vectors(p.gauge.geometry_ptr(), spec, 44);
  const auto m5 = [&](Precision precision, bool dagger) {
    std::array<FifthProgram, 2> programs;
    for (const int chirality : {chiral_plus, chiral_minus})
      programs[static_cast<std::size_t>(chirality)] = m5_program(parameters, chirality, dagger);
    return std::make_shared<FifthTable>(programs, precision, p.queue.location());
  };
  const auto apply = [&](Field& out, const Field& in, const FifthTable& table) {
    apply_fifth(out, in, table, rated_parity, ActiveSet(rhs), p.queue);
  };
  Field expected(source.geometry_ptr(), spec);
  const auto exact = m5(wide, false), adjoint = m5(wide, true);
  apply(expected, source, *exact);
  check_adjoint(
      p, source, random_vectors(source.geometry_ptr(), spec, 45), "M5",
      [&](Field& out, const Field& in, bool dagger) { apply(out, in, dagger ? *adjoint : *exact); });
  const double sites = static_cast<double>(source.geometry().local_volume()) / 2 * source.subfields();
  return checked_rates(p, {source, expected, 1, "adjoint"}, {precisions.begin(), precisions.end()},
                       [&](const LinkStorage& storage) -> TimedOperator {
                         const Precision precision = storage.precision;
                         const double spinor =
                             24 * bytes_of(precision) + (precision == Precision::half_precision ? 4 : 0);
                         const auto once = [&apply, table = m5(precision, false)](
                                               Field& out, const Field& in) { apply(out, in, *table); };
                         return {{sites * 24 * (2 * parameters.Ls() - 1), sites * 2 * spinor}, once, once};
                       });
}

}  // namespace plaq::jobs
