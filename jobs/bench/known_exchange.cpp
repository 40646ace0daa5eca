#include "jobs/bench/known_exchange.hpp"

#include <fmt/format.h>

#include "core/launch/dispatch.hpp"
#include "core/system/error.hpp"
#include "core/system/memory.hpp"
#include "jobs/bench/network_launch.hpp"

namespace plaq::jobs {

KnownExchange::KnownExchange(const ProcessGrid& grid, Location location, Transport& transport,
                             std::vector<FaceMessage> messages)
    : rank_(grid.rank()), location_(location), messages_(std::move(messages)) {
  require(!messages_.empty() && messages_.size() <= 8, "an exchange of one to eight faces");
  for (const FaceMessage& m : messages_)
    require(m.bytes == messages_.front().bytes && m.bytes % sizeof(FaceWord) == 0, "faces of whole words");
  exchange_ = transport.prepare(messages_);
}

void KnownExchange::run(const Queue& queue, const std::function<void()>& meanwhile) {
  ++round_;
  exchange_->begin();
  FaceFill fill;
  fill.faces = static_cast<int>(messages_.size());
  fill.words = static_cast<int>(messages_.front().bytes / sizeof(FaceWord));
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    if (messages_[m].send_to != FaceMessage::nobody)
      fill.face[m] = static_cast<FaceWord*>(exchange_->send(m));
    fill.seed[m] = face_seed(rank_, messages_[m].tag, round_);
  }
  dispatch(location_, Precision::single_precision,
           [&](auto kind) { launch_fill_faces<typename decltype(kind)::target>(fill, queue); });
  exchange_->start(queue);
  if (meanwhile) meanwhile();
  exchange_->finish(queue);
}

std::string KnownExchange::fault(const Queue& queue) const {
  queue.synchronize();
  for (std::size_t m = 0; m < messages_.size(); ++m) {
    const FaceMessage& message = messages_[m];
    if (message.receive_from == FaceMessage::nobody) continue;
    std::vector<FaceWord> got(message.bytes / sizeof(FaceWord));
    copy_bytes(got.data(), Location::host, exchange_->receive(m), location_, message.bytes);
    const std::uint64_t seed = face_seed(message.receive_from, message.tag, round_);
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!(got[i] == face_word(seed, static_cast<int>(i))))
        return fmt::format("a message of {} bytes from rank {} to rank {} arrives with wrong bytes at {}",
                           message.bytes, message.receive_from, rank_, i * sizeof(FaceWord));
  }
  return {};
}

}  // namespace plaq::jobs
