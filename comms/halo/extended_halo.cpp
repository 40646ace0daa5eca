#include "comms/halo/extended_halo.hpp"

#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "comms/halo/halo_work.hpp"
#include "core/field/stored_sites.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/profiler.hpp"
#include "core/system/timer.hpp"
#include "core/system/waiting.hpp"

namespace plaq {

// Directions go one after the other: each one's slices include the corners that those before it brought.
struct ExtendedHalo::Impl {
  GeometryPtr geometry;
  FieldSpec like;
  std::shared_ptr<Transport> transport;
  struct Direction {
    std::size_t plane = 0;              // bytes
    std::vector<FaceMessage> messages;  // 0 goes backward, 1 forward
    std::unique_ptr<Exchange> exchange;
  };
  Direction direction[4];

  void move(Field& field, HaloPlanes planes, const Queue& queue);
};

// The slices of one direction, profiled as an operator without an interior.
void ExtendedHalo::Impl::move(Field& field, HaloPlanes planes, const Queue& queue) {
  auto& d = direction[planes.mu];
  const auto& shape = geometry->shape();
  const std::array owned{planes.depth, shape.extent[planes.mu] - 2 * planes.depth};
  const std::array extended_halo{0, shape.extent[planes.mu] - planes.depth};
  const std::size_t bytes = static_cast<std::size_t>(planes.count()) * d.plane;
  record_exchange(*geometry, {"extended_halo", "link_update", field.precision()}, planes.mu,
                  static_cast<double>(bytes));
  Profiler* profiler = profiler_of(queue);
  const std::string outer = profiler != nullptr ? ranges_now() : "";
  const ScopedRange range("extended_halo");
  const auto events = profiler != nullptr ? profiler->take() : nullptr;
  const auto mark = [&](std::initializer_list<Event*> all) {
    for (Event* event : all) event->record(queue);
  };

  if (events) mark({&events->halo.begun});
  d.exchange->begin();
  planes.first = owned;
  copy_halo_planes(field, planes, {d.exchange->send(0), d.exchange->send(1)}, true, queue);
  if (events) mark({&events->halo.packed, &events->interior_begun, &events->interior_done});
  d.exchange->start(queue, bytes);
  d.exchange->finish(queue);
  if (events) mark({&events->halo.arrived, &events->boundary_begun});
  planes.first = extended_halo;
  copy_halo_planes(field, planes, {d.exchange->receive(1), d.exchange->receive(0)}, false, queue);
  if (!events) return;
  mark({&events->boundary_done});
  profiler->keep(outer + (outer.empty() ? "" : ", ") + "extended_halo", events,
                 traffic_of(*transport, d.messages, bytes));
}

std::size_t ExtendedHalo::plane_bytes(const Geometry& geometry, const FieldSpec& like, int mu) {
  const int bytes = bytes_of(like.precision);
  return Layout(like.location, 2 * like.spins * like.colors, geometry.shape().face_sites(mu), bytes).size() *
         static_cast<std::size_t>(bytes);
}

std::size_t ExtendedHalo::side_bytes(const Geometry& geometry, const FieldSpec& like, int mu) {
  if (!geometry.partitioned(mu)) return 0;
  return plane_bytes(geometry, like, mu) *
         static_cast<std::size_t>(geometry.halo_depth() * like.subfields * 2);
}

ExtendedHalo::ExtendedHalo(const ProcessGrid& grid, GeometryPtr geometry, const FieldSpec& like,
                           std::shared_ptr<Transport> transport)
    : impl_(std::make_unique<Impl>()) {
  impl_->geometry = std::move(geometry);
  impl_->like = like;
  if (!impl_->geometry->any_partitioned()) return;
  require(impl_->geometry->halo_depth() > 0, "a halo exchange needs an extended geometry");
  require(transport != nullptr, "a partitioned lattice needs a transport");
  impl_->transport = std::move(transport);
  for (int mu = 0; mu < 4; ++mu) {
    if (!impl_->geometry->partitioned(mu)) continue;
    auto& d = impl_->direction[mu];
    d.plane = plane_bytes(*impl_->geometry, like, mu);
    // A face that we send backward arrives at the neighbour from its forward side.
    const std::size_t total = side_bytes(*impl_->geometry, like, mu);
    d.messages = {{grid.neighbor(mu, false), grid.neighbor(mu, true), 16 + 2 * mu, total},
                  {grid.neighbor(mu, true), grid.neighbor(mu, false), 17 + 2 * mu, total}};
    d.exchange = impl_->transport->prepare(d.messages);
  }
}

ExtendedHalo::~ExtendedHalo() = default;

void ExtendedHalo::exchange(Field& field, const Queue& queue, ExtendedHaloContent content) {
  if (!impl_->geometry->any_partitioned()) return;
  require(field.spec() == impl_->like && field.geometry_ptr() == impl_->geometry,
          "a halo exchange was given another kind of field");
  require(field.subfields() <= HaloPlanes::most_subfields,
          "a halo exchange of more subfields than it has planes for");
  const auto& shape = impl_->geometry->shape();
  for (int mu = 0; mu < 4; ++mu) {
    if (!impl_->geometry->partitioned(mu) || ((content.directions >> mu) & 1u) == 0) continue;
    HaloPlanes planes;
    planes.mu = mu;
    planes.depth = shape.halo[mu];
    for (int s = 0; s < field.subfields(); ++s)
      if ((content.subfields >> s) & 1u)
        planes.subfields[static_cast<std::size_t>(planes.subfield_count++)] = s;
    for (int p = 0; p < 2; ++p)
      if ((content.parities >> p) & 1u) planes.parities[static_cast<std::size_t>(planes.parity_count++)] = p;
    if (planes.count() == 0) return;
    impl_->move(field, planes, queue);
  }
}

}  // namespace plaq
