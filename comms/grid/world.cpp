#include "comms/grid/world.hpp"

#include <optional>
#include <utility>

#include "comms/communicator/mpi_session.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"

namespace plaq {
namespace {

std::optional<Communicator> part_of_world;

void speak_in(const Communicator& comm) { log::set_rank(comm.rank(), comm.size()); }

}  // namespace

Communicator whole_world() { return mpi_runs() ? Communicator(MPI_COMM_WORLD) : Communicator::alone(); }

Communicator world() {
  if (runs_dry()) return Communicator::alone();
  return part_of_world ? *part_of_world : whole_world();
}

int world_size() {
  if (const DryRun* run = DryRun::current()) return run->machine().ranks;
  return world().size();
}

WorldPart::WorldPart(Communicator part) {
  part_of_world = std::move(part);
  speak_in(*part_of_world);
}

WorldPart::~WorldPart() {
  part_of_world.reset();
  speak_in(whole_world());
}

}  // namespace plaq
