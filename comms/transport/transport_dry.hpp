// The transports of a dry run (core/system/dry_run.hpp).
#pragma once

#include <memory>

#include "comms/transport/transport_choice.hpp"

namespace plaq {

// Takes the memory that the transport takes, and moves nothing. Throws Error(comms) where it cannot be known
// that it is there.
std::shared_ptr<Transport> make_dry_transport(Location location, TransportKind kind);

}  // namespace plaq
