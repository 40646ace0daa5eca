#include <fmt/format.h>

#include "comms/mpi_exchange.hpp"
#include "core/error.hpp"

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
  const int d = message.tag & 7;
  return fmt::format("the face from {}{} (rank {})", "xyzt"[d / 2], d % 2 == 0 ? '+' : '-',
                     message.receive_from);
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
