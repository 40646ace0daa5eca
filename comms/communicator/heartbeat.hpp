// Signs of life of ranks that are busy apart from each other, so that whoever waits for them can tell work
// from a hang.
#pragma once

#include <exception>

#include "comms/communicator/communicator.hpp"
#include "core/system/waiting.hpp"

namespace plaq {

// Each rank gives them to the next one, round a ring: the last ones to whom they matter wait at the end, in
// meet(). A rank that stands still is missed by the one behind it, unless that waits for it anyway.
class Heartbeat {
 public:
  // Collective over `all`; the ranks may then be apart until they meet().
  explicit Heartbeat(const Communicator& all);
  ~Heartbeat();
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  // Collective: until all ranks are here, without taking a core. A watchdog sees a wait (Waiting) that begins
  // again with each sign of life. A rank that comes with a `failure` waits some seconds only, for others to
  // fail too, and throws it then.
  void meet(const std::exception_ptr& failure);

 private:
  friend void beat();
  void give();
  void listen();

  Communicator ring_;  // where it is this process alone, there is nobody to be told
  Heartbeat* outer_ = nullptr;
  int next_ = 0, before_ = 0;
  double due_ = 0;  // of the next sign
  char heard_word_ = 0;
  MPI_Request given_ = MPI_REQUEST_NULL, heard_ = MPI_REQUEST_NULL;
};

// This rank is at work: said by wait_mpi, so that no work needs to think of it. At most some times a second,
// and nothing where there is no Heartbeat.
void beat();

}  // namespace plaq
