// Where an exchange of the transport 'peer' has faces and flags in memory that other GPUs store into, and how
// much that is: plain numbers, which plans need as well.
#pragma once

#include "comms/transport/transport.hpp"

namespace plaq {

// Places of one message: where its face is received, by turns, and the flag that says so.
struct PeerPlace {
  std::size_t offset[2] = {}, flag = 0;
};

struct PeerLayout {
  explicit PeerLayout(const std::vector<FaceMessage>& messages);
  std::vector<PeerPlace> places;
  std::size_t bytes = 0;
};

// Bytes of device memory that an ExportedMemory of so many bytes takes (comms/transport/peer_memory.hpp).
std::size_t exported_piece_bytes(std::size_t bytes);

}  // namespace plaq
