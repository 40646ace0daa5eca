#include "comms/halo/halo.hpp"

#include <algorithm>
#include <utility>

#include "comms/transport/face_memory.hpp"
#include "core/system/error.hpp"

namespace plaq {

HaloFaces::HaloFaces(const Geometry& geometry, const HaloSpec& spec) {
  for (int d = 0; d < 8; ++d) {
    const int mu = d / 2;
    if (!geometry.partitioned(mu) || !((spec.directions >> mu) & 1u)) continue;
    const auto i = static_cast<std::size_t>(d);
    const int layers = d % 2 == 0 ? spec.layers_ahead : spec.layers_behind;
    const int sites = geometry.general_shape().face_sites(mu);
    // Layers begin where groups of sites do (core/field/layout.hpp), so that
    // each can be written as a face alone.
    constexpr int group = 32;
    static_assert(group % device_site_group == 0 && group % host_site_padding == 0);
    strides[i] = (sites + group - 1) / group * group;
    layouts[i] = Layout(spec.location, spec.reals, (layers - 1) * strides[i] + sites,
                        bytes_of(spec.precision), spec.site_scale);
    message_bytes[i] = layouts[i].size() * static_cast<std::size_t>(spec.batch * bytes_of(spec.precision));
  }
  bytes = FaceMemory::bytes({message_bytes.begin(), message_bytes.end()});
}

Halo::Halo(const ProcessGrid& grid, GeometryPtr geometry, const HaloSpec& spec,
           std::shared_ptr<Transport> transport)
    : geometry_(std::move(geometry)),
      spec_(spec),
      transport_(std::move(transport)),
      faces_(*geometry_, spec),
      moving_(spec.location),
      ready_(spec.location),
      arrived_(spec.location) {
  std::vector<FaceMessage> messages;
  for (int d = 0; d < 8; ++d) {
    const int mu = d / 2;
    const bool forward = d % 2 == 0;
    if (!exchanges(mu)) continue;
    const auto i = static_cast<std::size_t>(d);
    message_[i] = messages.size();
    messages.push_back({grid.neighbor(mu, !forward), grid.neighbor(mu, forward), d, faces_.message_bytes[i]});
  }
  if (messages.empty()) return;
  require(transport_ != nullptr, "a partitioned lattice needs a transport");
  exchange_ = transport_->prepare(messages);
  traffic_ = traffic_of(*transport_, messages);
}

int Halo::largest_face() const {
  int most = 0;
  for (int d = 0; d < 8; ++d)
    if (exchanges(d / 2)) most = std::max(most, geometry_->general_shape().face_sites(d / 2));
  return most;
}

void Halo::claim() {
  require(!closed(), "an exchange of halos that are closed");
  require(!std::exchange(running_, true), "a halo exchange was begun before the last one was finished");
}

void* Halo::zeros_of(int d) const {
  if (!zeros_) {
    zeros_ =
        Buffer(spec_.location, *std::max_element(faces_.message_bytes.begin(), faces_.message_bytes.end()));
    zeros_.fill_zero();
  }
  return face_bytes(d) > 0 ? zeros_.data() : nullptr;
}

HaloRequest Halo::start() {
  if (exchange_) exchange_->start(moving_);
  if (events_) events_->staged.record(moving_);
  return HaloRequest(true);
}

void Halo::finish(HaloRequest&& request, const Queue& compute) {
  require(std::exchange(request.pending_, false), "a halo exchange was finished twice");
  running_ = false;
  if (exchange_) exchange_->finish(moving_);
  if (events_) events_->arrived.record(moving_);
  arrived_.record(moving_);
  compute.wait(arrived_);
}

}  // namespace plaq
