#include "comms/communicator/heartbeat.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

#include "comms/communicator/mpi_check.hpp"
#include "core/system/timer.hpp"

namespace plaq {
namespace {

using namespace std::chrono_literals;

constexpr double interval = 0.1;         // seconds between signs of life
constexpr double failure_patience = 10;  // seconds of a rank that failed, for others to fail too
constexpr auto pause = 2ms;
constexpr int tag = 0;
constexpr char alive = 'a', last = 'l';

Heartbeat* innermost_heartbeat = nullptr;

bool has_ended(MPI_Request& request) {
  int ended = 0;
  check_mpi(MPI_Test(&request, &ended, MPI_STATUS_IGNORE), "MPI_Test");
  return ended != 0;
}

}  // namespace

Heartbeat::Heartbeat(const Communicator& all)
    : ring_(all.duplicate()),
      next_((ring_.rank() + 1) % ring_.size()),
      before_((ring_.rank() + ring_.size() - 1) % ring_.size()) {
  outer_ = std::exchange(innermost_heartbeat, this);
}

Heartbeat::~Heartbeat() {
  innermost_heartbeat = outer_;
  if (!ring_.through_mpi()) return;
  if (heard_ != MPI_REQUEST_NULL) {  // after a failure
    MPI_Cancel(&heard_);
    MPI_Request_free(&heard_);
  }
  if (given_ != MPI_REQUEST_NULL) MPI_Request_free(&given_);
}

// The one before has been taken, so that none pile up where nobody listens yet.
void Heartbeat::give() {
  if (!ring_.through_mpi()) return;
  const double now = seconds_now();
  if (now < due_ || !has_ended(given_)) return;
  due_ = now + interval;
  check_mpi(MPI_Issend(&alive, 1, MPI_CHAR, next_, tag, ring_.mpi(), &given_), "MPI_Issend");
}

void Heartbeat::listen() {
  check_mpi(MPI_Irecv(&heard_word_, 1, MPI_CHAR, before_, tag, ring_.mpi(), &heard_), "MPI_Irecv");
}

void Heartbeat::meet(const std::exception_ptr& failure) {
  if (!ring_.through_mpi()) return;
  const double end = seconds_now() + failure_patience;
  Waiting wait([this] { return "a sign of life of rank " + std::to_string(before_); });
  Request everyone = ring_.start_barrier();
  listen();
  // Who has met all others says so as its last word, and goes when the one before it has said so too.
  bool all_here = false, said_last = false, heard_last = false;
  while (!all_here || !said_last || !heard_last || !has_ended(given_)) {
    if (!all_here && everyone.done()) all_here = true;
    if (!all_here) {
      beat();
    } else if (!said_last && has_ended(given_)) {
      check_mpi(MPI_Issend(&last, 1, MPI_CHAR, next_, tag, ring_.mpi(), &given_), "MPI_Issend");
      said_last = true;
    }
    if (!heard_last && has_ended(heard_)) {
      wait.progress();
      heard_last = heard_word_ == last;
      if (!heard_last) listen();
    }
    if (failure && !all_here && seconds_now() > end) std::rethrow_exception(failure);
    std::this_thread::sleep_for(pause);
  }
}

void beat() {
  for (Heartbeat* each = innermost_heartbeat; each != nullptr; each = each->outer_) each->give();
}

}  // namespace plaq
