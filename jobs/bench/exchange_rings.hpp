// Who exchanges faces with whom when a network is measured.
#pragma once

#include <string_view>
#include <vector>

#include "comms/transport/transport.hpp"

namespace plaq::jobs {

// Ranks that exchange faces with each other, and the place of this one among them.
struct ExchangeRing {
  static constexpr std::string_view itself = "itself", within_a_node = "within a node",
                                    between_nodes = "between nodes";
  std::string_view where;
  std::vector<int> ranks;
  std::size_t place = 0;
};

// `nodes`: as nodes_of() has them. Of one rank, itself; else the ranks of this node, where any has two, and
// the ranks that are as many-th of their nodes as this one is of its own, where there are several nodes. The
// same kinds on all ranks: a rank that is alone in one has nobody there.
std::vector<ExchangeRing> exchange_rings(const std::vector<int>& nodes, int rank);

// One face each way between pairs, the last of an odd number having nobody; of more, an even number, pairs of
// faces to both sides: of the next ranks, of those after them ... Tags count them.
std::vector<FaceMessage> ring_messages(const ExchangeRing& ring, int faces, std::size_t bytes);

}  // namespace plaq::jobs
