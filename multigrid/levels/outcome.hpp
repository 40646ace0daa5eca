// How the work of some ranks ended, told to others that wait for it.
#pragma once

#include <cstddef>
#include <optional>

#include "comms/communicator/communicator.hpp"
#include "core/system/error.hpp"

namespace plaq {

// Rank 0 of a communicator tells all others what was found, some bytes, or that the
// work failed. Each of them awaits it;
// they leave their cores to those at work, and notice the outcome late by at most a sixteenth of the time
// that they waited.
void tell_outcome(const void* found, std::size_t bytes, const std::optional<Error>& failure,
                  const Communicator& others);
std::optional<Error> await_outcome(void* found, std::size_t bytes, const Communicator& others);

}  // namespace plaq
