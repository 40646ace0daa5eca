#include "multigrid/levels/outcome.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>

#include "comms/grid/mpi_check.hpp"
#include "core/system/timer.hpp"

namespace plaq {
namespace {

constexpr int head_tag = 0, message_tag = 1;

struct Head {
  std::int64_t number = 0, kind = 0, message_bytes = 0;  // kind: of the failure, 0: none
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

int Outcome::result() const {
  if (failure) throw Error(*failure);
  return static_cast<int>(number);
}

void tell(const Outcome& outcome, MPI_Comm others) {
  const std::string message = outcome.failure ? outcome.failure->what() : "";
  const Head head{outcome.number, outcome.failure ? static_cast<std::int64_t>(outcome.failure->kind()) : 0,
                  static_cast<std::int64_t>(message.size())};
  int ranks = 1;
  MPI_Comm_size(others, &ranks);
  for (int to = 1; to < ranks; ++to) {
    wait_mpi("MPI_Send", [&] { return MPI_Send(&head, sizeof(head), MPI_BYTE, to, head_tag, others); });
    if (!outcome.failure) continue;
    wait_mpi("MPI_Send", [&] {
      return MPI_Send(message.data(), static_cast<int>(message.size()), MPI_CHAR, to, message_tag, others);
    });
  }
}

Outcome await_outcome(MPI_Comm others) {
  beat();
  const Waiting wait([] { return std::string("the work of fewer ranks"); });
  Head head;
  MPI_Request request = MPI_REQUEST_NULL;
  check_mpi(MPI_Irecv(&head, sizeof(head), MPI_BYTE, 0, head_tag, others, &request), "MPI_Irecv");
  wait_with_naps(request);
  if (head.kind == 0) return {head.number, std::nullopt};
  std::string message(static_cast<std::size_t>(head.message_bytes), '\0');
  wait_mpi("MPI_Recv", [&] {
    return MPI_Recv(message.data(), static_cast<int>(message.size()), MPI_CHAR, 0, message_tag, others,
                    MPI_STATUS_IGNORE);
  });
  return {head.number, Error(static_cast<ErrorKind>(head.kind), message)};
}

}  // namespace plaq
