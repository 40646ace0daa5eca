#include "multigrid/levels/outcome.hpp"

#include <chrono>
#include <cstring>
#include <span>
#include <string>
#include <thread>
#include <vector>

#include "comms/watchdog/heartbeat.hpp"
#include "core/system/timer.hpp"
#include "core/system/waiting.hpp"

namespace plaq {
namespace {

constexpr int found_tag = 0, message_tag = 1;

struct Head {
  int kind = 0;  // of the failure, 0: none
  int message_bytes = 0;
};

// Returns when it has ended: at once, or after naps that are longer the longer it takes.
void wait_with_naps(Request request) {
  constexpr double shortest_nap = 1e-4;  // seconds
  const double begin = seconds_now();
  while (!request.done()) {
    const double nap = (seconds_now() - begin) / 16;
    if (nap < shortest_nap)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::duration<double>(nap));
  }
}

}  // namespace

void tell_outcome(const void* found, std::size_t bytes, const std::optional<Error>& failure,
                  const Communicator& others) {
  const std::string message = failure ? failure->what() : "";
  const Head head{failure ? static_cast<int>(failure->kind()) : 0, static_cast<int>(message.size())};
  std::vector<char> words(sizeof(head) + bytes);
  std::memcpy(words.data(), &head, sizeof(head));
  std::memcpy(words.data() + sizeof(head), found, bytes);
  for (int to = 1; to < others.size(); ++to) {
    const auto taken = [to] { return "that rank " + std::to_string(to) + " takes an outcome"; };
    others.send(std::span(words), to, found_tag, taken);
    if (failure) others.send(std::span(message), to, message_tag, taken);
  }
}

std::optional<Error> await_outcome(void* found, std::size_t bytes, const Communicator& others) {
  beat();
  const Waiting wait([] { return std::string("the work of fewer ranks"); });
  Head head;
  std::vector<char> words(sizeof(head) + bytes);
  wait_with_naps(others.start_receive(std::span(words), 0, found_tag));
  std::memcpy(&head, words.data(), sizeof(head));
  std::memcpy(found, words.data() + sizeof(head), bytes);
  if (head.kind == 0) return std::nullopt;
  std::string message(static_cast<std::size_t>(head.message_bytes), '\0');
  others.receive(std::span(message), 0, message_tag, [] { return std::string("why fewer ranks failed"); });
  return Error(static_cast<ErrorKind>(head.kind), message);
}

}  // namespace plaq
