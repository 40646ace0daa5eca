// Failures that strike some ranks become one Error on all.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "comms/communicator/communicator.hpp"
#include "core/lattice/geometry.hpp"

namespace plaq {

// Collective. Runs `action`, which must not communicate, on every rank. When it throws on any, every rank
// throws the Error of the lowest rank on which it did.
void all_or_none(const Communicator& comm, const std::function<void()>& action);

// Collective: what `text` is on rank `root`.
std::string broadcast(const Communicator& comm, std::string text, int root = 0);

// Collective: the texts of all ranks, on rank 0; none elsewhere.
std::vector<std::string> gather(const Communicator& comm, const std::string& text);

// Work of the first rank alone whose failure every rank must see. Collective over all ranks. Runs `action` on
// rank 0; when it throws, every rank throws the same Error.
void on_first_rank(const std::function<void()>& action);
// The extents that `action` returns on rank 0, on every rank.
Extents extents_from_first_rank(const std::function<Extents()>& action);

}  // namespace plaq
