// Map of the ranks to nodes, and the ranks that share a GPU.
#pragma once

#include <vector>

#include "comms/communicator/communicator.hpp"

namespace plaq {

// Collective. Of each rank the lowest rank of its node: equal for two ranks that can share memory.
std::vector<int> nodes_of(const Communicator& comm);
// Number of ranks of each node, or if it differs the greatest common divisor; from nodes_of().
int ranks_per_node(const std::vector<int>& nodes);
// Collective. Whether two ranks of a node use the same GPU: not those that have none.
bool two_ranks_share_a_device(const Communicator& comm);

}  // namespace plaq
