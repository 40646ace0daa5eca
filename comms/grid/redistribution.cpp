#include "comms/grid/redistribution.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <utility>
#include <vector>

#include "comms/transport/transport.hpp"
#include "core/field/stored_sites.hpp"
#include "core/system/error.hpp"
#include "core/system/timer.hpp"

namespace plaq {

// A message holds some subfields, in each its parities, in each the sites in their order on the rank that has
// them spread, and where that rank has a site less of one parity than of the other, an unused place.
struct Redistribution::Impl {
  using Sites = std::array<std::vector<int>, 2>;  // checkerboard indices, by parity
  // What one rank of the spread field has: where its sites are in the merged field, in its own order.
  struct Part {
    int rank;
    Sites sites;
  };

  const ProcessGrid* grid;
  GeometryPtr spread, merged;
  FieldSpec spec;
  std::shared_ptr<Transport> transport;
  std::unique_ptr<Exchange> gather, scatter;   // message m is of part m + 1, or this rank's alone
  std::vector<Part> parts;                     // where the merged field is: this rank's own comes first
  Sites own;                                   // 0, 1, ...: this rank's sites of the spread field
  std::size_t parities = 1, parity_bytes = 0;  // of a subfield
  int subfields_a_message = 1;
  std::vector<char> own_part;
  Field host_spread, host_merged;
  Queue queue{Location::host};

  void add_parts(const Extents& merge);
  void prepare(int first_rank);
  void expect(const Field& spread_field, const Field* merged_field) const;

