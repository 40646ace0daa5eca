// An exchange through MPI: of host memory, of a device's memory by way of page-locked host memory, or of a
// device's memory by an MPI that takes it. What a process alone (comms/communicator) sends to itself is
// copied from host memory to host memory instead, and MPI is not called.
#pragma once

#include <atomic>
#include <optional>
#include <string>

#include "comms/transport/face_memory.hpp"
#include "comms/transport/transport.hpp"

namespace plaq {

class MpiExchange final : public Exchange {
 public:
  enum class Path { host, staged, device };

  MpiExchange(const ProcessGrid& grid, Path path, const std::vector<FaceMessage>& messages);
  ~MpiExchange() override;
  MpiExchange(const MpiExchange&) = delete;
  MpiExchange& operator=(const MpiExchange&) = delete;
  void* send(std::size_t m) const override { return send_.at(m); }
  void* receive(std::size_t m) const override { return receive_.at(m); }
  void start(const Queue& filled, std::size_t most) override;
  void finish(const Queue& filled) override;

 private:
  struct Leg {
    FaceMessage message;
    std::size_t place;
    Event copied;  // to or from the staging memory
  };

  bool staged() const { return path_ == Path::staged; }
  std::size_t bytes(const Leg& leg) const;
  std::string awaited() const;  // for users
  void make_requests(std::size_t most);
  void free_requests();
  void post_receives();
  void send_next();
  void pair_up();
  std::optional<std::size_t> next_arrival();  // index in in_ of a message that has come; none: not yet

  const ProcessGrid* grid_;
  Path path_;
  FaceMemory send_, receive_, send_staging_, receive_staging_;
  std::vector<Leg> out_, in_;
  std::vector<MPI_Request> sends_, receives_;             // persistent, for messages of most_ bytes
  std::unique_ptr<std::atomic<bool>[]> arrived_, taken_;  // of in_ and out_; another thread may look
  std::size_t sent_ = 0, most_ = whole;
  const bool alone_;
  std::vector<std::size_t> paired_;    // alone: where in in_ the messages of out_ go
  std::vector<std::size_t> arrivals_;  // and those that have come and were not looked at
  Event filled_;
};

}  // namespace plaq
