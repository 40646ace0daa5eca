#include <fmt/format.h>

#include <algorithm>

#include "comms/transport/mpi_exchange.hpp"
#include "core/system/error.hpp"

namespace plaq {
namespace {

class HostTransport final : public Transport {
 public:
  HostTransport(const ProcessGrid& grid, Location location) : grid_(&grid), location_(location) {}
  std::string_view name() const override { return "host"; }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    for (const FaceMessage& m : messages) check_message_bytes(m.bytes);
    return std::make_unique<MpiExchange>(
        *grid_, location_ == Location::device ? MpiExchange::Path::staged : MpiExchange::Path::host,
        messages);
  }

 private:
  const ProcessGrid* grid_;
  Location location_;
};

}  // namespace

std::string sender_text(const FaceMessage& message) {
  if (message.tag == FaceMessage::sites_tag) return fmt::format("the sites of rank {}", message.receive_from);
  const int d = message.tag & 7;
  return fmt::format("the face from {}{} (rank {})", "xyzt"[d / 2], d % 2 == 0 ? '+' : '-',
                     message.receive_from);
}

std::string receiver_text(const FaceMessage& message) {
  if (message.tag == FaceMessage::sites_tag) return fmt::format("the sites for rank {}", message.send_to);
  const int d = message.tag & 7;  // what comes from the forward neighbour goes to the backward one
  return fmt::format("the face to {}{} (rank {})", "xyzt"[d / 2], d % 2 == 0 ? '-' : '+', message.send_to);
}

std::vector<Traffic> traffic_of(const Transport& transport, const std::vector<FaceMessage>& messages,
                                std::size_t most) {
  std::vector<Traffic> all;
  for (const FaceMessage& m : messages) {
    if (m.send_to == FaceMessage::nobody) continue;
    const std::string name(transport.carrier(m.send_to, m.bytes));
    auto at = std::find_if(all.begin(), all.end(), [&](const Traffic& t) { return t.transport == name; });
    if (at == all.end()) at = all.insert(at, {name, 0});
    at->bytes += static_cast<double>(std::min(m.bytes, most));
  }
  return all;
}

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
