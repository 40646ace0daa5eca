#include "jobs/gaugefix/rank_groups.hpp"

#include <exception>

#include "comms/grid/collective.hpp"
#include "comms/grid/mpi_check.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"

namespace plaq::jobs {

RankGroups::RankGroups(MPI_Comm all, int count) : all_(all), count_(count) {
  int rank = 0, ranks = 1;
  MPI_Comm_rank(all, &rank);
  MPI_Comm_size(all, &ranks);
  if (runs_dry()) ranks = count;  // of each group the first
  require(count > 0 && ranks % count == 0, "groups of ranks have one size");
  const int size = ranks / count;
  mine_ = rank / size;
  leads_ = rank % size == 0;
  wait_mpi("MPI_Comm_split", [&] { return MPI_Comm_split(all, mine_, rank, &comm_); });
}

RankGroups::~RankGroups() { free_comm(comm_); }

void RankGroups::each(const std::function<void()>& work) const {
  if (count_ == 1) return work();
  Heartbeat heartbeat(all_);
  std::exception_ptr failure;
  try {
    work();
  } catch (...) {
    failure = std::current_exception();
  }
  heartbeat.meet(failure);
  all_or_none(all_, [&] {
    if (failure) std::rethrow_exception(failure);
  });
}

}  // namespace plaq::jobs
