#include "comms/shell_exchange.hpp"

#include "comms/face_memory.hpp"
#include "comms/transport.hpp"
#include "core/error.hpp"
#include "core/shell_copy.hpp"

namespace plaq {

// Directions go one after the other: each one's slices include the corners that those before it brought.
struct ShellExchange::Impl {
  const ProcessGrid* grid;
  GeometryPtr geometry;
  FieldSpec like;
  std::shared_ptr<Transport> transport;
  struct Direction {
    std::size_t plane = 0;               // bytes
    std::unique_ptr<Exchange> exchange;  // message 0 goes backward, 1 forward
  };
  Direction direction[4];
};

std::size_t ShellExchange::plane_bytes(const Geometry& geometry, const FieldSpec& like, int mu) {
  const int bytes = bytes_of(like.precision);
  return Layout(like.location, 2 * like.rows * like.columns, geometry.shape().face_sites(mu), bytes).size() *
         static_cast<std::size_t>(bytes);
}

std::size_t ShellExchange::side_bytes(const Geometry& geometry, const FieldSpec& like, int mu) {
  if (!geometry.partitioned(mu)) return 0;
  return plane_bytes(geometry, like, mu) * static_cast<std::size_t>(geometry.halo_depth() * like.slots * 2);
}

std::size_t ShellExchange::buffer_bytes(const Geometry& geometry, const FieldSpec& like, int mu) {
  const std::size_t side = side_bytes(geometry, like, mu);
  return 2 * FaceMemory::bytes({side, side});
}

ShellExchange::ShellExchange(const ProcessGrid& grid, GeometryPtr geometry, const FieldSpec& like)
    : impl_(std::make_unique<Impl>()) {
  impl_->grid = &grid;
  impl_->geometry = std::move(geometry);
  impl_->like = like;
  if (!impl_->geometry->any_partitioned()) return;
  require(impl_->geometry->halo_depth() > 0, "a shell exchange needs an extended geometry");
  impl_->transport = make_host_transport(grid, like.location);
  for (int mu = 0; mu < 4; ++mu) {
    if (!impl_->geometry->partitioned(mu)) continue;
    auto& d = impl_->direction[mu];
    d.plane = plane_bytes(*impl_->geometry, like, mu);
    // What we send backward arrives at the neighbour from its forward side.
    const std::size_t total = side_bytes(*impl_->geometry, like, mu);
    d.exchange =
        impl_->transport->prepare({{grid.neighbor(mu, false), grid.neighbor(mu, true), 16 + 2 * mu, total},
                                   {grid.neighbor(mu, true), grid.neighbor(mu, false), 17 + 2 * mu, total}});
  }
}

ShellExchange::~ShellExchange() = default;

void ShellExchange::exchange(Field& field, const Queue& queue, ShellContent content) {
  if (!impl_->geometry->any_partitioned()) return;
  require(field.spec() == impl_->like && field.geometry_ptr() == impl_->geometry,
          "a shell exchange was given another kind of field");
  const auto& shape = impl_->geometry->shape();
  for (int mu = 0; mu < 4; ++mu) {
    if (!impl_->geometry->partitioned(mu)) continue;
    auto& d = impl_->direction[mu];
    ShellPlanes planes;
    planes.mu = mu;
    planes.depth = shape.halo[mu];
    for (int s = 0; s < field.slots(); ++s)
      if ((content.slots >> s) & 1u) planes.slots[static_cast<std::size_t>(planes.slot_count++)] = s;
    for (int p = 0; p < 2; ++p)
      if ((content.parities >> p) & 1u) planes.parities[static_cast<std::size_t>(planes.parity_count++)] = p;
    if (planes.count() == 0) return;
    const int owned[2] = {shape.halo[mu], shape.extent[mu] - 2 * shape.halo[mu]};
    const int shell[2] = {0, shape.extent[mu] - shape.halo[mu]};
    d.exchange->begin();
    for (int side = 0; side < 2; ++side) {
      planes.first = owned[side];
      copy_shell(field, planes, d.exchange->send(static_cast<std::size_t>(side)), true, queue);
    }
    d.exchange->start(queue, static_cast<std::size_t>(planes.count()) * d.plane);
    d.exchange->finish(queue);
    for (int side = 0; side < 2; ++side) {
      planes.first = shell[side];
      copy_shell(field, planes, d.exchange->receive(static_cast<std::size_t>(1 - side)), false, queue);
    }
  }
}

}  // namespace plaq
