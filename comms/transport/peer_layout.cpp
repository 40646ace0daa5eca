#include "comms/transport/peer_layout.hpp"

#include <algorithm>

#include "comms/transport/face_memory.hpp"

namespace plaq {
namespace {

std::size_t rounded_slot(std::size_t bytes) { return FaceMemory::bytes({bytes}); }

}  // namespace

PeerLayout::PeerLayout(const std::vector<FaceMessage>& messages) {
  for (const FaceMessage& m : messages) {
    PeerPlace place;
    const std::size_t face =
        m.receive_from == FaceMessage::nobody ? 0 : rounded_slot(std::max<std::size_t>(m.bytes, 1));
    for (std::size_t& offset : place.offset) {
      offset = bytes;
      bytes += face;
    }
    place.flag = bytes;
    bytes += rounded_slot(sizeof(std::uint64_t));
    places.push_back(place);
  }
}

}  // namespace plaq
