#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <string>

#include "comms/communicator/collective.hpp"
#include "comms/communicator/mpi_check.hpp"
#include "comms/communicator/node_map.hpp"
#include "comms/gpus/peer_flags.hpp"
#include "comms/gpus/peer_memory.hpp"
#include "comms/transport/peer_layout.hpp"
#include "comms/transport/transport.hpp"
#include "comms/watchdog/device_waits.hpp"
#include "core/system/error.hpp"

namespace plaq {

#if defined(PLAQ_WITH_CUDA)
namespace {

constexpr int first_tag = 64;  // of tickets: above those of faces

// Place where a rank wants one message: the piece of memory, the offsets in it by turns, and its flag.
struct Ticket {
  cudaIpcMemHandle_t handle;
  std::size_t offset[2], flag;
};

// For each message the ticket of whom it is sent to, who gives it to whom it receives from.
std::vector<Ticket> theirs_through_mpi(const ProcessGrid& grid, const std::vector<FaceMessage>& messages,
                                       const std::vector<Ticket>& mine) {
  std::vector<Ticket> theirs(messages.size());
  std::vector<MPI_Request> requests;
  const auto request = [&] { return &requests.emplace_back(MPI_REQUEST_NULL); };
  requests.reserve(2 * messages.size());
  for (std::size_t m = 0; m < messages.size(); ++m) {
    const FaceMessage& message = messages[m];
    const int tag = first_tag + message.tag;
    if (message.receive_from != FaceMessage::nobody)
      check_mpi(MPI_Isend(&mine[m], static_cast<int>(sizeof(Ticket)), MPI_BYTE, message.receive_from, tag,
                          grid.comm().mpi(), request()),
                "MPI_Isend");
    if (message.send_to != FaceMessage::nobody)
      check_mpi(MPI_Irecv(&theirs[m], static_cast<int>(sizeof(Ticket)), MPI_BYTE, message.send_to, tag,
                          grid.comm().mpi(), request()),
                "MPI_Irecv");
  }
  wait_mpi(
      "MPI_Waitall",
      [&] { return MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE); },
      [] { return std::string("where neighbours' memory is"); });
  return theirs;
}

// Tickets of a process that exchanges with itself.
std::vector<Ticket> theirs_alone(const std::vector<FaceMessage>& messages, const std::vector<Ticket>& mine) {
  std::vector<Ticket> theirs(messages.size());
  for (std::size_t m = 0; m < messages.size(); ++m)
    for (std::size_t n = 0; n < messages.size(); ++n)
      if (messages[m].send_to != FaceMessage::nobody && messages[n].receive_from != FaceMessage::nobody &&
          messages[m].tag == messages[n].tag)
        theirs[m] = mine[n];
  return theirs;
}

// Receive memory is double: a neighbour may store the faces of the next exchange while those of this one are
// still read. It cannot be two ahead, since it waits for our faces of the next one, which we store after we
// have read.
class PeerExchange final : public Exchange {
 public:
  PeerExchange(const ProcessGrid& grid, const std::vector<FaceMessage>& messages)
      : memory_(layout(messages)), counters_(Location::device, 4 * sizeof(std::uint64_t)) {
    counters_.fill_zero();
    flags_.started = counters_.as<std::uint64_t>();
    flags_.finished = flags_.started + 1;
    flags_.packed = reinterpret_cast<unsigned*>(flags_.started + 2);
    flags_.waited = reinterpret_cast<unsigned*>(flags_.started + 3);

    std::vector<Ticket> mine(messages.size());
    for (std::size_t m = 0; m < messages.size(); ++m)
      if (messages[m].receive_from != FaceMessage::nobody)
        mine[m] = {memory_.handle(), {places_[m].offset[0], places_[m].offset[1]}, places_[m].flag};
    const std::vector<Ticket> theirs =
        grid.comm().through_mpi() ? theirs_through_mpi(grid, messages, mine) : theirs_alone(messages, mine);
    for (std::size_t m = 0; m < messages.size(); ++m) {
      const FaceMessage& message = messages[m];
      std::array<void*, 2> to{}, from{};
      if (message.receive_from != FaceMessage::nobody) {
        for (std::size_t b = 0; b < 2; ++b) from[b] = memory_.data() + places_[m].offset[b];
        flags_.received_from[flags_.receives++] = flag(memory_.data() + places_[m].flag);
        awaited_.push_back(message);
      }
      if (message.send_to != FaceMessage::nobody) {
        char* base = message.send_to == grid.rank() ? memory_.data()
                                                    : open_exported(theirs[m].handle, message.send_to);
        for (std::size_t b = 0; b < 2; ++b) to[b] = base + theirs[m].offset[b];
        flags_.sent_to[flags_.sends++] = flag(base + theirs[m].flag);
      }
      send_.push_back(to);
      receive_.push_back(from);
    }
    if (awaited_.empty()) return;
    (void)device_numbers({flags_.started});  // now, and not first when a watchdog asks and kernels wait
    wait_.emplace([this] { return missing(); });
  }

