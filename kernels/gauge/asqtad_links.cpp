#include "kernels/gauge/asqtad_links.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "comms/halo/extended_halo.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/asqtad_launch.hpp"

namespace plaq {

AsqtadCoefficients asqtad_coefficients(double u0) {
  if (!(u0 > 0 && std::isfinite(u0)))
    throw Error(ErrorKind::job_file, "u0 of asqtad links is " + std::to_string(u0) + ": it must be positive");
  const double square = u0 * u0, fourth = square * square;
  return {5.0 / 8,
          1 / (16 * square),
          1 / (64 * fourth),
          1 / (384 * fourth * square),
          -1 / (16 * fourth),
          -1 / (24 * square)};
}

FieldSpec fat_link_spec(Precision precision, Location location) {
  FieldSpec spec = gauge_spec(precision, location);
  spec.bounded = false;
  return spec;
}

AsqtadLinks asqtad_links(const ProcessGrid& grid, const Field& gauge, const AsqtadCoefficients& coefficients,
                         Precision precision, const Queue& queue, std::shared_ptr<Transport> transport) {
  require(gauge.geometry().halo_depth() == 0, "asqtad links take their gauge field without halo");
  require(gauge.spec() == gauge_spec(gauge.precision(), gauge.location()),
          "asqtad links are made of links of 18 reals");
  require(precision != Precision::half_precision, "asqtad links are computed in double or single precision");
  const ScopedRange range("asqtad_links");
  const auto extended = gauge.geometry().extended(2);
  const FieldSpec spec = gauge_spec(precision, queue.location());
  Field thin(extended, spec);
  copy(thin, gauge);
  ExtendedHalo(grid, extended, spec, std::move(transport)).exchange(thin, queue);

  Field fat(extended, fat_link_spec(precision, queue.location())), three(extended, spec);
  dispatch(queue.location(), precision, [&](auto kind) {
    using K = decltype(kind);
    launch_fat_links<typename K::target, typename K::scalar>(thin, fat, coefficients, queue);
    launch_three_links<typename K::target, typename K::scalar>(thin, three, queue);
  });
  queue.synchronize();  // before the thin links go
  const auto owned = [&](Field&& field) {
    field.touch();
    if (extended == gauge.geometry_ptr()) return std::move(field);
    Field plain(gauge.geometry_ptr(), field.spec());
    copy(plain, field);
    return plain;
  };
  return {coefficients, owned(std::move(fat)), owned(std::move(three))};
}

}  // namespace plaq
