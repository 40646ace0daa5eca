// Which transports a run uses.
#pragma once

#include <optional>
#include <string>

#include "comms/transport.hpp"

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
// may store faces and launches be joint; else, and between nodes, for each size of a face the fastest of
// "nccl", "device_mpi" and "host" (comms/transport_timing.hpp). Those other than "self" and "host" must carry
// test messages right before they are believed (comms/transport_check.hpp). Else `wanted` alone,
// for everything: throws Error(comms) with the reason where it cannot be used.
TransportChoice choose_transport(const ProcessGrid& grid, Location location, TransportKind wanted);

// Memory of one face that is sent and received: at the location, and page-locked on the host.
struct FaceBytes {
  std::size_t here = 0, pinned = 0;
};
// `split`: it goes to another rank, and comes from one; automatic between GPUs as if they were of one node.
// `checked`: by a CheckedTransport.
FaceBytes face_bytes(TransportKind wanted, Location location, bool split, std::size_t message_bytes,
                     bool checked = false);

}  // namespace plaq
