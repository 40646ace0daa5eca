#include "comms/gpus/nccl_library.hpp"

#if defined(PLAQ_WITH_NCCL)
#include <string>

#include "core/system/shared_library.hpp"

namespace plaq {
namespace {

NcclLibrary load() {
  const SharedLibrary library("libnccl.so.2", "NCCL", ErrorKind::comms);
  NcclLibrary nccl;
  library.find(nccl.get_unique_id, "ncclGetUniqueId");
  library.find(nccl.comm_init_rank, "ncclCommInitRank");
  library.find(nccl.comm_destroy, "ncclCommDestroy");
  library.find(nccl.comm_abort, "ncclCommAbort");
  library.find(nccl.group_start, "ncclGroupStart");
  library.find(nccl.group_end, "ncclGroupEnd");
  library.find(nccl.send, "ncclSend");
  library.find(nccl.receive, "ncclRecv");
  library.find(nccl.all_reduce, "ncclAllReduce");
  library.find(nccl.error_string, "ncclGetErrorString");
  return nccl;
}

}  // namespace

const NcclLibrary& NcclLibrary::get() {
  static const NcclLibrary nccl = load();  // tried again where it failed
  return nccl;
}

void NcclLibrary::check(ncclResult_t status, const char* what) const {
  if (status != ncclSuccess) throw Error(ErrorKind::comms, std::string(what) + ": " + error_string(status));
}

}  // namespace plaq
#endif
