// The halo exchange of hopping operators: one face a partitioned direction and side, which
// the packing kernel fills and the boundary kernel of a neighbour reads.
//
//   auto request = halo.begin(queue, pack);   // pack, start moving
//   interior(queue);
//   halo.finish(std::move(request), queue);
//   boundary(queue);
#pragma once

#include <array>
#include <memory>
#include <utility>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"
#include "core/system/profiler.hpp"

namespace plaq {

// Contents of an exchange: `reals` for each face site (12: a projected half spinor, 24: a spinor) and each
// right-hand side, in the directions of `directions` (bit mu) that are partitioned. No corners: those are
// ExtendedHalo's. Faces of forward hops have `layers_ahead` layers of sites, those of backward hops
// `layers_behind`: operators with hops of several steps send several slices, or one slice in several forms.
struct HaloSpec {
  int reals = 12;
  int batch = 1;
  Precision precision = Precision::double_precision;
  Location location = Location::host;
  std::uint32_t directions = 0xf;
  bool site_scale = false;  // a float for each site beside its reals
  int layers_ahead = 1, layers_behind = 1;

  bool operator==(const HaloSpec&) const = default;
};

// The faces of an exchange: that of directed hop d has `layouts[d]` and `message_bytes[d]`; none where the
// direction is not partitioned. Its layers follow each other every `strides[d]` sites.
struct HaloFaces {
  HaloFaces(const Geometry& geometry, const HaloSpec& spec);
  std::array<Layout, 8> layouts;
  std::array<int, 8> strides{};
  std::array<std::size_t, 8> message_bytes{};
  std::size_t bytes = 0;  // of all that is sent, and of all that is received
};

// A running exchange. It can only be moved into finish.
class [[nodiscard]] HaloRequest {
 public:
  HaloRequest(HaloRequest&& other) noexcept : pending_(std::exchange(other.pending_, false)) {}
  HaloRequest(const HaloRequest&) = delete;
  HaloRequest& operator=(const HaloRequest&) = delete;
  HaloRequest& operator=(HaloRequest&&) = delete;

 private:
  friend class Halo;
  explicit HaloRequest(bool pending) : pending_(pending) {}
  bool pending_;
};

class Halo {
 public:
  // The grid must outlive the halo.
  Halo(const ProcessGrid& grid, GeometryPtr geometry, const HaloSpec& spec,
       std::shared_ptr<Transport> transport);
  Halo(const Halo&) = delete;
  Halo& operator=(const Halo&) = delete;

  const HaloSpec& spec() const { return spec_; }
  const Geometry& geometry() const { return *geometry_; }
  // True if faces of direction mu travel, and those of any.
  bool exchanges(int mu) const { return geometry_->partitioned(mu) && ((spec_.directions >> mu) & 1u); }
  bool exchanges() const { return exchanges(0) || exchanges(1) || exchanges(2) || exchanges(3); }
  // True if the faces that would travel are zeros now (ClosedHalos): then nothing may begin or finish.
  bool closed() const { return exchange_ && transport_->closed(); }
  // Layout of the face for directed hop d, and its memory: null where they do not travel. `send` is filled
  // for the neighbour that sees us in its hop d; `receive` is what our hop d finds. Both hold until the next
  // begin.
  const Layout& face_layout(int d) const { return faces_.layouts[static_cast<std::size_t>(d)]; }
  int layer_stride(int d) const { return faces_.strides[static_cast<std::size_t>(d)]; }  // in sites
  void* send(int d) const { return exchanges(d / 2) ? exchange_->send(message(d)) : nullptr; }
  void* receive(int d) const {
    if (!exchanges(d / 2)) return nullptr;
    return closed() ? zeros_of(d) : exchange_->receive(message(d));
  }
  std::size_t face_bytes(int d) const {
    return faces_.message_bytes[static_cast<std::size_t>(d)];
  }  // 0: none
  std::size_t bytes_sent() const { return faces_.bytes; }
  int largest_face() const;                                         // sites of a layer
  const std::vector<Traffic>& traffic() const { return traffic_; }  // of an exchange that is not closed

  // `pack(queue)` queues the kernels that fill the send memory. One exchange at a time: they share it.
  template <class Pack>
  HaloRequest begin(const Queue& compute, Pack&& pack) {
    claim();
    if (exchange_) exchange_->begin();
    ready_.record(compute);
    moving_.wait(ready_);
    if (events_) events_->begun.record(moving_);
    pack(static_cast<const Queue&>(moving_));
    if (events_) events_->packed.record(moving_);
    return start();
  }
  void finish(HaloRequest&& request, const Queue& compute);

  // Flags of an exchange that one launch may do instead of begin and finish: `launch(flags)` queues it on the
  // queue of computing. Null if this exchange has none.
  const PeerFlags* flags() const { return exchange_ && !closed() ? exchange_->flags() : nullptr; }
  template <class Launch>
  void fused(Launch&& launch) {
    claim();
    exchange_->begin();
    launch(*exchange_->flags());
    running_ = false;
  }

  // True if the exchange can be captured (Exchange::capturable). Everything can be where nothing travels.
  int capturable() const { return exchange_ && !closed() ? exchange_->capturable() : 0; }
  bool set_no_wait(bool no_wait) { return exchange_ && exchange_->set_no_wait(no_wait); }

  // Records the stages of every exchange until it is given null.
  void watch(std::shared_ptr<HaloEvents> events) { events_ = std::move(events); }

 private:
  void claim();
  HaloRequest start();
  void* zeros_of(int d) const;
  std::size_t message(int d) const { return message_[static_cast<std::size_t>(d)]; }

  GeometryPtr geometry_;
  HaloSpec spec_;
  std::shared_ptr<Transport> transport_;
  HaloFaces faces_;
  std::unique_ptr<Exchange> exchange_;  // null where nothing travels
  std::array<std::size_t, 8> message_{};
  std::vector<Traffic> traffic_;
  mutable Buffer zeros_;  // that closed halos receive in each direction; allocated when they first do
  Queue moving_;
  Event ready_, arrived_;
  bool running_ = false;
  std::shared_ptr<HaloEvents> events_;
};

}  // namespace plaq
