// Work of some ranks while the others wait for them without taking a core.
#pragma once

#include <functional>

#include "comms/communicator/communicator.hpp"

namespace plaq::jobs {

// Collective over `all`. Its first `count` ranks call `action` with a communicator of their own,
// which is their world() meanwhile;
// it may communicate within that. An Error that all of them throw becomes that of every rank. One that
// reaches some of them only leaves the others waiting for each other: after some seconds it is thrown where
// it arose, and the program ends (FailureReporter). Others wait for as long as
// those give signs of life (Heartbeat).
void on_first_ranks(const Communicator& all, int count,
                    const std::function<void(const Communicator&)>& action);

}  // namespace plaq::jobs