  std::size_t bytes(int subfields) const {
    return parities * parity_bytes * static_cast<std::size_t>(subfields);
  }
  // A field on the host: itself, or of one on a device a copy, which is made at the first call.
  const Field& read(const Field& field, Field& copied) const;
  Field& write(Field& field, Field& copied) const;
  Field& copy_on_host(const GeometryPtr& geometry, Field& copied) const;
  // Calls step(first, count) for the subfields of each message.
  template <class Step>
  void for_messages(Step&& step) const {
    for (int first = 0; first < spec.subfields; first += subfields_a_message)
      step(first, std::min(subfields_a_message, spec.subfields - first));
  }
  // Calls move(subfield, parity, bytes before it in the message).
  template <class Move>
  void for_pieces(int first, int count, Move&& move) const {
    std::size_t at = 0;
    for (int subfield = first; subfield < first + count; ++subfield)
      for (std::size_t p = 0; p < parities; ++p, at += parity_bytes)
        move(subfield, spec.subset == Subset::odd ? 1 : static_cast<int>(p), at);
  }
  void pack(const Field& field, const Sites& sites, int first, int count, void* message) const {
    for_pieces(first, count, [&](int subfield, int parity, std::size_t at) {
      pack_sites(field, subfield, parity, sites[static_cast<std::size_t>(parity)],
                 static_cast<char*>(message) + at);
    });
  }
  void unpack(Field& field, const Sites& sites, int first, int count, const void* message) const {
    for_pieces(first, count, [&](int subfield, int parity, std::size_t at) {
      unpack_sites(field, subfield, parity, sites[static_cast<std::size_t>(parity)],
                   static_cast<const char*>(message) + at);
    });
  }
  // This rank's own part, which no message carries.
  void move_own(Field& to, const Sites& to_sites, const Field& from, const Sites& from_sites, int first,
                int count) {
    own_part.resize(bytes(count));
    pack(from, from_sites, first, count, own_part.data());
    unpack(to, to_sites, first, count, own_part.data());
  }
};

void Redistribution::Impl::add_parts(const Extents& merge) {
  const GeneralShape &from = spread->general_shape(), &to = merged->general_shape();
  for (int n = 0; n < merge[0] * merge[1] * merge[2] * merge[3]; ++n) {
    const Extents inside = position_of(n, merge);
    Extents position = grid->position();
    Coordinates corner;
    for (std::size_t mu = 0; mu < 4; ++mu) {
      position[mu] += inside[mu];
      corner.x[mu] = inside[mu] * spread->local()[mu];
    }
    Part part{grid->rank_of(position), {}};
    // The same coordinates in all parts, but for their parities.
    const int odd = to.parity(corner);
    for (int parity = 0; parity < spread->parities(); ++parity) {
      GeneralShape shape = from;
      shape.origin_parity = odd;
      for (int s = 0; s < shape.parity_sites(parity); ++s) {
        Coordinates c = shape.coordinates(parity, s);
        for (int mu = 0; mu < 4; ++mu) c.x[mu] += corner.x[mu];
        part.sites[static_cast<std::size_t>(parity)].push_back(to.index(c));
      }
    }
    parts.push_back(std::move(part));
  }
}

void Redistribution::Impl::prepare(int first_rank) {
  std::vector<FaceMessage> in;
  const std::size_t message = bytes(subfields_a_message);
  constexpr int tag = FaceMessage::sites_tag;
  if (merged) {
    for (std::size_t p = 1; p < parts.size(); ++p)
      in.push_back({FaceMessage::nobody, parts[p].rank, tag, message});
  } else {
    in.push_back({first_rank, FaceMessage::nobody, tag, message});
  }
  std::vector<FaceMessage> out = in;
  for (FaceMessage& m : out) std::swap(m.send_to, m.receive_from);
  transport = make_host_transport(*grid, Location::host);
  gather = transport->prepare(in);
  scatter = transport->prepare(out);
}

void Redistribution::Impl::expect(const Field& spread_field, const Field* merged_field) const {
  require(spread_field.spec() == spec && spread_field.geometry_ptr() == spread,
          "a redistribution was given another kind of field");
  require((merged_field != nullptr) == (merged != nullptr),
          "a redistribution needs the merged field on the ranks of the merged grid, and only there");
  if (merged)
    require(merged_field->spec() == spec && merged_field->geometry_ptr() == merged,
            "a redistribution was given another kind of merged field");
}

Field& Redistribution::Impl::copy_on_host(const GeometryPtr& geometry, Field& copied) const {
  FieldSpec host = spec;
  host.location = Location::host;
  if (!copied) copied = Field(geometry, host);
  return copied;
}

const Field& Redistribution::Impl::read(const Field& field, Field& copied) const {
  if (field.location() == Location::host) return field;
  copy(copy_on_host(field.geometry_ptr(), copied), field);
  return copied;
}

Field& Redistribution::Impl::write(Field& field, Field& copied) const {
  if (field.location() == Location::host) return field;
  return copy_on_host(field.geometry_ptr(), copied);
}

Redistribution::Redistribution(const ProcessGrid& grid, const Extents& merge, GeometryPtr spread,
                               GeometryPtr merged, const FieldSpec& spec, std::size_t most_bytes)
    : impl_(std::make_unique<Impl>()) {
  Impl& i = *impl_;
  i.grid = &grid;
  i.spread = std::move(spread);
  i.merged = std::move(merged);
  i.spec = spec;
  Extents first = grid.position();
  for (std::size_t mu = 0; mu < 4; ++mu) {
    require(merge[mu] >= 1 && grid.ranks()[mu] % merge[mu] == 0, "ranks that cannot be merged");
    first[mu] -= first[mu] % merge[mu];
  }
  require(i.spread->halo_depth() == 0, "a redistribution of fields with halo");
  require((i.merged != nullptr) == (first == grid.position()),
          "a merged geometry belongs on the ranks of the merged grid, and only there");
  for (int parity = 0; parity < i.spread->parities(); ++parity) {
    auto& sites = i.own[static_cast<std::size_t>(parity)];
    sites.resize(static_cast<std::size_t>(i.spread->general_shape().parity_sites(parity)));
    std::iota(sites.begin(), sites.end(), 0);
  }
  if (spec.subset == Subset::full) i.parities = static_cast<std::size_t>(i.spread->parities());
  i.parity_bytes =
      stored_site_bytes(spec) * static_cast<std::size_t>(i.spread->general_shape().stored_sites());
  i.subfields_a_message = static_cast<int>(
      std::clamp<std::size_t>(most_bytes / i.bytes(1), 1, static_cast<std::size_t>(spec.subfields)));
  if (i.merged) {
    const Decomposition& d = i.merged->decomposition();
    bool fits = i.merged->halo_depth() == 0 && d.global == i.spread->global() &&
                i.merged->order() == i.spread->order();
    for (std::size_t mu = 0; mu < 4; ++mu)
      fits = fits && d.ranks[mu] * merge[mu] == grid.ranks()[mu] &&
             d.position[mu] * merge[mu] == grid.position()[mu];
    require(fits, "a merged geometry of another lattice, site order or process grid");
    i.add_parts(merge);
  }
  i.prepare(grid.rank_of(first));
}

Redistribution::~Redistribution() = default;

void Redistribution::gather(Field* to, const Field& from) {
  Impl& i = *impl_;
  i.expect(from, to);
  const ScopedRange range("gather");
  const Field& source = i.read(from, i.host_spread);
  Field* target = to != nullptr ? &i.write(*to, i.host_merged) : nullptr;
  i.for_messages([&](int first, int count) {
    i.gather->begin();
    if (target == nullptr) i.pack(source, i.own, first, count, i.gather->send(0));
    i.gather->start(i.queue, i.bytes(count));
    if (target != nullptr) i.move_own(*target, i.parts[0].sites, source, i.own, first, count);
    i.gather->finish(i.queue);
    for (std::size_t p = 1; p < i.parts.size(); ++p)
      i.unpack(*target, i.parts[p].sites, first, count, i.gather->receive(p - 1));
  });
  if (target != to) copy(*to, *target);
}

void Redistribution::scatter(Field& to, const Field* from) {
  Impl& i = *impl_;
  i.expect(to, from);
  const ScopedRange range("scatter");
  const Field* source = from != nullptr ? &i.read(*from, i.host_merged) : nullptr;
  Field& target = i.write(to, i.host_spread);
  i.for_messages([&](int first, int count) {
    i.scatter->begin();
    for (std::size_t p = 1; p < i.parts.size(); ++p)
      i.pack(*source, i.parts[p].sites, first, count, i.scatter->send(p - 1));
    i.scatter->start(i.queue, i.bytes(count));
    if (source != nullptr) i.move_own(target, i.own, *source, i.parts[0].sites, first, count);
    i.scatter->finish(i.queue);
    if (source == nullptr) i.unpack(target, i.own, first, count, i.scatter->receive(0));
  });
  if (&target != &to) copy(to, target);
}

}  // namespace plaq
