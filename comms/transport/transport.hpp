// A transport moves faces between neighbouring ranks, out of and into memory of its own: some store straight
// into the neighbour's. What it moves, and when, is the halo's business.
#pragma once

#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "comms/sums/gpu_sums.hpp"
#include "core/launch/queue.hpp"
#include "core/system/profiler.hpp"

namespace plaq {

struct PeerFlags;

// One face of one exchange: what this rank sends and what it receives in the same step of the same direction.
struct FaceMessage {
  static constexpr int nobody = -1;
  int send_to = nobody, receive_from = nobody;  // ranks of the grid; both may be this rank
  // A message is received with the tag that it was sent with. Its last three bits are the directed hop: 2 mu
  // comes from the forward neighbour, 2 mu + 1 from the backward one. A message with sites_tag is no face,
  // but sites on their way to another process grid.
  static constexpr int sites_tag = 64;
  int tag = 0;
  std::size_t bytes = 0;
};

// "the face from t+ (rank 3)", "the sites of rank 3".
std::string sender_text(const FaceMessage& message);
std::string receiver_text(const FaceMessage& message);  // "the face to t- (rank 1)", ...

// The messages of one kind of exchange, which happens again and again: begin, pack, start, finish.
class Exchange {
 public:
  static constexpr std::size_t whole = std::numeric_limits<std::size_t>::max();

  virtual ~Exchange() = default;
  // Memory for message m at the transport's location, null for nobody: what is packed into send(m) is found
  // in the neighbour's receive(m). Both hold until the next begin().
  virtual void* send(std::size_t m) const = 0;
  virtual void* receive(std::size_t m) const = 0;

  // Work that is queued later on the queue of the next start() must not read the messages received last.
  virtual void begin() {}
  // Send memory is complete when `filled` has reached this point. Never waits for a message. Of each message
  // the first `most` bytes travel.
  virtual void start(const Queue& filled, std::size_t most = whole) = 0;
  // Flags by which kernels do what start() and finish() do, which then are not called
  // (comms/gpus/peer_flags.hpp); null if the kernels of this exchange cannot.
  virtual const PeerFlags* flags() const { return nullptr; }
  // Number of the memory that the next exchange uses, if no step waits on the host, so that a CUDA graph may
  // capture its work. A captured graph may run only while this number is the one of its capture. Negative:
  // the exchange cannot be captured.
  virtual int capturable() const { return -1; }
  // No-wait mode, for measurements, on all ranks: faces travel as before, but no kernel waits for one, and
  // its results have no meaning. Returns false if this exchange has no such mode.
  virtual bool set_no_wait(bool /*no_wait*/) { return false; }
  // Waits as far as the host must; receive memory is complete when `filled` has reached the point behind.
  virtual void finish(const Queue& filled) = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;
  // True while halos of this transport exchange nothing and receive zeros (ClosedHalos).
  bool closed() const { return closed_; }
  virtual std::string_view name() const = 0;
  // Name of the one that carries a message from this rank.
  virtual std::string_view carrier(int /*send_to*/, std::size_t /*bytes*/) const { return name(); }
  // Collective over the ranks that the messages name, which prepare in the same order: nothing is allocated
  // or set up later. Needs the transport as long as it lives. Throws Error(comms) for a message that it
  // cannot carry.
  virtual std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) = 0;
  // Sums of GPUs by what carries its messages, for SumExchange::offer(); null if there are none.
  virtual std::unique_ptr<GpuSums> make_sums() const { return nullptr; }
  // Collective: after this, what was computed from faces that came before may be kept. A transport that
  // checks faces throws an Error(comms) here if one came damaged (CheckedTransport); others do nothing.
  virtual void expect_intact(const Queue& /*queue*/) const {}

 private:
  friend class ClosedHalos;
  bool closed_ = false;
};

// While this object lives, work that is queued with halos of `transport` sees zeros beyond the sites of its
// rank, as with Dirichlet boundaries, and no face is packed or sent. Results depend on the process grid. On
// all ranks alike. Null: nothing travels anyway.
class ClosedHalos {
 public:
  explicit ClosedHalos(std::shared_ptr<Transport> transport)
      : transport_(std::move(transport)), before_(transport_ && std::exchange(transport_->closed_, true)) {}
  ~ClosedHalos() {
    if (transport_) transport_->closed_ = before_;
  }
  ClosedHalos(const ClosedHalos&) = delete;
  ClosedHalos& operator=(const ClosedHalos&) = delete;

 private:
  std::shared_ptr<Transport> transport_;
  bool before_;
};

// Traffic of a rank by each carrier in one exchange that sends the first `most` bytes of each message.
std::vector<Traffic> traffic_of(const Transport& transport, const std::vector<FaceMessage>& messages,
                                std::size_t most = Exchange::whole);

// Through host memory and MPI: on a device, page-locked staging buffers, cudaMemcpyAsync and persistent
// requests; on the host, these alone. Schroeck, Vogt 2013, section 5.
std::shared_ptr<Transport> make_host_transport(const ProcessGrid& grid, Location location);
// Throws Error(comms) when a message is longer than MPI can count.
void check_message_bytes(std::size_t bytes);
// Its page-locked memory for one message of that size, both ways.
constexpr std::size_t host_staging_bytes(Location location, std::size_t message_bytes) {
  return location == Location::device ? 2 * message_bytes : 0;
}

// Transport of a rank to itself: what is packed is received where it was packed, nothing moves.
std::shared_ptr<Transport> make_self_transport(const ProcessGrid& grid, Location location);

// MPI with a device's memory, where MPI says that it takes it. Throws Error(comms) with the reason where it
// does not.
std::shared_ptr<Transport> make_device_mpi_transport(const ProcessGrid& grid);

// NCCL, on the stream of what is packed. Collective; throws Error(comms) on all ranks where it cannot be
// used: it was not built in, is not installed, or two ranks share a GPU.
std::shared_ptr<Transport> make_nccl_transport(const ProcessGrid& grid);

// Kernels that pack store straight into the memory of another GPU of the node (CUDA IPC); flags in that
// memory say when a face is there. Collective; throws Error(comms) on all ranks where memory cannot be
// shared.
std::shared_ptr<Transport> make_peer_transport(const ProcessGrid& grid);

}  // namespace plaq
