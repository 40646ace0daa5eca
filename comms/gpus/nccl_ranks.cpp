#include "comms/gpus/nccl_ranks.hpp"

#if defined(PLAQ_WITH_NCCL)
#include <string>

#include "core/system/waiting.hpp"

namespace plaq {

NcclRanks::NcclRanks(const Communicator& comm) : nccl_(NcclLibrary::get()) {
  ncclUniqueId id{};
  if (comm.rank() == 0) nccl_.check(nccl_.get_unique_id(&id), "ncclGetUniqueId");
  id = comm.broadcast(id);
  const Waiting wait([] { return std::string("all ranks to call ncclCommInitRank"); });
  nccl_.check(nccl_.comm_init_rank(&comm_, comm.size(), id, comm.rank()), "ncclCommInitRank");
}

NcclRanks::~NcclRanks() {
  const Waiting wait([] { return std::string("all ranks to call ncclCommDestroy"); });
  if (comm_ != nullptr) nccl_.comm_destroy(comm_);
}

}  // namespace plaq
#endif
