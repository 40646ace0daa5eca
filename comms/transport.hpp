// A transport moves faces between neighbouring ranks. What it moves, and when, is the halo's business.
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "comms/process_grid.hpp"
#include "core/queue.hpp"

namespace plaq {

// One face of one exchange: what this rank sends and what it receives in the same step of the same direction.
struct FaceMessage {
  int send_to = 0, receive_from = 0;  // ranks of the grid; both may be this rank
  int tag = 0;
  const void* send = nullptr;  // at the transport's location
  void* receive = nullptr;
  std::size_t bytes = 0;
};

class Transport {
 public:
  virtual ~Transport() = default;
  virtual std::string_view name() const = 0;

  // The messages of one kind of exchange, announced once, so that nothing is allocated or set up later.
  // Returns a handle for start and finish.
  virtual int prepare(std::vector<FaceMessage> messages) = 0;
  virtual void release(int exchange) = 0;
  // Send buffers are complete when `filled` has reached this point. Never waits for a message.
  virtual void start(int exchange, const Queue& filled) = 0;
  // Waits as far as the host must; receive buffers are complete when `filled` has reached the point behind.
  virtual void finish(int exchange, const Queue& filled) = 0;
};

// Through host memory and MPI: on a device, page-locked staging buffers, cudaMemcpyAsync, MPI_Isend and
// MPI_Irecv; on the host, MPI alone. Schroeck, Vogt 2013, section 5.
std::shared_ptr<Transport> make_host_transport(const ProcessGrid& grid, Location location);
// Throws Error(comms) when a message is longer than MPI can count.
void check_message_bytes(std::size_t bytes);
// Its page-locked memory for one message of that size, both ways.
constexpr std::size_t host_staging_bytes(Location location, std::size_t message_bytes) {
  return location == Location::device ? 2 * message_bytes : 0;
}

}  // namespace plaq
