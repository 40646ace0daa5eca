#include "jobs/rates/domain_wall_rates.hpp"

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

Field random_five(const RateProblem& p, const DomainWallParameters& parameters, int rhs, std::uint64_t seed) {
  Field five(p.gauge.geometry_ptr(), five_dimensional_spec(subset_of(rated_parity), rhs, parameters.slices(),
                                                           wide, p.queue.location()));
  copy(five, random_spinor(p.gauge.geometry_ptr(), subset_of(rated_parity), rhs * parameters.slices(), wide,
                           p.queue.location(), seed));
  return five;
}

// (y, A x) = (A^dagger y, x) to rounding, summed over all subfields.
template <class Apply>
void check_adjoint(const RateProblem& p, const Field& x, const Field& y, const char* what, Apply&& apply) {
  Field ax(x.geometry_ptr(), x.spec()), ay(x.geometry_ptr(), x.spec());
  apply(ax, x, false);
  apply(ay, y, true);
  blas::Workspace work(p.queue, x.batch());
  const std::vector<blas::Coefficients> ones(static_cast<std::size_t>(x.batch()));
  const auto sums = [&](auto operation, const auto& vectors) {
    auto local = blas::update_and_sum<decltype(operation)>(work, ones, vectors);
    return global_sums(p.grid, local);
  };
  const auto left = sums(blas::Dot(), std::array<const Field*, 2>{&y, &ax});
  const auto right = sums(blas::Dot(), std::array<const Field*, 2>{&ay, &x});
  const auto norm = sums(blas::Norm(), std::array<const Field*, 1>{&y});
  double re = 0, im = 0, all = 0;
  for (std::size_t i = 0; i < norm.size(); ++i) {
    re += left[2 * i] - right[2 * i];
    im += left[2 * i + 1] - right[2 * i + 1];
    all += norm[i];
  }
  const double off = std::hypot(re, im) / all;
  if (!(off < 1e-13) && !runs_dry())
    throw Error(ErrorKind::internal, std::string(what) +
                                         " on this machine is not the adjoint of its adjoint: "
                                         "relative difference " +
                                         std::to_string(off));
}

}  // namespace

DomainWallSchur make_domain_wall_schur(const RateProblem& p, const DomainWallParameters& parameters,
                                       const LinkStorage& storage, int rhs) {
  return DomainWallSchur(
      make_domain_wall_hopping(p.grid, p.gauge, parameters, storage, p.queue, p.transport, 1 - rated_parity),
      parameters, rated_parity, rhs);
}

std::vector<OperatorRate> fifth_rates(const RateProblem& p, const DomainWallParameters& parameters,
                                      const std::vector<Precision>& precisions, int rhs) {
  const Field source = random_five(p, parameters, rhs, 44);
  const ActiveSet all(rhs);
  const auto m5 = [&](Precision precision, bool dagger) {
    std::array<FifthProgram, 2> programs;
    for (const int chirality : {chiral_plus, chiral_minus})
      programs[static_cast<std::size_t>(chirality)] = m5_program(parameters, chirality, dagger);
    return FifthTable(programs, precision, p.queue.location());
  };
  Field expected(source.geometry_ptr(), source.spec());
  const FifthTable exact[2] = {m5(wide, false), m5(wide, true)};
  apply_fifth(expected, source, exact[0], rated_parity, all, p.queue);
  check_adjoint(p, source, random_five(p, parameters, rhs, 45), "M5",
                [&](Field& out, const Field& in, bool dagger) {
                  apply_fifth(out, in, exact[dagger], rated_parity, all, p.queue);
                });
  std::vector<OperatorRate> rates;
  for (const Precision precision : precisions) {
    FieldSpec spec = source.spec();
    spec.precision = precision;
    const FifthTable table = m5(precision, false);
    Field in(source.geometry_ptr(), spec), out(source.geometry_ptr(), spec);
    copy(in, source);
    apply_fifth(out, in, table, rated_parity, all, p.queue);
    const double sites = static_cast<double>(source.geometry().local_volume()) / 2 * source.subfields();
    const double spinor = 24 * bytes_of(precision) + (precision == Precision::half_precision ? 4 : 0);
    OperatorRate rate{{}, {sites * 24 * (2 * parameters.slices() - 1), sites * 2 * spinor}, 0, "adjoint"};
    if (precision != wide) {
      rate.difference = check_against_double(p.grid, out, expected, precision, p.queue);
      rate.check = difference_text(rate.difference);
    }
    rate.samples = measure(p.grid.comm(), p.queue, p.samples,
                           [&](const Queue&) { apply_fifth(out, in, table, rated_parity, all, p.queue); });
    rates.push_back(rate);
  }
  return rates;
}

std::vector<OperatorRate> domain_wall_schur_rates(const RateProblem& p,
                                                  const DomainWallParameters& parameters,
                                                  const std::vector<LinkStorage>& storages, int rhs) {
  const Field source = random_five(p, parameters, rhs, 46);
  const ActiveSet all(rhs);
  Field expected(source.geometry_ptr(), source.spec());
  {
    DomainWallSchur exact = make_domain_wall_schur(p, parameters, wide, rhs);
    exact.apply(expected, source, all);
    check_adjoint(p, source, random_five(p, parameters, rhs, 47), "the even-odd operator",
                  [&](Field& out, const Field& in, bool dagger) {
                    dagger ? exact.apply_dagger(out, in, all) : exact.apply(out, in, all);
                  });
  }
  std::vector<OperatorRate> rates;
  for (const LinkStorage& storage : storages) {
    const TapeLabel label(name_of(storage));
    DomainWallSchur s = make_domain_wall_schur(p, parameters, storage, rhs);
    Field in(source.geometry_ptr(), s.spec(rhs)), out(source.geometry_ptr(), s.spec(rhs));
    copy(in, source);
    s.apply(out, in, all);
    p.expect_intact_faces();
    OperatorRate rate{{}, s.work(rhs), check_against_double(p.grid, out, expected, storage, p.queue, 4), ""};
    rate.check = storage == LinkStorage(wide) ? "adjoint" : difference_text(rate.difference);
    rate.samples = measure(p.grid.comm(), p.queue, p.samples, [&](const Queue&) { s.apply(out, in, all); });
    rates.push_back(rate);
  }
  return rates;
}

}  // namespace plaq::jobs
