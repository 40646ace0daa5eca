// NCCL's communicator, with the ranks of one of ours. For sources with CUDA.
#pragma once

#include "comms/communicator/communicator.hpp"
#include "comms/gpus/nccl_library.hpp"

#if defined(PLAQ_WITH_NCCL)
namespace plaq {

class NcclRanks {
 public:
  // Collective, each rank with a GPU of its own. Throws Error(comms).
  explicit NcclRanks(const Communicator& comm);
  ~NcclRanks();
  NcclRanks(const NcclRanks&) = delete;
  NcclRanks& operator=(const NcclRanks&) = delete;

  const NcclLibrary& nccl() const { return nccl_; }
  ncclComm_t comm() const { return comm_; }

 private:
  const NcclLibrary& nccl_;
  ncclComm_t comm_ = nullptr;
};

}  // namespace plaq
#endif
