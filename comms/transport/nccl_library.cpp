#include "comms/transport/nccl_library.hpp"

#if defined(PLAQ_WITH_NCCL)
#include <dlfcn.h>

#include <string>

#include "core/system/error.hpp"

namespace plaq {
namespace {

NcclLibrary load() {
  constexpr const char* name = "libnccl.so.2";
  void* library = ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) {
    const char* why = ::dlerror();
    throw Error(ErrorKind::comms, std::string("NCCL cannot be loaded: ") + (why != nullptr ? why : name));
  }
  NcclLibrary nccl;
  const auto find = [&](auto& function, const char* symbol) {
    void* address = ::dlsym(library, symbol);
    if (address == nullptr)
      throw Error(ErrorKind::comms, std::string(name) + " has no " + symbol + ": it is too old");
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(address);
  };
  find(nccl.get_unique_id, "ncclGetUniqueId");
  find(nccl.comm_init_rank, "ncclCommInitRank");
  find(nccl.comm_destroy, "ncclCommDestroy");
  find(nccl.comm_abort, "ncclCommAbort");
  find(nccl.group_start, "ncclGroupStart");
  find(nccl.group_end, "ncclGroupEnd");
  find(nccl.send, "ncclSend");
  find(nccl.receive, "ncclRecv");
  find(nccl.all_reduce, "ncclAllReduce");
  find(nccl.error_string, "ncclGetErrorString");
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
