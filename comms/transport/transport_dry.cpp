// The transports of a dry run: their memory, and no message.
#include <cstddef>
#include <string>

#include "comms/transport/face_memory.hpp"
#include "comms/transport/transport_choice.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/memory.hpp"

namespace plaq {
namespace {

class DryExchange final : public Exchange {
 public:
  DryExchange(TransportKind kind, Location location, const std::vector<FaceMessage>& messages) : kind_(kind) {
    const ExchangeBytes all = exchange_bytes(kind, location, 2, messages);
    {
      const MemoryName name(memory_name("faces"));
      here_ = Buffer(location, all.here);
    }
    {
      const MemoryName name(memory_name("faces, staging"));
      pinned_ = Buffer(Location::host, all.pinned, true);
    }
    if (all.lasting > 0)
      lasting_ =
          CountedMemory("faces, to receive by turns", all.lasting, location, MemoryItem::Kind::lasting);
  }
  // Somewhere that nobody reads or writes.
  void* send(std::size_t) const override { return here_ ? here_.data() : static_cast<void*>(nowhere); }
  void* receive(std::size_t) const override { return send(0); }
  const PeerFlags* flags() const override {
    return kind_ == TransportKind::peer ? reinterpret_cast<const PeerFlags*>(nowhere) : nullptr;
  }
  int capturable() const override {
    return kind_ == TransportKind::peer || kind_ == TransportKind::self ? 0 : -1;
  }
  void start(const Queue&, std::size_t) override {}
  void finish(const Queue&) override {}

 private:
  alignas(16) static inline std::byte nowhere[1024];  // as long as any PeerFlags, all 0

  TransportKind kind_;
  Buffer here_, pinned_;
  CountedMemory lasting_;
};

class DryTransport final : public Transport {
 public:
  DryTransport(TransportKind kind, Location location) : kind_(kind), location_(location) {}
  std::string_view name() const override { return transport_names[static_cast<std::size_t>(kind_)]; }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    for (const FaceMessage& m : messages) {
      if (kind_ == TransportKind::self && (m.send_to != 0 || m.receive_from != 0))
        throw Error(ErrorKind::comms, "the transport 'self' moves nothing from one rank to another");
      if (kind_ == TransportKind::host) check_message_bytes(m.bytes);
    }
    return std::make_unique<DryExchange>(kind_, location_, messages);
  }

 private:
  TransportKind kind_;
  Location location_;
};

}  // namespace

std::shared_ptr<Transport> make_dry_transport(Location location, TransportKind kind) {
  if (kind == TransportKind::device_mpi)
    throw Error(ErrorKind::comms, "whether MPI takes the memory of GPUs is not known before a run");
  return std::make_shared<DryTransport>(kind, location);
}

}  // namespace plaq
