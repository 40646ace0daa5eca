// Memory that all ranks of a node see: POSIX shared memory, gone when the last of them is.
#pragma once

#include <cstddef>
#include <memory>

#include "comms/communicator/communicator.hpp"

namespace plaq {

class NodeMemory {
 public:
  // Collective over ranks of one node. The same number of bytes, at 0, for each rank. Null on all of them
  // where there is no shared memory to be had, or not enough.
  static std::unique_ptr<NodeMemory> make(const Communicator& comm, std::size_t bytes_a_rank);
  ~NodeMemory();
  NodeMemory(const NodeMemory&) = delete;
  NodeMemory& operator=(const NodeMemory&) = delete;

  // Aligned to pages.
  char* of(int rank) const { return base_ + static_cast<std::size_t>(rank) * stride_; }
  std::size_t stride() const { return stride_; }

 private:
  NodeMemory() = default;
  char* base_ = nullptr;
  std::size_t stride_ = 0, bytes_ = 0;
};

}  // namespace plaq
