// The ranks that a job runs on.
#pragma once

#include "comms/communicator/communicator.hpp"

namespace plaq {

// All that the launcher started, or this process alone where MPI does not run.
Communicator whole_world();
// Ranks that work together: all, or the part of them that a WorldPart names. In a dry run it is this process
// alone, which stands for rank 0 of world_size().
Communicator world();
int world_size();

// While it lives, this rank's world() is `part`, of which it is one, and messages are those of the part: its
// rank 0 is heard. The innermost counts.
class WorldPart {
 public:
  explicit WorldPart(Communicator part);
  ~WorldPart();
  WorldPart(const WorldPart&) = delete;
  WorldPart& operator=(const WorldPart&) = delete;
};

}  // namespace plaq
