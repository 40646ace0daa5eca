#include "jobs/rates/fifth_rates.hpp"

#include "jobs/rates/random_fields.hpp"
#include "kernels/dirac/domain_wall/fifth_dimension.hpp"

namespace plaq::jobs {

std::vector<Row> fifth_rates(const RateProblem& p, const DomainWallParameters& parameters,
                             const std::vector<Precision>& precisions, int rhs) {
  constexpr Precision wide = Precision::double_precision;
  const FieldSpec spec =
      five_dimensional_spec(subset_of(rated_parity), rhs, parameters.slices(), wide, p.queue.location());
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
  return checked_rates(
      p, {source, expected, 1, "adjoint"}, {precisions.begin(), precisions.end()},
      [&](const LinkStorage& storage) -> TimedOperator {
        const Precision precision = storage.precision;
        const double spinor = 24 * bytes_of(precision) + (precision == Precision::half_precision ? 4 : 0);
        const auto once = [&apply, table = m5(precision, false)](Field& out, const Field& in) {
          apply(out, in, *table);
        };
        return {{sites * 24 * (2 * parameters.slices() - 1), sites * 2 * spinor}, once, once};
      });
}

}  // namespace plaq::jobs
