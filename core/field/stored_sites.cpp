#include "core/field/stored_sites.hpp"

#include "core/field/field_launch.hpp"
#include "core/launch/dispatch.hpp"

namespace plaq {
namespace {

void move_sites(const Field& field, const SiteBox& box, const ActiveSet& subfields, void* packed,
                bool to_packed, PackedOrder order, const Queue& queue) {
  require(subfields.batch() == field.subfields(), "sites of other subfields than a field has");
  require(order == PackedOrder::checkerboard || field.spec().subset == Subset::full,
          "sites of one parity in lexicographic order");
  if (subfields.count() == 0) return;
  dispatch_storage(field.location(), field.precision(), [&]<class Kind>(Kind) {
    launch_move_sites<typename Kind::target, typename Kind::scalar>(field, box, subfields, packed, to_packed,
                                                                    order, queue);
  });
}

}  // namespace

std::size_t stored_site_bytes(const FieldSpec& spec) {
  return static_cast<std::size_t>(spec.reals() * bytes_of(spec.precision)) +
         (spec.with_scale() ? sizeof(float) : 0);
}

std::size_t packed_bytes(const FieldSpec& spec, const SiteBox& box) {
  const int parities = spec.subset == Subset::full ? box.shape.parities() : 1;
  return stored_site_bytes(spec) * static_cast<std::size_t>(parities * box.shape.stored_sites());
}

void pack_sites(const Field& field, const SiteBox& box, const ActiveSet& subfields, void* packed,
                const Queue& queue, PackedOrder order) {
  move_sites(field, box, subfields, packed, true, order, queue);
}

void unpack_sites(Field& field, const SiteBox& box, const ActiveSet& subfields, const void* packed,
                  const Queue& queue, PackedOrder order) {
  move_sites(field, box, subfields, const_cast<void*>(packed), false, order, queue);
  field.touch();
}

std::size_t plane_bytes(const Field& like, int mu) {
  const int bytes = bytes_of(like.precision());
  return Layout(like.location(), like.reals_per_site(), like.geometry().shape().face_sites(mu), bytes)
             .size() *
         static_cast<std::size_t>(bytes);
}

void copy_halo_planes(const Field& field, const HaloPlanes& planes, const std::array<void*, 2>& buffers,
                      bool to_buffers, const Queue& queue) {
  require(field.spec().order == Order::sites_fastest, "slices of a field with right-hand sides fastest");
  dispatch(field.location(), field.precision(), [&](auto kind) {
    using K = decltype(kind);
    launch_copy_halo_planes<typename K::target, typename K::scalar>(field, planes, buffers, to_buffers,
                                                                    queue);
  });
}

}  // namespace plaq
