#include "kernels/gauge/asqtad_links.hpp"

#include <cmath>
#include <string>
#include <utility>

#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/improved_links.hpp"

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
  const ScopedRange range("asqtad_links");
  const Field thin = extended_links(grid, gauge, precision, queue, std::move(transport));
  return improved_links(thin, gauge.geometry_ptr(), coefficients, queue);
}

}  // namespace plaq
