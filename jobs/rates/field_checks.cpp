#include "jobs/rates/field_checks.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/algebra/bits.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/operations.hpp"

namespace plaq::jobs {

double relative_difference(const ProcessGrid& grid, const Field& found, const Field& expected,
                           const Queue& queue) {
  Field wide(expected.geometry_ptr(), expected.spec());
  copy(wide, found);
  blas::Workspace work(queue, expected.batch());
  const std::vector<blas::Coefficients> ones(static_cast<std::size_t>(expected.batch()));
  auto norm = blas::update_and_sum<blas::Norm>(work, ones, {&expected});
  auto off = blas::update_and_sum<blas::Residual>(work, ones, {&expected, &wide, &wide});
  const auto n = global_sums(grid, norm), o = global_sums(grid, off);
  if (runs_dry()) return 0;
  double worst = 0;
  for (std::size_t i = 0; i < n.size(); ++i) {
    const double relative = std::sqrt(o[i] / n[i]);
    worst = relative < worst ? worst : relative;  // a NaN stays
  }
  return worst;
}

double allowed_difference(const LinkStorage& storage) {
  const double lossy = storage.reconstruction == 8 ? 20 : 1;
  switch (storage.precision) {
    case Precision::double_precision:
      return 2e-15 * lossy;
    case Precision::single_precision:
      return 1e-6 * lossy;
    default:
      break;
  }
  return 2e-4 * (storage.reconstruction == 8 ? 4 : 1);
}

double check_against_double(const ProcessGrid& grid, const Field& found, const Field& expected,
                            const LinkStorage& storage, const Queue& queue, double factor) {
  const double difference = relative_difference(grid, found, expected, queue);
  const double allowed = factor * allowed_difference(storage);
  if (!(difference <= allowed))
    throw Error(
        ErrorKind::internal,
        fmt::format("an operator in {} precision with links of {} reals differs from double precision "
                    "by {:.3g}, expected at most {:.3g}",
                    name_of(storage.precision), storage.reconstruction, difference, allowed));
  return difference;
}

std::string difference_text(double difference) { return fmt::format("{:.1e} off double", difference); }

std::uint64_t field_checksum(const ProcessGrid& grid, const Field& field) {
  require(field.geometry().halo_depth() == 0, "a checksum of a field with a halo");
  FieldSpec spec = field.spec();
  spec.location = Location::host;
  Field host(field.geometry_ptr(), spec);
  copy(host, field);
  if (runs_dry()) return 0;
  const LatticeShape& shape = field.geometry().shape();
  const auto reals = static_cast<std::uint64_t>(host.reals_per_site());
  std::uint64_t sum = 0;
  for (int parity = 0; parity < 2; ++parity) {
    if (!host.holds(parity)) continue;
#pragma omp parallel for schedule(static) reduction(+ : sum)
    for (int s = 0; s < shape.half_volume; ++s) {
      const auto site = static_cast<std::uint64_t>(shape.global_index(shape.coordinates(parity, s)));
      for (int subfield = 0; subfield < host.subfields(); ++subfield)
        for (std::uint64_t r = 0; r < reals; ++r) {
          const double value = get_real(host, subfield, parity, s, static_cast<int>(r));
          // A place has a number of its own below 2^64: lattices are smaller than that by far.
          const std::uint64_t place =
              (site * static_cast<std::uint64_t>(host.subfields()) + static_cast<std::uint64_t>(subfield)) *
                  reals +
              r;
          sum += mixed(__builtin_bit_cast(std::uint64_t, value) ^ mixed(place));
        }
    }
  }
  return grid.comm().sum(sum);
}

}  // namespace plaq::jobs
