// What exchanges of faces take, in a plan.
#include <fmt/format.h>

#include "comms/transport/transport_check.hpp"
#include "comms/transport/transport_choice.hpp"
#include "comms/transport/transport_timing.hpp"
#include "core/lattice/fused_order_bytes.hpp"
#include "jobs/plan/plan_parts.hpp"
#include "kernels/dirac/hop/fused_shapes.hpp"

namespace plaq::jobs {
namespace {

using Messages = std::vector<FaceMessage>;

TransportKind kind_of(const Plan& plan) { return *transport_kind(plan.transport()); }

bool is_split(const Geometry& geometry, int mu) {
  return geometry.decomposition().ranks[static_cast<std::size_t>(mu)] > 1;
}

int ranks_of(const Geometry& geometry) {
  int ranks = 1;
  for (const int n : geometry.decomposition().ranks) ranks *= n;
  return ranks;
}

// Directed hop d, as rank 0 sees it.
FaceMessage message_of(const Geometry& geometry, int d, std::size_t bytes) {
  check_message_bytes(bytes);
  const int other = is_split(geometry, d / 2) ? 1 : 0;
  return {other, other, d, bytes};
}

Helds hold_bytes(Plan& plan, const std::string& name, const ExchangeBytes& all, Location location) {
  Helds held;
  held.push_back(plan.hold({name + ", to send and receive", 1, all.here, location}));
  held.push_back(plan.hold({name + ", staging", 1, all.pinned, Location::host}));
  return held;
}

// The exchanges of one class.
Helds hold_exchanges(Plan& plan, const std::string& name, const Geometry& geometry,
                     const std::vector<Messages>& exchanges, Location location) {
  Helds held;
  ExchangeBytes all;
  for (const Messages& messages : exchanges) {
    const ExchangeBytes one = exchange_bytes(kind_of(plan), location, ranks_of(geometry), messages,
                                             plan.job().flag("comms", "halo_checksums"));
    all.here += one.here;
    all.pinned += one.pinned;
    if (one.lasting > 0)
      held.push_back(plan.hold({name + ", to receive by turns", 1, one.lasting, location, false, true}));
  }
  for (auto& memory : hold_bytes(plan, name, all, location)) held.push_back(std::move(memory));
  return held;
}

// Whether 'peer' carries all faces (RoutedExchange::flags) and nobody looks at them one by one.
bool launches_fused(const Plan& plan, const Geometry& geometry) {
  const JobFile& job = plan.job();
  if (plan.location() == Location::host || !geometry.any_partitioned() ||
      job.flag("comms", "halo_checksums") || job.flag("run", "profile") ||
      job.optional_string("run", "profile_file"))
    return false;
  if (kind_of(plan) != TransportKind::automatic) return kind_of(plan) == TransportKind::peer;
  for (int mu = 0; mu < 4; ++mu)
    if (geometry.partitioned(mu) && !is_split(geometry, mu)) return false;
  return true;
}

}  // namespace

Helds hold_extended_halo(Plan& plan, const Geometry& geometry, const FieldSpec& like) {
  std::vector<Messages> exchanges;
  for (int mu = 0; mu < 4; ++mu) {
    if (!geometry.partitioned(mu)) continue;
    const std::size_t bytes = ExtendedHalo::side_bytes(geometry, like, mu);
    exchanges.push_back({message_of(geometry, 2 * mu, bytes), message_of(geometry, 2 * mu + 1, bytes)});
  }
  return hold_exchanges(plan, "slices of links", geometry, exchanges, like.location);
}

Helds hold_halo(Plan& plan, const std::string& name, const Geometry& geometry, const HaloSpec& spec) {
  const HaloFaces faces(geometry, spec);
  Messages messages;
  for (int d = 0; d < 8; ++d)
    if (const std::size_t bytes = faces.message_bytes[static_cast<std::size_t>(d)]; bytes > 0)
      messages.push_back(message_of(geometry, d, bytes));
  if (messages.empty()) return {};
  return hold_exchanges(plan, name, geometry, {messages}, spec.location);
}

Helds hold_fused_orders(Plan& plan, const Geometry& geometry, const HaloSpec& spec, bool tuned) {
  if (!launches_fused(plan, geometry)) return {};
  std::vector<FusedShape> shapes = fused_shapes(geometry, spec.precision);
  if (tuned && plan.job().string("run", "tuning") == "on") {
    plan.pass({"faces while launches are timed", 1, HaloFaces(geometry, spec).bytes, spec.location});
  } else {
    shapes.resize(1);
  }
  std::size_t bytes = 0;
  for (const FusedShape& fused : shapes) {
    const BoxRows& box = fused.box;
    if (plan.first_time(geometry, fmt::format("fused {} {}x{}x{}", fused.block, box.y, box.z, box.t)))
      for (int parity = 0; parity < 2; ++parity) bytes += fused_order_bytes(geometry.shape(), parity, fused);
  }
  Helds held;
  held.push_back(plan.hold({"order of sites while faces travel", 1, bytes, spec.location}));
  return held;
}

void pass_transport_trial(Plan& plan, const Geometry& geometry) {
  const TransportKind wanted = kind_of(plan);
  const int ranks = ranks_of(geometry);
  const bool device = plan.location() == Location::device,
             one_node = plan.ranks_per_node() == 0 || ranks <= plan.ranks_per_node();
  const std::string before = plan.phase("trying transports");
  const auto pass = [&](TransportKind kind, const std::vector<std::size_t>& sizes) {
    for (const std::size_t bytes : sizes) {
      Messages messages;
      for (int d = 0; d < 8; ++d) messages.push_back(message_of(geometry, d, bytes));
      const ExchangeBytes all = exchange_bytes(kind, plan.location(), ranks, messages);
      Plan::Held lasting;
      if (all.lasting > 0)
        lasting = plan.hold({"messages, to receive by turns", 1, all.lasting, plan.location(), false, true});
      const Helds moment = hold_bytes(plan, "messages", all, plan.location());
    }
  };
  if (wanted != TransportKind::automatic) {
    pass(wanted, test_message_bytes());
  } else if (ranks > 1 && device) {
    pass(TransportKind::peer, test_message_bytes());
    if (!one_node) {  // which of them are there is not known; they are tried one after the other
      pass(TransportKind::nccl, test_message_bytes());
      pass(TransportKind::host, trial_message_bytes());
    }
  }
  plan.phase(before);
}

}  // namespace plaq::jobs
