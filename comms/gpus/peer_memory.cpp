#include "comms/gpus/peer_memory.hpp"

namespace plaq {

std::size_t exported_piece_bytes(std::size_t bytes) {
  constexpr std::size_t granule = std::size_t{1} << 16;
  return (bytes + granule) / granule * granule;
}

}  // namespace plaq

#if defined(PLAQ_WITH_CUDA)
#include <array>
#include <cstring>
#include <map>
#include <string>

#include "comms/communicator/collective.hpp"
#include "core/launch/cuda_check.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

std::multimap<std::size_t, char*>& given_back() {
  static std::multimap<std::size_t, char*> pieces;
  return pieces;
}

using Key = std::array<char, sizeof(cudaIpcMemHandle_t)>;
std::map<Key, char*>& opened() {
  static std::map<Key, char*> pieces;
  return pieces;
}

}  // namespace

ExportedMemory::ExportedMemory(std::size_t bytes) {
  const std::size_t size = exported_piece_bytes(bytes);
  char* piece = nullptr;
  if (const auto found = given_back().find(size); found != given_back().end()) {
    piece = found->second;
    given_back().erase(found);
  } else {
    void* memory = nullptr;
    check_cuda(cudaMalloc(&memory, size), "memory for faces: cudaMalloc");
    piece = static_cast<char*>(memory);
  }
  memory_ = std::shared_ptr<char>(piece, [size](char* p) { given_back().emplace(size, p); });
  check_cuda(cudaMemset(piece, 0, size), "cudaMemset");
  check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
}

cudaIpcMemHandle_t ExportedMemory::handle() const {
  cudaIpcMemHandle_t handle{};
  const cudaError_t status = cudaIpcGetMemHandle(&handle, memory_.get());
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    throw Error(ErrorKind::comms, std::string("memory of this GPU cannot be shown to other processes: ") +
                                      cudaGetErrorString(status));
  }
  return handle;
}

char* open_exported(const cudaIpcMemHandle_t& handle, int owner) {
  Key key;
  std::memcpy(key.data(), &handle, sizeof handle);
  char*& piece = opened()[key];
  if (piece != nullptr) return piece;
  void* memory = nullptr;
  const cudaError_t status = cudaIpcOpenMemHandle(&memory, handle, cudaIpcMemLazyEnablePeerAccess);
  if (status != cudaSuccess) {
    (void)cudaGetLastError();
    throw Error(ErrorKind::comms, "memory of the GPU of rank " + std::to_string(owner) +
                                      " cannot be reached from here: " + cudaGetErrorString(status));
  }
  piece = static_cast<char*>(memory);
  return piece;
}

void check_exports(const Communicator& comm, const std::vector<int>& nodes) {
  struct Ticket {
    cudaIpcMemHandle_t handle;
    int number;
  };
  Ticket mine{};
  std::unique_ptr<ExportedMemory> memory;
  all_or_none(comm, [&] {
    memory = std::make_unique<ExportedMemory>(sizeof(int));
    mine.handle = memory->handle();
    mine.number = 1000 + 17 * comm.rank();
    check_cuda(cudaMemcpy(memory->data(), &mine.number, sizeof mine.number, cudaMemcpyHostToDevice),
               "cudaMemcpy");
    // A copy of pageable memory may return before the GPU has it.
    check_cuda(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  });
  const std::vector<Ticket> all = comm.all_gather(mine);
  all_or_none(comm, [&] {
    const auto me = static_cast<std::size_t>(comm.rank());
    for (std::size_t r = 0; r < nodes.size(); ++r) {
      if (r == me || nodes[r] != nodes[me]) continue;
      int number = 0;
      const char* theirs = open_exported(all[r].handle, static_cast<int>(r));
      check_cuda(cudaMemcpy(&number, theirs, sizeof number, cudaMemcpyDeviceToHost), "cudaMemcpy");
      if (number != all[r].number)
        throw Error(ErrorKind::comms, "memory of the GPU of rank " + std::to_string(r) + " reads " +
                                          std::to_string(number) + " from here, which is wrong");
    }
  });
  comm.barrier();  // all have read before the piece is given back
}

}  // namespace plaq
#endif
