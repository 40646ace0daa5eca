#include "comms/grid/world.hpp"

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"

namespace plaq {
namespace {

MPI_Comm part_of_world = MPI_COMM_NULL;

void speak_in(MPI_Comm comm) {
  int rank = 0, size = 1;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  log::set_rank(rank, size);
}

}  // namespace

MPI_Comm world() {
  if (runs_dry()) return MPI_COMM_SELF;
  return part_of_world == MPI_COMM_NULL ? MPI_COMM_WORLD : part_of_world;
}

int world_size() {
  if (const DryRun* run = DryRun::current()) return run->machine().ranks;
  int size = 1;
  MPI_Comm_size(world(), &size);
  return size;
}

WorldPart::WorldPart(MPI_Comm part) {
  part_of_world = part;
  speak_in(part);
}

WorldPart::~WorldPart() {
  part_of_world = MPI_COMM_NULL;
  int finalized = 0;
  MPI_Finalized(&finalized);
  if (finalized == 0) speak_in(MPI_COMM_WORLD);
}

}  // namespace plaq
