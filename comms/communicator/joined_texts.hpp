// Texts of all ranks that become one on the first rank, at a cost that hardly grows with the number of ranks.
#pragma once

#include <functional>
#include <string>

#include "comms/communicator/communicator.hpp"

namespace plaq {

// Makes one text of two, of which the first is that of lower ranks. It is associative and does not throw.
using JoinTexts = std::function<std::string(const std::string& lower, const std::string& higher)>;

// Collective: the texts of all ranks joined, on rank 0; empty elsewhere. Ranks join texts in pairs, and then
// pairs of pairs: none gets more texts than there are binary digits in the number of ranks. Use it where
// joined texts do not grow, and gather() (comms/communicator/collective.hpp) where rank 0 needs each of them.
std::string joined_texts(const Communicator& comm, std::string text, const JoinTexts& join);

}  // namespace plaq
