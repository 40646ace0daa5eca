#include "comms/transport/transport_choice.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "comms/communicator/node_map.hpp"
#include "comms/gpus/peer_memory.hpp"
#include "comms/sums/sum_exchange.hpp"
#include "comms/transport/face_memory.hpp"
#include "comms/transport/peer_layout.hpp"
#include "comms/transport/transport_checked.hpp"
#include "comms/transport/transport_trials.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

std::string_view name_of(TransportKind kind) { return transport_names[static_cast<std::size_t>(kind)]; }

// Null where it cannot be used, for a reason that joins `refused`.
std::shared_ptr<Transport> proven(const ProcessGrid& grid, Location location, TransportKind kind,
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

// Lets GPUs add up sums by this transport, and says so.
void offer_sums(const ProcessGrid& grid, const Transport& transport, TransportChoice& choice) {
  try {
    auto sums = transport.make_sums();
    if (sums && grid.sums().offer(std::move(sums)))
      choice.text += fmt::format(", sums by {}", transport.name());
  } catch (const Error& e) {
    if (e.kind() != ErrorKind::comms) throw;
    choice.refused.push_back(fmt::format("{} for sums: {}", transport.name(), e.what()));
  }
}

// Carriers by which each rank of several is reached.
TransportChoice automatic(const ProcessGrid& grid, Location location) {
  TransportChoice choice;
  std::vector<std::shared_ptr<Transport>> all = {make_transport(grid, location, TransportKind::self)};
  choice.text = "self";
  if (grid.size() == 1) {
    choice.transport = all.front();
    return choice;
  }
  const std::vector<int> nodes = nodes_of(grid.comm());
  const bool one_node =
      *std::max_element(nodes.begin(), nodes.end()) == *std::min_element(nodes.begin(), nodes.end());
  constexpr std::size_t self = 0;
  const auto add = [&](TransportKind kind) {
    auto transport = kind == TransportKind::host ? make_transport(grid, location, kind)
                                                 : proven(grid, location, kind, choice.refused);
    if (!transport) return std::size_t{0};
    all.push_back(std::move(transport));
    return all.size() - 1;
  };
  std::size_t peer = 0;
  if (location == Location::device && two_ranks_share_a_device(grid.comm())) {
    choice.refused.push_back(
        "peer: ranks share a GPU, and a kernel that waits for a face keeps its sender from running");
  } else if (location == Location::device) {
    peer = add(TransportKind::peer);
  }
  std::vector<std::size_t> others;
  if (peer == 0 || !one_node) {
    if (location == Location::device)
      for (const TransportKind kind : {TransportKind::nccl, TransportKind::device_mpi})
        if (const std::size_t index = add(kind); index != 0) others.push_back(index);
    others.push_back(add(TransportKind::host));
  }
  const auto near_by = [&nodes](int from, int to) {
    return nodes[static_cast<std::size_t>(from)] == nodes[static_cast<std::size_t>(to)];
  };
  std::vector<std::shared_ptr<Transport>> tried;
  for (const std::size_t index : others) tried.push_back(all[index]);
  IndexBySize near, far;
  if (peer == 0) near = fastest_by_size(grid, location, tried, near_by);
  if (!one_node) far = fastest_by_size(grid, location, tried, std::not_fn(near_by));
  const auto near_index = [=](std::size_t bytes) { return peer != 0 ? peer : others[near.at(bytes)]; };
  const auto far_index = [=](std::size_t bytes) { return others[far.at(bytes)]; };
  const auto name = [&](std::size_t index) { return std::string(tried[index]->name()); };
  const std::string near_text = peer != 0 ? "peer" : near.text(name);
  if (one_node) {
    choice.text = near_text + " between ranks";
  } else {
    choice.text = fmt::format("{} within a node, {} between nodes", near_text, far.text(name));
  }
  for (const auto& transport : all) offer_sums(grid, *transport, choice);
  choice.transport = make_routed_transport(grid, all, [=](int from, int to, std::size_t bytes) {
    if (from == to) return self;
    const auto f = static_cast<std::size_t>(from), t = static_cast<std::size_t>(to);
    return nodes[f] == nodes[t] ? near_index(bytes) : far_index(bytes);
  });
  return choice;
}

}  // namespace

std::optional<TransportKind> transport_kind(std::string_view name) {
  const auto found = std::find(std::begin(transport_names), std::end(transport_names), name);
  if (found == std::end(transport_names)) return std::nullopt;
  return static_cast<TransportKind>(found - std::begin(transport_names));
}

std::shared_ptr<Transport> make_transport(const ProcessGrid& grid, Location location, TransportKind kind) {
  require(kind != TransportKind::automatic, "a transport that is to be chosen");
  if (location == Location::host && kind != TransportKind::self && kind != TransportKind::host)
    throw Error(ErrorKind::comms, "it moves faces between GPUs, and this run is on the host");
  if (runs_dry()) return make_dry_transport(location, kind);
  switch (kind) {
    case TransportKind::self:
      return make_self_transport(grid, location);
    case TransportKind::device_mpi:
      return make_device_mpi_transport(grid);
    case TransportKind::nccl:
      return make_nccl_transport(grid);
    case TransportKind::peer:
      return make_peer_transport(grid);
    default:
      return make_host_transport(grid, location);
  }
}

TransportChoice choose_transport(const ProcessGrid& grid, Location location, TransportKind wanted) {
  TransportChoice choice;
  if (wanted != TransportKind::automatic) {
    choice.transport = proven(grid, location, wanted, choice.refused);
    if (!choice.transport)
      throw Error(ErrorKind::comms,
                  "the transport that was asked for cannot be used: " + choice.refused.front());
    choice.text = std::string(name_of(wanted)) + " for everything";
    offer_sums(grid, *choice.transport, choice);
    return choice;
  }

  return automatic(grid, location);
}

ExchangeBytes exchange_bytes(TransportKind wanted, Location location, int ranks,
                             std::vector<FaceMessage> messages, bool checked) {
  const bool device = location == Location::device;
  ExchangeBytes all;
  std::vector<FaceMessage> exported;
  for (FaceMessage& m : messages) {
    if (checked) {
      all.here += FaceMemory::bytes({m.bytes});  // where it is packed
      m.bytes += CheckedTransport::head_bytes();
    }
    const std::size_t one = FaceMemory::bytes({m.bytes});
    const TransportKind between = device ? TransportKind::peer : TransportKind::host;
    const TransportKind kind = wanted != TransportKind::automatic ? wanted
                               : m.send_to == 0                   ? TransportKind::self
                                                                  : between;
    if (kind == TransportKind::peer) {
      exported.push_back(m);
      continue;
    }
    const auto ways = static_cast<std::size_t>((m.send_to != FaceMessage::nobody) +
                                               (m.receive_from != FaceMessage::nobody));
    all.here += kind == TransportKind::self ? one : ways * one;
    if (kind == TransportKind::host) all.pinned += ways * host_staging_bytes(location, one) / 2;
  }
  // If there are several transports, each prepares, though it has nothing to carry.
  if (device && (wanted == TransportKind::peer || (wanted == TransportKind::automatic && ranks > 1)))
    all.lasting = exported_piece_bytes(PeerLayout(exported).bytes);
  return all;
}

}  // namespace plaq
