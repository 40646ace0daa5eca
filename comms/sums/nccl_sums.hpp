// Exact sums that GPUs add up by NCCL, also those of several nodes: ncclAllReduce of integer limbs. For
// sources with CUDA.
#pragma once

#include <memory>

#include "comms/gpus/nccl_ranks.hpp"
#include "comms/sums/gpu_sums.hpp"

#if defined(PLAQ_WITH_NCCL)
namespace plaq {

std::unique_ptr<GpuSums> make_nccl_sums(std::shared_ptr<NcclRanks> ranks);

}  // namespace plaq
#endif
