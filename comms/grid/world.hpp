// The ranks that a job runs on.
#pragma once

#include <mpi.h>

namespace plaq {

// All of MPI's world, or the part of it that a WorldPart names; in a dry run this process alone, which stands for
// rank 0 of world_size().
MPI_Comm world();
int world_size();

// While it lives, this rank's world() is `part`, of which it is one, and messages are those of the part: its rank 0 is
// heard. Not nested. `part` must outlive it.
class WorldPart {
 public:
  explicit WorldPart(MPI_Comm part);
  ~WorldPart();
  WorldPart(const WorldPart&) = delete;
  WorldPart& operator=(const WorldPart&) = delete;
};

}  // namespace plaq
