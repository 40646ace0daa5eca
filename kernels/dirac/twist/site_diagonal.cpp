#include "kernels/dirac/twist/site_diagonal.hpp"

#include "core/launch/dispatch.hpp"
#include "core/operator/kernel_work.hpp"
#include "core/system/error.hpp"
#include "kernels/dirac/twist/site_diagonal_launch.hpp"

namespace plaq {

Work site_diagonal_work(const Geometry& geometry, Precision precision, const SiteDiagonal& d, int vectors,
                        bool adds) {
  const double sites = 0.5 * static_cast<double>(geometry.local_volume()), real = bytes_of(precision);
  const double scales = precision == Precision::half_precision ? 4 : 0;
  const int blocks = (d.a_blocks != nullptr) + (d.b_blocks != nullptr);
  return {sites * vectors * (72 + 504 * blocks + (adds ? 48 : 0)),
          sites * (blocks * (72 * real + 2 * scales) + vectors * (adds ? 3 : 2) * (24 * real + scales))};
}

void apply_site_diagonal(Field& out, const Field& in, const SiteDiagonal& diagonal, int parity, bool dagger,
                         const ActiveSet& active, const Queue& queue, const Field* add, double factor) {
  require(add != nullptr || factor == 1, "a factor of a diagonal that is not added to anything");
  require(active.batch() == in.subfields() && out.subfields() == in.subfields() &&
              (add == nullptr || add->subfields() == in.subfields()),
          "batches of different size in the diagonal of twisted-mass quarks");
  for (const Field* other : {static_cast<const Field*>(&out), add, diagonal.a_blocks, diagonal.b_blocks})
    require(other == nullptr || (other->precision() == in.precision() && other->location() == in.location() &&
                                 other->holds(parity) && other->geometry().local() == in.geometry().local() &&
                                 other->geometry().halo_depth() == in.geometry().halo_depth()),
            "a diagonal of another lattice or precision than its spinors'");
  if (active.count() == 0) return;
  record(queue,
         {"twist", "vector_update", in.precision(), 0, active.count(), false,
          site_diagonal_work(in.geometry(), in.precision(), diagonal, active.count(), add != nullptr)});
  SiteDiagonalCall call{diagonal, &in, add, factor, &out, parity, active};
  if (dagger) call.diagonal.b = -diagonal.b;
  dispatch_storage(in.location(), in.precision(), [&](auto kind) {
    using K = decltype(kind);
    SiteDiagonalLaunch<typename K::target, typename K::scalar>::run(call, queue);
  });
}

}  // namespace plaq
