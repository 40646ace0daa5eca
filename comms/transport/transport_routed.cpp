#include "comms/transport/transport_choice.hpp"

namespace plaq {
namespace {

// A message of one of the exchanges.
struct Place {
  Exchange* exchange = nullptr;
  std::size_t message = 0;
};

class RoutedExchange final : public Exchange {
 public:
  RoutedExchange(int rank, const std::vector<std::shared_ptr<Transport>>& transports, const Route& route,
                 const std::vector<FaceMessage>& messages) {
    struct Half {
      std::size_t transport, message;
    };
    std::vector<std::vector<FaceMessage>> parts(transports.size());
    std::vector<Half> sends(messages.size(), Half{none, 0}), receives(messages.size(), Half{none, 0});
    for (std::size_t m = 0; m < messages.size(); ++m) {
      const FaceMessage& message = messages[m];
      const std::size_t out =
          message.send_to == FaceMessage::nobody ? none : route(rank, message.send_to, message.bytes);
      const std::size_t in = message.receive_from == FaceMessage::nobody
                                 ? none
                                 : route(message.receive_from, rank, message.bytes);
      if (out == none && in == none) continue;
      const auto add = [&](std::size_t transport, bool sent, bool received) {
        FaceMessage part = message;
        if (!sent) part.send_to = FaceMessage::nobody;
        if (!received) part.receive_from = FaceMessage::nobody;
        if (sent) sends[m] = {transport, parts[transport].size()};
        if (received) receives[m] = {transport, parts[transport].size()};
        parts[transport].push_back(part);
      };
      if (out == in) {
        add(out, true, true);
      } else {
        if (out != none) add(out, true, false);
        if (in != none) add(in, false, true);
      }
    }
    // Every transport, since others may prepare with it at the same time.
    for (std::size_t t = 0; t < transports.size(); ++t) {
      exchanges_.push_back(transports[t]->prepare(parts[t]));
      if (!parts[t].empty()) used_.push_back(exchanges_.back().get());
    }
    const auto place = [&](const Half& half) {
      return half.transport == none ? Place{} : Place{exchanges_[half.transport].get(), half.message};
    };
    for (std::size_t m = 0; m < messages.size(); ++m) {
      sends_.push_back(place(sends[m]));
      receives_.push_back(place(receives[m]));
    }
  }

  void* send(std::size_t m) const override {
    const Place& p = sends_[m];
    return p.exchange == nullptr ? nullptr : p.exchange->send(p.message);
  }
  void* receive(std::size_t m) const override {
    const Place& p = receives_[m];
    return p.exchange == nullptr ? nullptr : p.exchange->receive(p.message);
  }
  void begin() override {
    for (Exchange* e : used_) e->begin();
  }
  // Exchange of the one transport that carries everything; else null.
  const PeerFlags* flags() const override { return used_.size() == 1 ? used_.front()->flags() : nullptr; }
  int capturable() const override {
    int number = 0;
    for (const Exchange* e : used_) {
      const int of_part = e->capturable();
      if (of_part < 0) return -1;
      number = 2 * number + of_part;
    }
    return number;
  }
  bool set_no_wait(bool no_wait) override { return used_.size() == 1 && used_.front()->set_no_wait(no_wait); }
  void start(const Queue& filled, std::size_t most) override {
    for (Exchange* e : used_) e->start(filled, most);
  }
  void finish(const Queue& filled) override {
    for (Exchange* e : used_) e->finish(filled);
  }

 private:
  static constexpr auto none = static_cast<std::size_t>(-1);
  std::vector<std::unique_ptr<Exchange>> exchanges_;
  std::vector<Place> sends_, receives_;
  std::vector<Exchange*> used_;  // those that carry something
};

class RoutedTransport final : public Transport {
 public:
  RoutedTransport(int rank, std::vector<std::shared_ptr<Transport>> transports, Route route)
      : rank_(rank), transports_(std::move(transports)), route_(std::move(route)) {
    for (const auto& t : transports_) name_ += (name_.empty() ? "" : ", ") + std::string(t->name());
  }
  std::string_view name() const override { return name_; }
  std::string_view carrier(int send_to, std::size_t bytes) const override {
    return transports_[route_(rank_, send_to, bytes)]->name();
  }
  std::unique_ptr<Exchange> prepare(const std::vector<FaceMessage>& messages) override {
    return std::make_unique<RoutedExchange>(rank_, transports_, route_, messages);
  }

 private:
  int rank_;
  std::vector<std::shared_ptr<Transport>> transports_;
  Route route_;
  std::string name_;
};

}  // namespace

std::shared_ptr<Transport> make_routed_transport(const ProcessGrid& grid,
                                                 std::vector<std::shared_ptr<Transport>> transports,
                                                 Route route) {
  return std::make_shared<RoutedTransport>(grid.rank(), std::move(transports), std::move(route));
}

}  // namespace plaq
