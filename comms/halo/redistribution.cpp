#include "comms/halo/redistribution.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "comms/transport/transport_choice.hpp"
#include "core/field/stored_sites.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"

namespace plaq {
struct Redistribution::Impl {
  // The fields before or after a move.
  struct Side {
    GeometryPtr geometry;  // null where there is none
    FieldSpec spec;
    Queue queue;
    SiteBox own;                 // what stays on this rank
    Buffer own_part;             // for that
    std::vector<SiteBox> boxes;  // of each message

    Side(GeometryPtr g, const FieldSpec& of_fields, Location location)
        : geometry(std::move(g)), spec(of_fields), queue(location) {
      spec.location = location;
    }
    bool is_of(const Field& field) const { return field.spec() == spec && field.geometry_ptr() == geometry; }
  };

  Impl(const ProcessGrid& g, Side spread_side, Side merged_side)
      : grid(&g), spread(std::move(spread_side)), merged(std::move(merged_side)) {}

  const ProcessGrid* grid;
  Side spread, merged;
  std::shared_ptr<Transport> transport;
  std::unique_ptr<Exchange> gather, scatter;  // on a rank of the merged grid with each other one of its box
  std::size_t subfield_bytes = 0;
  int subfields_a_message = 1;

  void expect_geometries(const Extents& merge, bool first) const;
  void expect_fields(const Field& spread_field, const Field* merged_field) const;
  std::vector<FaceMessage> receive_sites(const Extents& merge);
  void move(Exchange& exchange, Side& from, const Field* source, Side& to, Field* target,
            const ActiveSet& subfields, const Queue& queue) const;

  bool here() const { return merged.geometry != nullptr; }
  std::size_t bytes(int subfields) const { return subfield_bytes * static_cast<std::size_t>(subfields); }
};

// From whom this rank of the merged grid has sites, and where they are there.
std::vector<FaceMessage> Redistribution::Impl::receive_sites(const Extents& merge) {
  std::vector<FaceMessage> messages;
  for (int n = 0; n < merge[0] * merge[1] * merge[2] * merge[3]; ++n) {
    const Extents inside = position_of(n, merge);
    Extents position = grid->position();
    Coordinates corner;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      position[mu] += inside[mu];
      corner.x[mu] = inside[mu] * spread.geometry->local()[mu];
    }
    const SiteBox box(spread.geometry->general_shape(), merged.geometry->general_shape(), corner);
    if (n == 0) {
      merged.own = box;
      continue;
    }
    merged.boxes.push_back(box);
    messages.push_back(
        {FaceMessage::nobody, grid->rank_of(position), FaceMessage::sites_tag, bytes(subfields_a_message)});
  }
  return messages;
}

void Redistribution::Impl::expect_geometries(const Extents& merge, bool first) const {
  require(spread.geometry->halo_depth() == 0, "a redistribution of fields with halo");
  require(here() == first, "a merged geometry belongs on the ranks of the merged grid, and only there");
  if (!here()) return;
  const Decomposition& d = merged.geometry->decomposition();
  bool fits = merged.geometry->halo_depth() == 0 && d.global == spread.geometry->global() &&
              merged.geometry->order() == spread.geometry->order();
  for (std::size_t mu = 0; mu < 4; ++mu)
    fits = fits && d.ranks[mu] * merge[mu] == grid->ranks()[mu] &&
           d.position[mu] * merge[mu] == grid->position()[mu];
  require(fits, "a merged geometry of another lattice, site order or process grid");
}

void Redistribution::Impl::expect_fields(const Field& spread_field, const Field* merged_field) const {
  require(spread.is_of(spread_field), "a redistribution was given another kind of field");
  require((merged_field != nullptr) == here(),
          "a redistribution needs the merged field on the ranks of the merged grid, and only there");
  require(!here() || merged.is_of(*merged_field), "a redistribution was given another kind of merged field");
}

