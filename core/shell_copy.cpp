#include "core/shell_copy.hpp"

#include "core/dispatch.hpp"
#include "core/shell_copy_kernel.hpp"

namespace plaq {

std::size_t plane_bytes(const Field& like, int mu) {
  const int bytes = bytes_of(like.precision());
  return Layout(like.location(), like.reals_per_site(), like.geometry().shape().face_sites(mu), bytes)
             .size() *
         static_cast<std::size_t>(bytes);
}

void copy_shell(const Field& field, const ShellPlanes& planes, void* buffer, bool to_buffer,
                const Queue& queue) {
  dispatch(field.location(), field.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_copy_shell<typename K::target, typename K::scalar>(field, planes, buffer, to_buffer, queue);
  });
}

}  // namespace plaq
