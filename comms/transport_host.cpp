#include <map>

#include "comms/mpi_check.hpp"
#include "comms/transport.hpp"
#include "core/error.hpp"
#include "core/memory.hpp"
#include "core/timer.hpp"

namespace plaq {
namespace {

class HostTransport final : public Transport {
 public:
  HostTransport(const ProcessGrid& grid, Location location) : grid_(&grid), location_(location) {}

  std::string_view name() const override { return "host"; }

  int prepare(std::vector<FaceMessage> messages) override {
    Exchange e;
    for (const auto& m : messages) {
      Leg leg{m, {}, {}, m.send, m.receive, Event(location_), Event(location_), MPI_REQUEST_NULL};
      check_message_bytes(m.bytes);
      if (location_ == Location::device) {
        leg.send_staging = Buffer(Location::host, m.bytes, true);
        leg.receive_staging = Buffer(Location::host, m.bytes, true);
        leg.mpi_send = leg.send_staging.data();
        leg.mpi_receive = leg.receive_staging.data();
      }
      e.legs.push_back(std::move(leg));
    }
    e.receives.assign(e.legs.size(), MPI_REQUEST_NULL);
    exchanges_.emplace(next_, std::move(e));
    return next_++;
  }

  void release(int exchange) override { exchanges_.erase(exchange); }

  void start(int exchange, const Queue& filled) override {
    auto& e = exchanges_.at(exchange);
    for (std::size_t i = 0; i < e.legs.size(); ++i) {
      auto& leg = e.legs[i];
      leg.unstaged.synchronize();  // the copy of the last message out of the staging buffer
      check_mpi(MPI_Irecv(leg.mpi_receive, static_cast<int>(leg.message.bytes), MPI_BYTE,
                          leg.message.receive_from, leg.message.tag, grid_->comm(), &e.receives[i]),
                "MPI_Irecv");
    }
    for (auto& leg : e.legs) {
      if (location_ == Location::device) {
        filled.copy_async(leg.send_staging.data(), leg.message.send, leg.message.bytes);
        leg.staged.record(filled);
      } else {
        send(leg);
      }
    }
    e.sent = location_ == Location::device ? 0 : e.legs.size();
  }

  // Messages leave as their staging copies end, and copies to the device start as messages arrive.
  void finish(int exchange, const Queue& filled) override {
    auto& e = exchanges_.at(exchange);
    std::size_t received = 0;
    while (e.sent < e.legs.size() || received < e.legs.size()) {
      if (e.sent < e.legs.size() && e.legs[e.sent].staged.done()) send(e.legs[e.sent++]);
      if (received < e.legs.size()) {
        int index = MPI_UNDEFINED, arrived = 0;
        check_mpi(MPI_Testany(static_cast<int>(e.receives.size()), e.receives.data(), &index, &arrived,
                              MPI_STATUS_IGNORE),
                  "MPI_Testany");
        if (arrived && index != MPI_UNDEFINED) {
          ++received;
          auto& leg = e.legs[static_cast<std::size_t>(index)];
          if (location_ == Location::device) {
            filled.copy_async(leg.message.receive, leg.receive_staging.data(), leg.message.bytes);
            leg.unstaged.record(filled);
          }
        }
      }
    }
    for (auto& leg : e.legs) check_mpi(MPI_Wait(&leg.sending, MPI_STATUS_IGNORE), "MPI_Wait");
  }

 private:
  struct Leg {
    FaceMessage message;
    Buffer send_staging, receive_staging;
    const void* mpi_send;
    void* mpi_receive;
    Event staged, unstaged;
    MPI_Request sending;
  };
  struct Exchange {
    std::vector<Leg> legs;
    std::vector<MPI_Request> receives;
    std::size_t sent = 0;
  };

  void send(Leg& leg) {
    check_mpi(MPI_Isend(leg.mpi_send, static_cast<int>(leg.message.bytes), MPI_BYTE, leg.message.send_to,
                        leg.message.tag, grid_->comm(), &leg.sending),
              "MPI_Isend");
  }

  const ProcessGrid* grid_;
  Location location_;
  std::map<int, Exchange> exchanges_;
  int next_ = 0;
};

}  // namespace

void check_message_bytes(std::size_t bytes) {
  constexpr std::size_t most = 0x7fffffff;
  if (bytes > most)
    throw Error(ErrorKind::comms, "a face of " + std::to_string(bytes >> 20) +
                                      " MiB is too large for one message; split the lattice over more ranks");
}

std::shared_ptr<Transport> make_host_transport(const ProcessGrid& grid, Location location) {
  return std::make_shared<HostTransport>(grid, location);
}

}  // namespace plaq
