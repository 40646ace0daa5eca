#include "core/field/halo_planes.hpp"

#include "core/field/halo_planes_kernel.hpp"
#include "core/launch/dispatch.hpp"

namespace plaq {

std::size_t plane_bytes(const Field& like, int mu) {
  const int bytes = bytes_of(like.precision());
  return Layout(like.location(), like.reals_per_site(), like.geometry().shape().face_sites(mu), bytes)
             .size() *
         static_cast<std::size_t>(bytes);
}

void copy_halo_planes(const Field& field, const HaloPlanes& planes, void* buffer, bool to_buffer,
                      const Queue& queue) {
  require(field.spec().order == Order::sites_fastest, "slices of a field with right-hand sides fastest");
  dispatch(field.location(), field.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_copy_halo_planes<typename K::target, typename K::scalar>(field, planes, buffer, to_buffer, queue);
  });
}

}  // namespace plaq
