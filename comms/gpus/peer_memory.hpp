// Memory of a GPU that other processes of the node reach: CUDA IPC.
#pragma once

#include <cstddef>

namespace plaq {

// Bytes of device memory that an ExportedMemory of so many bytes takes.
std::size_t exported_piece_bytes(std::size_t bytes);

}  // namespace plaq

#if defined(PLAQ_WITH_CUDA)
#include <cuda_runtime_api.h>

#include <memory>
#include <vector>

#include "comms/communicator/communicator.hpp"

namespace plaq {

// A piece of this GPU's memory, zeroed, that others may open. A piece that is given back is kept for the next
// one of its size and never freed: others have it mapped, and need not be asked.
class ExportedMemory {
 public:
  explicit ExportedMemory(std::size_t bytes);
  char* data() const { return memory_.get(); }
  cudaIpcMemHandle_t handle() const;

 private:
  std::shared_ptr<char> memory_;
};

// Another process's piece in this one's addresses; the same piece is opened once and stays open. Throws
// Error(comms) naming `owner`, one of the ranks.
char* open_exported(const cudaIpcMemHandle_t& handle, int owner);

// Collective: every rank reads from every other one of its node. Throws Error(comms) on all ranks where one
// cannot.
void check_exports(const Communicator& comm, const std::vector<int>& nodes);

}  // namespace plaq
#endif