  void* send(std::size_t m) const override { return send_[m][turn_]; }
  void* receive(std::size_t m) const override { return receive_[m][turn_]; }
  void begin() override { turn_ = 1 - turn_; }
  const PeerFlags* flags() const override {
    return flags_.sends > 0 && flags_.receives > 0 ? &flags_ : nullptr;
  }
  int capturable() const override { return static_cast<int>(turn_); }
  bool set_no_wait(bool no_wait) override {
    flags_.no_wait = no_wait;
    return true;
  }
  void start(const Queue& filled, std::size_t) override {
    if (flags_.sends > 0) raise_flags(flags_, filled);
  }
  void finish(const Queue& filled) override {
    if (flags_.receives > 0) await_flags(flags_, filled);
  }

 private:
  // For a watchdog, on a thread of its own. Flags count as `started` and `finished` do, in one launch as in
  // steps. Only what has begun here can lack a face: who is ahead of us waits for ours.
  std::string missing() const {
    const auto counts = device_numbers({flags_.started, flags_.finished});
    if (!counts) return no_answer;
    const std::uint64_t started = counts->front(), finished = counts->back();
    if (started <= finished) return {};
    const std::vector<const std::uint64_t*> flags(flags_.received_from,
                                                  flags_.received_from + flags_.receives);
    const auto arrived = device_numbers(flags);  // later than the counts: what is there now is not missing
    if (!arrived) return no_answer;
    std::string faces;
    for (std::size_t i = 0; i < awaited_.size(); ++i)
      if ((*arrived)[i] <= finished) faces += (faces.empty() ? "" : ", ") + sender_text(awaited_[i]);
    if (faces.empty()) return {};
    return fmt::format("GPU waits for {} in exchange {} of its kind ({} bytes)", faces, finished + 1,
                       bytes());
  }
  std::size_t bytes() const {
    std::size_t sum = 0;
    for (const FaceMessage& m : awaited_) sum += m.bytes;
    return sum;
  }

  static std::uint64_t* flag(char* at) { return reinterpret_cast<std::uint64_t*>(at); }

  // Fills places_, before memory_ is made; returns the bytes that it needs.
  std::size_t layout(const std::vector<FaceMessage>& messages) {
    PeerLayout made(messages);
    places_ = std::move(made.places);
    return made.bytes;
  }

  std::vector<PeerPlace> places_;
  ExportedMemory memory_;
  Buffer counters_;
  PeerFlags flags_;
  std::vector<FaceMessage> awaited_;  // whose flags are flags_.received_from
  std::vector<std::array<void*, 2>> send_, receive_;
  std::size_t turn_ = 0;
  std::optional<DeviceWait> wait_;  // last: gone before what it reads
};

class PeerTransport final : public Transport {
 public:
  PeerTransport(const ProcessGrid& grid, std::vector<int> nodes) : grid_(&grid), nodes_(std::move(nodes)) {}
  std::string_view name() const override { return "peer"; }

  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    require(messages.size() <= PeerFlags::most, "too many faces in one exchange between GPUs");
    // Who receives from us must also send to us, or nothing says that it has read.
    std::vector<int> to, from;
    for (const FaceMessage& m : messages) {
      for (const int rank : {m.send_to, m.receive_from})
        if (rank != FaceMessage::nobody && nodes_[static_cast<std::size_t>(rank)] != node())
          throw Error(ErrorKind::comms, "the transport 'peer' moves nothing from one node to another");
      if (m.send_to != FaceMessage::nobody) to.push_back(m.send_to);
      if (m.receive_from != FaceMessage::nobody) from.push_back(m.receive_from);
    }
    for (auto* ranks : {&to, &from}) {
      std::sort(ranks->begin(), ranks->end());
      ranks->erase(std::unique(ranks->begin(), ranks->end()), ranks->end());
    }
    require(to == from, "faces between GPUs travel both ways");
    return std::make_unique<PeerExchange>(*grid_, messages);
  }

 private:
  int node() const { return nodes_[static_cast<std::size_t>(grid_->rank())]; }
  const ProcessGrid* grid_;
  std::vector<int> nodes_;  // of each rank
};

}  // namespace

std::shared_ptr<Transport> make_peer_transport(const ProcessGrid& grid) {
  std::vector<int> nodes = nodes_of(grid.comm());
  check_exports(grid.comm(), nodes);
  return std::make_shared<PeerTransport>(grid, std::move(nodes));
}

#else

std::shared_ptr<Transport> make_peer_transport(const ProcessGrid&) {
  throw Error(ErrorKind::comms, "this plaq was built without CUDA");
}

#endif

}  // namespace plaq
