// Checks that a transport brings what was sent: numbered messages between all
// neighbours, compared byte by byte.
#pragma once

#include <string>

#include "comms/transport/transport.hpp"

namespace plaq {

// Collective. For each direction and message size several exchanges in a row with both neighbours (this rank
// itself where the direction is not split). Empty, or what was wrong first on the lowest rank where something
// was: size, direction, sender and place.
std::string transport_fault(const ProcessGrid& grid, Location location, Transport& transport,
                            const std::vector<std::size_t>& message_bytes);
// Sizes that make every transport take each of its paths: a few bytes, a small face, megabytes.
std::vector<std::size_t> test_message_bytes();

}  // namespace plaq
