// Which transports a run uses.
#pragma once

#include <optional>
#include <string>

#include "comms/transport/transport.hpp"

namespace plaq {

enum class TransportKind { automatic, self, host, device_mpi, nccl, peer };
inline constexpr std::string_view transport_names[] = {"auto", "self", "host", "device_mpi", "nccl", "peer"};
std::optional<TransportKind> transport_kind(std::string_view name);

// Collective. One of them, not automatic. Throws Error(comms) with the reason where it cannot be used.
std::shared_ptr<Transport> make_transport(const ProcessGrid& grid, Location location, TransportKind kind);

struct TransportChoice {
  std::shared_ptr<Transport> transport;
  std::string text;                  // what is used for what, for people
  std::vector<std::string> refused;  // what cannot be used here, and why
};

// Collective. automatic: nothing moves within a rank ("self"); between GPUs of a node "peer", where kernels
// may store faces and launches be fused; else, and between nodes, for each size of a face the fastest of
// "nccl", "device_mpi" and "host" (comms/transport/transport_timing.hpp). Those other than "self" and "host"
// must carry test messages right before they are believed (comms/transport/transport_check.hpp). Else
// `wanted` alone, for everything: throws Error(comms) with the reason where it cannot be used.
TransportChoice choose_transport(const ProcessGrid& grid, Location location, TransportKind wanted);

// Memory of an exchange: at the location, page-locked on the host, and of a GPU what 'peer' never frees, but
// uses again for exchanges that need a piece of the same size.
struct ExchangeBytes {
  std::size_t here = 0, pinned = 0, lasting = 0;
};
// Bytes that rank 0 of `ranks` exchanges; messages that name another rank leave it. `automatic` between GPUs
// counts as if all were in one node. `checked`: by a CheckedTransport.
ExchangeBytes exchange_bytes(TransportKind wanted, Location location, int ranks,
                             std::vector<FaceMessage> messages, bool checked = false);

}  // namespace plaq
