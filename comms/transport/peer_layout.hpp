// Places of the faces of the transport 'peer'.
#pragma once

#include <cstddef>
#include <vector>

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

}  // namespace plaq
