// A transport that damages what it moves, for those that shall notice.
#pragma once

#include <functional>

#include "comms/transport/transport.hpp"
#include "core/system/memory.hpp"

namespace plaq::test {

// Moves as `inner` does; behind exchange `number` (the first is 0) of every Exchange calls
// damage(bytes that message m received, their number, m, number) on each rank, for every message received.
class Garbling final : public Transport {
 public:
  using Damage = std::function<void(unsigned char* face, std::size_t bytes, std::size_t message, int number)>;

  Garbling(std::shared_ptr<Transport> inner, Location location, Damage damage)
      : inner_(std::move(inner)), location_(location), damage_(std::move(damage)) {}
  std::string_view name() const override { return "garbling"; }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    return std::make_unique<Run>(*this, inner_->prepare(messages), messages);
  }

 private:
  class Run final : public Exchange {
   public:
    Run(const Garbling& of, std::unique_ptr<Exchange> inner, std::vector<FaceMessage> messages)
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
      for (std::size_t m = 0; m < messages_.size(); ++m) {
        if (messages_[m].receive_from == FaceMessage::nobody) continue;
        const std::size_t bytes = std::min(messages_[m].bytes, most_);
        std::vector<unsigned char> face(bytes);
        copy_bytes(face.data(), Location::host, inner_->receive(m), of_.location_, bytes);
        of_.damage_(face.data(), bytes, m, number_);
        copy_bytes(inner_->receive(m), of_.location_, face.data(), Location::host, bytes);
      }
      ++number_;
    }

   private:
    const Garbling& of_;
    std::unique_ptr<Exchange> inner_;
    std::vector<FaceMessage> messages_;
    std::size_t most_ = whole;
    int number_ = 0;
  };
  std::shared_ptr<Transport> inner_;
  Location location_;
  Damage damage_;
};

}  // namespace plaq::test