Redistribution::Redistribution(const ProcessGrid& grid, const Extents& merge, GeometryPtr spread,
                               GeometryPtr merged, const FieldSpec& spec, Location merged_location,
                               std::size_t most_bytes)
    : impl_(std::make_unique<Impl>(grid, Impl::Side(std::move(spread), spec, spec.location),
                                   Impl::Side(std::move(merged), spec, merged_location))) {
  const MemoryName name("sites that move");
  Impl& i = *impl_;
  Extents first = grid.position();
  for (std::size_t mu = 0; mu < 4; ++mu) {
    require(merge[mu] >= 1 && grid.ranks()[mu] % merge[mu] == 0, "ranks that cannot be merged");
    first[mu] -= first[mu] % merge[mu];
  }
  i.expect_geometries(merge, first == grid.position());
  const GeneralShape& shape = i.spread.geometry->general_shape();
  i.spread.own = SiteBox(shape, shape, Coordinates());
  i.subfield_bytes = packed_bytes(spec, i.spread.own);
  i.subfields_a_message = static_cast<int>(
      std::clamp<std::size_t>(most_bytes / i.subfield_bytes, 1, static_cast<std::size_t>(spec.subfields)));
  std::vector<FaceMessage> in;
  if (i.here()) {
    in = i.receive_sites(merge);
    i.spread.own_part = Buffer(spec.location, i.bytes(i.subfields_a_message));
    if (merged_location == spec.location) {
      i.merged.queue = i.spread.queue;
      i.merged.own_part = i.spread.own_part;
    } else {
      i.merged.own_part = Buffer(merged_location, i.spread.own_part.bytes());
    }
  } else {
    i.spread.boxes.push_back(i.spread.own);
    in.push_back(
        {grid.rank_of(first), FaceMessage::nobody, FaceMessage::sites_tag, i.bytes(i.subfields_a_message)});
  }
  std::vector<FaceMessage> out = in;
  for (FaceMessage& m : out) std::swap(m.send_to, m.receive_from);
  i.transport = make_transport(grid, i.here() ? merged_location : spec.location, TransportKind::host);
  i.gather = i.transport->prepare(in);
  i.scatter = i.transport->prepare(out);
}

Redistribution::~Redistribution() = default;

// A message holds some subfields.
void Redistribution::Impl::move(Exchange& exchange, Side& from, const Field* source, Side& to, Field* target,
                                const ActiveSet& subfields, const Queue& queue) const {
  const Queue& exchanging = here() ? merged.queue : spread.queue;
  Event ready(queue.location());
  ready.record(queue);
  from.queue.wait(ready);
  to.queue.wait(ready);
  for (int first = 0; first < subfields.count(); first += subfields_a_message) {
    const ActiveSet some = subfields.part(first, subfields_a_message);
    exchange.begin();
    if (source != nullptr)
      for (std::size_t m = 0; m < from.boxes.size(); ++m)
        pack_sites(*source, from.boxes[m], some, exchange.send(m), from.queue);
    exchange.start(exchanging, bytes(some.count()));
    if (source != nullptr && target != nullptr) {
      pack_sites(*source, from.own, some, from.own_part.data(), from.queue);
      if (from.own_part.data() != to.own_part.data())
        copy_bytes(to.own_part.data(), to.spec.location, from.own_part.data(), from.spec.location,
                   bytes(some.count()));
      unpack_sites(*target, to.own, some, to.own_part.data(), to.queue);
    }
    exchange.finish(exchanging);
    if (target != nullptr)
      for (std::size_t m = 0; m < to.boxes.size(); ++m)
        unpack_sites(*target, to.boxes[m], some, exchange.receive(m), to.queue);
  }
  to.queue.synchronize();
}

void Redistribution::gather(Field* to, const Field& from, const ActiveSet& active, const Queue& queue) {
  Impl& i = *impl_;
  i.expect_fields(from, to);
  const ScopedRange range("gather");
  i.move(*i.gather, i.spread, &from, i.merged, to, active.spread(from.Ls()), queue);
}

void Redistribution::scatter(Field& to, const Field* from, const ActiveSet& active, const Queue& queue) {
  Impl& i = *impl_;
  i.expect_fields(to, from);
  const ScopedRange range("scatter");
  i.move(*i.scatter, i.merged, from, i.spread, &to, active.spread(to.Ls()), queue);
}

}  // namespace plaq
