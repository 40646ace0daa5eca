// A call from Python that works on a lattice.
#pragma once

#include <nanobind/nanobind.h>

#include <mutex>
#include <optional>

#include "comms/communicator/communicator.hpp"
#include "comms/communicator/stop_request.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/fork.hpp"

namespace plaq::python {

// The use of threads, MPI or a GPU by this process. Throws Error(usage) in a child that fork() made of a
// process that had used them: plaq would wait there for threads that are not there.
class ProcessUse {
 public:
  ProcessUse();
  ~ProcessUse();
  ProcessUse(const ProcessUse&) = delete;
  ProcessUse& operator=(const ProcessUse&) = delete;
};

// While it lives Python's other threads run, world() is `ranks`, and Ctrl-C and the signals of batch systems
// wait for a safe point: work that has some ends there by Error(stopped), other work is done first. A signal
// that nothing has ended for reaches Python when the call is over. On threads other than that which imported
// the module, signals are left alone; calls of several threads take turns. A callback may make calls of its
// own, on the same ranks. Make it with the GIL held.
class Call {
 public:
  explicit Call(const Communicator& ranks);
  ~Call();
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

 private:
  ProcessUse use_;  // first: where it throws nothing has begun
  LockUse lock_;    // of turn_
  std::optional<StopRequest> signals_;
  int exceptions_;
  nanobind::gil_scoped_release released_;
  std::unique_lock<std::recursive_mutex> turn_;
  std::optional<WorldPart> part_;
};

// The thread that calls it is the one that signals come to.
void remember_main_thread();

// The ranks that Python names: those of a communicator of mpi4py, which must outlive it; None: all of the
// launcher's ranks, or this process alone without a launcher. Starts MPI if there is a launcher and nobody
// has done so; MPI then ends with Python.
Communicator ranks_of(nanobind::handle communicator);

}  // namespace plaq::python
