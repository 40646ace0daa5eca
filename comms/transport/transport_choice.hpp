// Transports of a run: how they are made, and which of them it uses.
#pragma once

#include <functional>
#include <memory>
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
  std::string text;                  // what is used for what, for users
  std::vector<std::string> refused;  // what cannot be used here, and why
};

// Collective. automatic: nothing moves within a rank ("self"); between GPUs of a node "peer", where kernels
// may store faces and launches be fused; else, and between nodes, for each size of a face the fastest of
// "nccl", "device_mpi" and "host" (comms/transport/transport_trials.hpp). Those other than "self" and "host"
// must carry test messages right before they are believed. Else `wanted` alone, for everything: throws
// Error(comms) with the reason where it cannot be used.
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

// The transport of a dry run (core/system/dry_run.hpp): takes the memory that the transport takes, and moves
// nothing. Throws Error(comms) where it cannot be known that it is there.
std::shared_ptr<Transport> make_dry_transport(Location location, TransportKind kind);

// Index of the transport that carries `bytes` from one rank of the grid to another; the same on both.
using Route = std::function<std::size_t(int from, int to, std::size_t bytes)>;

// Several transports as one: each message goes by the one that suits its two ranks and its size. An exchange
// starts and is finished in the order of `transports`: those that make the host wait come last.
std::shared_ptr<Transport> make_routed_transport(const ProcessGrid& grid,
                                                 std::vector<std::shared_ptr<Transport>> transports,
                                                 Route route);

}  // namespace plaq
