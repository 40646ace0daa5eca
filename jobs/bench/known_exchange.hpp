// An exchange of faces in which every word is known beforehand, so that what is timed can be checked.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "comms/transport/transport.hpp"

namespace plaq::jobs {

class KnownExchange {
 public:
  // Collective. All messages have the same size, a multiple of 16 bytes. The transport must outlive this.
  KnownExchange(const ProcessGrid& grid, Location location, Transport& transport,
                std::vector<FaceMessage> messages);

  // A round: fills what is sent with new words, on the queue, and exchanges it; `meanwhile` is called while
  // it goes on. Collective.
  void run(const Queue& queue, const std::function<void()>& meanwhile = {});
  // Fault of the last round on this rank: empty, or what arrived wrong first. Waits for the queue.
  std::string fault(const Queue& queue) const;

 private:
  int rank_;
  Location location_;
  std::vector<FaceMessage> messages_;
  std::unique_ptr<Exchange> exchange_;
  int round_ = 0;
};

}  // namespace plaq::jobs
