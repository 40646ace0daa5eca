#include "kernels/gauge/hisq_links.hpp"

#include <cmath>
#include <utility>

#include "comms/halo/extended_halo.hpp"
#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/gauge/improved_links.hpp"

namespace plaq {

AsqtadCoefficients fat7_coefficients() { return {1.0 / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, 0, 0}; }

AsqtadCoefficients hisq_coefficients(double naik_epsilon) {
  if (!std::isfinite(naik_epsilon))
    throw Error(ErrorKind::job_file, "epsilon of HISQ links is not a finite number");
  return {1 + naik_epsilon / 8, 1.0 / 16, 1.0 / 64, 1.0 / 384, -1.0 / 8, -(1 + naik_epsilon) / 24};
}

AsqtadLinks hisq_links(const ProcessGrid& grid, const Field& gauge, double naik_epsilon, Precision precision,
                       const Queue& queue, std::shared_ptr<Transport> transport) {
  const ScopedRange range("hisq_links");
  Field w;
  {
    const Field links = extended_links(grid, gauge, precision, queue, transport);
    w = fat_links(links, fat7_coefficients(), queue);
    dispatch(queue.location(), precision, [&](auto kind) {
      using K = decltype(kind);
      launch_unitary_links<typename K::target, typename K::scalar>(links, w, w, queue);
    });
    queue.synchronize();  // before the links go
  }
  ExtendedHalo(grid, w.geometry_ptr(), w.spec(), std::move(transport)).exchange(w, queue);
  return improved_links(w, gauge.geometry_ptr(), hisq_coefficients(naik_epsilon), queue);
}

}  // namespace plaq
