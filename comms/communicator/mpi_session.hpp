// MPI from its start to its end, for processes that a launcher started. All others do without.
#pragma once

namespace plaq {

// True if MPI has started and not ended, by whoever started it. Where it is
// not, world() is this process alone.
bool mpi_runs();

class MpiSession {
 public:
  // Starts MPI where `start`: it takes what is its own out of the arguments. Threads beside the one that
  // calls leave MPI to it.
  MpiSession(bool start, int& argc, char**& argv);
  MpiSession(const MpiSession&) = delete;
  MpiSession& operator=(const MpiSession&) = delete;

  // Collective: ends what was started here. Not done by itself: a rank that fails must not wait for others.
  void end();

 private:
  bool started_ = false;
};

// Ends all processes of the program, or this one where it is alone, with this exit code. On any thread.
[[noreturn]] void abort_all_ranks(int code);

}  // namespace plaq
