#include "jobs/bench/field_checksum.hpp"

#include "core/algebra/mix64.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"

namespace plaq::jobs {
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
