#include "plaq/lattice.hpp"

#include "comms/start/lattice_start.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

TransportKind kind_of(const std::string& name) {
  const auto kind = transport_kind(name);
  if (kind) return *kind;
  std::string known;
  for (const std::string_view one : transport_names) known += (known.empty() ? "" : ", ") + std::string(one);
  throw Error(ErrorKind::usage, "transport \"" + name + "\" is none of " + known);
}

std::shared_ptr<const SharedLattice> shared_by(const Session& session, const Extents& extents,
                                               const LatticeSettings& settings) {
  const TransportKind kind = kind_of(settings.transport);
  const StartedRanks& ranks = session.started();
  const Sharing sharing =
      choose_sharing({settings.process_grid}, extents, ranks.ranks.size(), ranks.ranks_per_node);
  return std::make_shared<SharedLattice>(
      start_lattice(ranks, extents, sharing, {kind, settings.halo_checksums}));
}

}  // namespace

Lattice::Lattice(const Session& session, const Extents& extents, const LatticeSettings& settings)
    : shared_(shared_by(session, extents, settings)) {}

const Extents& Lattice::extents() const { return shared_->geometry->global(); }
Extents Lattice::local_extents() const { return shared_->geometry->local(); }
Extents Lattice::offset() const { return shared_->geometry->offset(); }
std::int64_t Lattice::volume() const { return shared_->geometry->global_volume(); }
std::int64_t Lattice::local_volume() const { return shared_->geometry->local_volume(); }
Extents Lattice::process_grid() const { return shared_->grid->ranks(); }
int Lattice::rank() const { return shared_->grid->rank(); }
int Lattice::ranks() const { return shared_->grid->size(); }
Location Lattice::location() const { return shared_->location(); }

std::vector<LocalSite> Lattice::local_sites() const {
  const Extents local = local_extents(), first = offset();
  std::vector<LocalSite> sites;
  sites.reserve(static_cast<std::size_t>(local_volume()));
  int index = 0;
  for (int t = 0; t < local[3]; ++t)
    for (int z = 0; z < local[2]; ++z)
      for (int y = 0; y < local[1]; ++y)
        for (int x = 0; x < local[0]; ++x)
          sites.push_back({index++, {first[0] + x, first[1] + y, first[2] + z, first[3] + t}});
  return sites;
}

}  // namespace plaq
