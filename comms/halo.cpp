#include "comms/halo.hpp"

#include <algorithm>
#include <utility>

#include "core/error.hpp"

namespace plaq {

Halo::Halo(const ProcessGrid& grid, GeometryPtr geometry, const HaloSpec& spec,
           std::shared_ptr<Transport> transport)
    : geometry_(std::move(geometry)),
      spec_(spec),
      transport_(std::move(transport)),
      moving_(spec.location),
      ready_(spec.location),
      arrived_(spec.location) {
  std::size_t bytes = 0;
  for (int d = 0; d < 8; ++d) {
    const int mu = d / 2;
    if (!geometry_->partitioned(mu)) continue;
    const auto i = static_cast<std::size_t>(d);
    layouts_[i] =
        Layout(spec.location, spec.reals, geometry_->shape().face_sites(mu), bytes_of(spec.precision));
    offsets_[i] = bytes;
    bytes += layouts_[i].size() * static_cast<std::size_t>(spec.batch * bytes_of(spec.precision));
    bytes = (bytes + 127) / 128 * 128;
  }
  send_ = Buffer(spec.location, bytes);
  receive_ = Buffer(spec.location, bytes);
  send_.fill_zero();
  receive_.fill_zero();

  std::vector<FaceMessage> messages;
  for (int d = 0; d < 8; ++d) {
    const int mu = d / 2;
    const bool forward = d % 2 == 0;
    if (!geometry_->partitioned(mu)) continue;
    const std::size_t size = layouts_[static_cast<std::size_t>(d)].size();
    messages.push_back({grid.neighbor(mu, !forward), grid.neighbor(mu, forward), d, send(d), receive(d),
                        size * static_cast<std::size_t>(spec.batch * bytes_of(spec.precision))});
  }
  if (!messages.empty()) {
    require(transport_ != nullptr, "a partitioned lattice needs a transport");
    exchange_ = transport_->prepare(std::move(messages));
  }
}

Halo::~Halo() {
  if (exchange_ >= 0) transport_->release(exchange_);
}

void* Halo::at(const Buffer& buffer, int d) const {
  if (!geometry_->partitioned(d / 2)) return nullptr;
  return buffer.as<char>() + offsets_[static_cast<std::size_t>(d)];
}

int Halo::largest_face() const {
  int most = 0;
  for (int d = 0; d < 8; ++d)
    if (geometry_->partitioned(d / 2)) most = std::max(most, geometry_->shape().face_sites(d / 2));
  return most;
}

void Halo::claim() {
  require(!std::exchange(running_, true), "a halo exchange was begun before the last one was finished");
}

HaloRequest Halo::start() {
  if (exchange_ >= 0) transport_->start(exchange_, moving_);
  if (events_) events_->staged.record(moving_);
  return HaloRequest(true);
}

void Halo::finish(HaloRequest&& request, const Queue& compute) {
  require(std::exchange(request.pending_, false), "a halo exchange was finished twice");
  running_ = false;
  if (exchange_ >= 0) transport_->finish(exchange_, moving_);
  if (events_) events_->arrived.record(moving_);
  arrived_.record(moving_);
  compute.wait(arrived_);
}

}  // namespace plaq
