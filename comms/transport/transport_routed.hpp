// Several transports as one: each message goes by the one that suits its two ranks and its size.
#pragma once

#include <functional>

#include "comms/transport/transport.hpp"

namespace plaq {

// Index of the transport that carries `bytes` from one rank of the grid to another; the same on both.
using Route = std::function<std::size_t(int from, int to, std::size_t bytes)>;

// An exchange starts and is finished in the order of `transports`: those that make the host wait come last.
std::shared_ptr<Transport> make_routed_transport(const ProcessGrid& grid,
                                                 std::vector<std::shared_ptr<Transport>> transports,
                                                 Route route);

}  // namespace plaq
