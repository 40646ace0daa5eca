// Groups of ranks that work for themselves for a while, and then meet.
#pragma once

#include <functional>

#include "comms/communicator/communicator.hpp"
#include "core/lattice/geometry.hpp"
#include "jobs/schema/job_file.hpp"

namespace plaq::jobs {

class RankGroups {
 public:
  // Collective over `all`, whose size `count` divides; ranks of a group follow each other.
  RankGroups(const Communicator& all, int count);
  RankGroups(const RankGroups&) = delete;
  RankGroups& operator=(const RankGroups&) = delete;

  int count() const { return count_; }
  int mine() const { return mine_; }                  // number of this rank's group
  const Communicator& comm() const { return comm_; }  // of this group
  bool leads() const { return leads_; }               // its first rank

  // Collective over all: each group does its `work`, in which it may communicate with itself, and waits for
  // the others without taking a core, for as long as those give signs of life (Heartbeat). An Error that all
  // ranks of a group throw becomes that of every rank.
  void each(const std::function<void()>& work) const;

 private:
  Communicator all_, comm_;
  int count_, mine_ = 0;
  bool leads_ = false;
};

// Groups of ranks that take copies side by side, each with the whole lattice: the job's number, or as many as
// there are copies for while a rank of a group has no more than `most_sites` sites. Divides `ranks`.
int groups_of(const Settings& job, const Extents& extents, int ranks);

}  // namespace plaq::jobs
