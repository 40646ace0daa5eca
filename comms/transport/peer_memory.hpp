// Memory of a GPU that other processes of the node reach: CUDA IPC.
#pragma once

#include "comms/transport/transport.hpp"

namespace plaq {

// Places of one message: where its face is received, by turns, and the flag that says so.
struct PeerPlace {
  std::size_t offset[2] = {}, flag = 0;
};

// Offsets of the faces and flags of an exchange of the transport 'peer' in memory that other GPUs store into,
// and its size: plain numbers, which plans need as well.
struct PeerLayout {
  explicit PeerLayout(const std::vector<FaceMessage>& messages);
  std::vector<PeerPlace> places;
  std::size_t bytes = 0;
};

// Bytes of device memory that an ExportedMemory of so many bytes takes.
std::size_t exported_piece_bytes(std::size_t bytes);

}  // namespace plaq

#if defined(PLAQ_WITH_CUDA)
#include <cuda_runtime_api.h>

#include <cstddef>
#include <memory>
#include <vector>

#include "comms/grid/process_grid.hpp"

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
// Error(comms) naming `owner`, a rank of the grid.
char* open_exported(const cudaIpcMemHandle_t& handle, int owner);

// Collective: every rank reads from every other one of its node. Throws Error(comms) on all ranks where one
// cannot.
void check_exports(const ProcessGrid& grid, const std::vector<int>& nodes);

}  // namespace plaq
#endif
