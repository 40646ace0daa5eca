// Transports that move as another one does and then do something of their own, for those that shall notice.
#pragma once

#include "comms/transport/transport.hpp"
#include "core/system/memory.hpp"
#include "tests/support/test.hpp"

namespace plaq::test {

class Forwarding : public Transport {
 public:
  Forwarding(std::string_view name, std::shared_ptr<Transport> inner)
      : name_(name), inner_(std::move(inner)) {}
  std::string_view name() const override { return name_; }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    return std::make_unique<Run>(*this, inner_->prepare(messages), messages);
  }

 private:
  // Behind exchange `number` (the first is 0) of each Exchange, of whose
  // messages the first `most` bytes moved.
  virtual void finished(Exchange& inner, const std::vector<FaceMessage>& messages, std::size_t most,
                        int number) = 0;

  class Run final : public Exchange {
   public:
    Run(Forwarding& of, std::unique_ptr<Exchange> inner, std::vector<FaceMessage> messages)
        : of_(of), inner_(std::move(inner)), messages_(std::move(messages)) {}
    void* send(std::size_t m) const override { return inner_->send(m); }
    void* receive(std::size_t m) const override { return inner_->receive(m); }
    void begin() override { inner_->begin(); }
    void start(const Queue& filled, std::size_t most) override {
      most_ = most;
      inner_->start(filled, most);
    }
    void finish(const Queue& filled) override {
      inner_->finish(filled);
      filled.synchronize();
      of_.finished(*inner_, messages_, most_, number_++);
    }

   private:
    Forwarding& of_;
    std::unique_ptr<Exchange> inner_;
    std::vector<FaceMessage> messages_;
    std::size_t most_ = whole;
    int number_ = 0;
  };
  std::string_view name_;
  std::shared_ptr<Transport> inner_;
};

// Behind each exchange calls damage(bytes that message m received, their number, m, number of the exchange)
// on each rank, for every message received.
class Garbling final : public Forwarding {
 public:
  using Damage = std::function<void(unsigned char* face, std::size_t bytes, std::size_t message, int number)>;
  Garbling(std::shared_ptr<Transport> inner, Location location, Damage damage)
      : Forwarding("garbling", std::move(inner)), location_(location), damage_(std::move(damage)) {}

 private:
  void finished(Exchange& inner, const std::vector<FaceMessage>& messages, std::size_t most,
                int number) override {
    for (std::size_t m = 0; m < messages.size(); ++m) {
      if (messages[m].receive_from == FaceMessage::nobody) continue;
      std::vector<unsigned char> face(std::min(messages[m].bytes, most));
      copy_bytes(face.data(), Location::host, inner.receive(m), location_, face.size());
      damage_(face.data(), face.size(), m, number);
      copy_bytes(inner.receive(m), location_, face.data(), Location::host, face.size());
    }
  }
  Location location_;
  Damage damage_;
};

}  // namespace plaq::test
