#include "comms/transport_choice.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "comms/face_memory.hpp"
#include "comms/node_map.hpp"
#include "comms/transport_check.hpp"
#include "comms/transport_checked.hpp"
#include "comms/transport_routed.hpp"
#include "core/error.hpp"

namespace plaq {
namespace {

using Kind = TransportKind;

std::string_view name_of(Kind kind) { return transport_names[static_cast<std::size_t>(kind)]; }

// Null where it cannot be used, for a reason that joins `refused`.
std::shared_ptr<Transport> proven(const ProcessGrid& grid, Location location, Kind kind,
                                  std::vector<std::string>& refused) {
  std::string reason;
  try {
    auto transport = make_transport(grid, location, kind);
    reason = transport_fault(grid, location, *transport, test_message_bytes());
    if (reason.empty()) return transport;
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::comms) throw;
    reason = e.what();
  }
  refused.push_back(fmt::format("{}: {}", name_of(kind), reason));
  return nullptr;
}

}  // namespace

std::optional<TransportKind> transport_kind(std::string_view name) {
  const auto found = std::find(std::begin(transport_names), std::end(transport_names), name);
  if (found == std::end(transport_names)) return std::nullopt;
  return static_cast<Kind>(found - std::begin(transport_names));
}

std::shared_ptr<Transport> make_transport(const ProcessGrid& grid, Location location, Kind kind) {
  require(kind != Kind::automatic, "a transport that is to be chosen");
  if (location == Location::host && kind != Kind::self && kind != Kind::host)
    throw Error(ErrorKind::comms, "it moves faces between GPUs, and this run is on the host");
  switch (kind) {
    case Kind::self:
      return make_self_transport(grid, location);
    case Kind::device_mpi:
      return make_device_mpi_transport(grid);
    case Kind::nccl:
      return make_nccl_transport(grid);
    case Kind::peer:
      return make_peer_transport(grid);
    default:
      return make_host_transport(grid, location);
  }
}

TransportChoice choose_transport(const ProcessGrid& grid, Location location, Kind wanted) {
  TransportChoice choice;
  if (wanted != Kind::automatic) {
    choice.transport = proven(grid, location, wanted, choice.refused);
    if (!choice.transport)
      throw Error(ErrorKind::comms,
                  "the transport that was asked for cannot be used: " + choice.refused.front());
    choice.text = std::string(name_of(wanted)) + " for everything";
    return choice;
  }

  std::vector<std::shared_ptr<Transport>> all = {make_transport(grid, location, Kind::self)};
  choice.text = "self";
  if (grid.size() == 1) {
    choice.transport = all.front();
    return choice;
  }
  const std::vector<int> nodes = nodes_of(grid.comm());
  const bool one_node =
      *std::max_element(nodes.begin(), nodes.end()) == *std::min_element(nodes.begin(), nodes.end());
  constexpr std::size_t self = 0;
  std::size_t near = 0, far = 0;
  const auto add = [&](Kind kind) {
    auto transport = proven(grid, location, kind, choice.refused);
    if (!transport) return std::size_t{0};
    all.push_back(std::move(transport));
    return all.size() - 1;
  };
  if (location == Location::device) {
    near = add(Kind::peer);
    if (near == 0 || !one_node)
      for (const Kind kind : {Kind::nccl, Kind::device_mpi})
        if (far == 0) far = add(kind);
  }
  if (far == 0 && (near == 0 || !one_node)) {
    all.push_back(make_transport(grid, location, Kind::host));
    far = all.size() - 1;
  }
  if (near == 0) near = far;
  if (one_node) {
    choice.text = std::string(all[near]->name()) + " between ranks";
  } else {
    choice.text = fmt::format("{} within a node, {} between nodes", all[near]->name(), all[far]->name());
  }
  choice.transport = make_routed_transport(grid, all, [nodes, near, far](int from, int to, std::size_t) {
    if (from == to) return self;
    const auto f = static_cast<std::size_t>(from), t = static_cast<std::size_t>(to);
    return nodes[f] == nodes[t] ? near : far;
  });
  return choice;
}

FaceBytes face_bytes(TransportKind wanted, Location location, bool split, std::size_t message_bytes,
                     bool checked) {
  if (checked && message_bytes > 0) {
    FaceBytes face = face_bytes(wanted, location, split, message_bytes + CheckedTransport::head_bytes());
    face.here += FaceMemory::bytes({message_bytes});  // where it is packed
    return face;
  }
  const std::size_t one = FaceMemory::bytes({message_bytes});
  if (wanted == Kind::self || (wanted == Kind::automatic && !split)) return {one, 0};
  if (wanted == Kind::host) return {2 * one, host_staging_bytes(location, one)};
  return {2 * one, 0};
}

}  // namespace plaq
