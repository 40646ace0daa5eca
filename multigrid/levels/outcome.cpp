#include "multigrid/levels/outcome.hpp"

#include <chrono>
#include <cstring>
#include <string>
#include <thread>
#include <vector>

#include "comms/grid/mpi_check.hpp"
#include "core/system/timer.hpp"

namespace plaq {
namespace {

constexpr int found_tag = 0, message_tag = 1;

struct Head {
  int kind = 0;  // of the failure, 0: none
  int message_bytes = 0;
};

// Returns when it has ended: at once, or after naps that are longer the longer it takes.
void wait_with_naps(MPI_Request& request) {
  constexpr double shortest_nap = 1e-4;  // seconds
  const double begin = seconds_now();
  for (int ended = 0;;) {
    check_mpi(MPI_Test(&request, &ended, MPI_STATUS_IGNORE), "MPI_Test");
    if (ended != 0) return;
    const double nap = (seconds_now() - begin) / 16;
    if (nap < shortest_nap)
      std::this_thread::yield();
    else
      std::this_thread::sleep_for(std::chrono::duration<double>(nap));
  }
}

}  // namespace

void tell_outcome(const void* found, std::size_t bytes, const std::optional<Error>& failure,
                  MPI_Comm others) {
  const std::string message = failure ? failure->what() : "";
  const Head head{failure ? static_cast<int>(failure->kind()) : 0, static_cast<int>(message.size())};
  std::vector<char> words(sizeof(head) + bytes);
  std::memcpy(words.data(), &head, sizeof(head));
  std::memcpy(words.data() + sizeof(head), found, bytes);
  const auto send = [&](const void* what, std::size_t size, int to, int tag) {
    wait_mpi("MPI_Send", [&] { return MPI_Send(what, static_cast<int>(size), MPI_BYTE, to, tag, others); });
  };
  int ranks = 1;
  MPI_Comm_size(others, &ranks);
  for (int to = 1; to < ranks; ++to) {
    send(words.data(), words.size(), to, found_tag);
    if (failure) send(message.data(), message.size(), to, message_tag);
  }
}

std::optional<Error> await_outcome(void* found, std::size_t bytes, MPI_Comm others) {
  beat();
  const Waiting wait([] { return std::string("the work of fewer ranks"); });
  Head head;
  std::vector<char> words(sizeof(head) + bytes);
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(words.data(), static_cast<int>(words.size()), MPI_BYTE, 0, found_tag, others, &request),
            "MPI_Irecv");
  wait_with_naps(request);
  std::memcpy(&head, words.data(), sizeof(head));
  std::memcpy(found, words.data() + sizeof(head), bytes);
  if (head.kind == 0) return std::nullopt;
  std::string message(static_cast<std::size_t>(head.message_bytes), '\0');
  wait_mpi("MPI_Recv", [&] {
    return MPI_Recv(message.data(), head.message_bytes, MPI_BYTE, 0, message_tag, others, MPI_STATUS_IGNORE);
  });
  return Error(static_cast<ErrorKind>(head.kind), message);
}

}  // namespace plaq
