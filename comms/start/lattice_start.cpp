#include "comms/start/lattice_start.hpp"

#include <fmt/format.h>

#include "comms/transport/transport_checked.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"

namespace plaq {

Sharing choose_sharing(const SharingSettings& settings, const Extents& extents, int ranks, int ranks_per_node,
                       int least_slices) {
  if (settings.process_grid) check_grid(*settings.process_grid, ranks);
  const Extents shape = settings.process_grid ? *settings.process_grid
                                              : choose_grid(ranks, extents, ranks_per_node, least_slices);
  if (least_slices > usual_least_slices) check_slices(shape, extents, least_slices, settings.forced);
  return {shape, settings.forced, choose_block(shape, extents, ranks_per_node)};
}

TransportChoice start_transport(const ProcessGrid& grid, Location location, const FaceSettings& settings,
                                const TransportChooser& choose) {
  TransportChoice made = choose(grid, location, settings.transport);
  if (settings.checksums) {
    made.transport = std::make_shared<CheckedTransport>(grid, location, made.transport);
    made.text += ", with checksums";
  }
  return made;
}

SharedLattice start_lattice(const StartedRanks& ranks, const Extents& extents, const Sharing& sharing,
                            const FaceSettings& faces) {
  auto grid = std::make_shared<ProcessGrid>(ranks.ranks, sharing.grid, sharing.block);
  const GeometryPtr geometry = grid->geometry(extents, sharing.forced);
  if (DryRun* dry = DryRun::current()) dry->lies_on(Geometry::create(geometry->decomposition()));
  const Phase phase("trying transports");
  TransportChoice transport = start_transport(*grid, ranks.site.location, faces);
  for (const std::string& why : transport.refused) log::info("transport not used: " + why);
  const std::string blocks =
      ranks.ranks_per_node < grid->size() ? ", " + to_string(sharing.block) + " on a node" : std::string();
  log::info(fmt::format("lattice {} on process grid {}{}: {} sites a rank, {}{}", to_string(extents),
                        to_string(sharing.grid), blocks, geometry->local_volume(), text_of(ranks.site),
                        grid->size() > 1 ? ", faces by " + transport.text : std::string()));
  return {std::move(grid), geometry, ranks.queue, std::move(transport.transport)};
}

}  // namespace plaq
