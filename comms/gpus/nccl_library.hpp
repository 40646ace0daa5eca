// NCCL, loaded when it is wanted: a program without it uses other transports. For sources with CUDA.
#pragma once

#if defined(PLAQ_WITH_NCCL)
#include <nccl.h>

namespace plaq {

struct NcclLibrary {
  // Loads libnccl.so.2. Throws Error(comms), saying why it cannot be used.
  static const NcclLibrary& get();

  decltype(&::ncclGetUniqueId) get_unique_id = nullptr;
  decltype(&::ncclCommInitRank) comm_init_rank = nullptr;
  decltype(&::ncclCommDestroy) comm_destroy = nullptr;
  decltype(&::ncclCommAbort) comm_abort = nullptr;
  decltype(&::ncclGroupStart) group_start = nullptr;
  decltype(&::ncclGroupEnd) group_end = nullptr;
  decltype(&::ncclSend) send = nullptr;
  decltype(&::ncclRecv) receive = nullptr;
  decltype(&::ncclAllReduce) all_reduce = nullptr;
  decltype(&::ncclGetErrorString) error_string = nullptr;

  void check(ncclResult_t status, const char* what) const;
};

}  // namespace plaq
#endif
