#include "comms/communicator/world.hpp"

#include <utility>
#include <vector>

#include "comms/communicator/mpi_session.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"

namespace plaq {
namespace {

std::vector<Communicator> parts_of_world;  // the innermost last

void speak_in(const Communicator& comm) { log::set_rank(comm.rank(), comm.size()); }

}  // namespace

Communicator whole_world() { return mpi_runs() ? Communicator(MPI_COMM_WORLD) : Communicator::alone(); }

Communicator world() {
  if (runs_dry()) return Communicator::alone();
  return parts_of_world.empty() ? whole_world() : parts_of_world.back();
}

int world_size() {
  if (const DryRun* run = DryRun::current()) return run->machine().ranks;
  return world().size();
}

WorldPart::WorldPart(Communicator part) {
  parts_of_world.push_back(std::move(part));
  speak_in(parts_of_world.back());
}

WorldPart::~WorldPart() {
  parts_of_world.pop_back();
  speak_in(parts_of_world.empty() ? whole_world() : parts_of_world.back());
}

}  // namespace plaq
