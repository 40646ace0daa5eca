// Signals that ask a job to stop: remembered, agreed upon, and given back.
#include "comms/communicator/stop_request.hpp"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <optional>
#include <vector>

#include "tests/jobs/schema/job_file_helpers.hpp"

namespace plaq::jobs::test {
namespace {

TEST(StopRequests, OfOneRankAreKnownToAll) {
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (const int signal : {SIGTERM, SIGUSR1, SIGINT}) {
    const StopRequest stop;
    EXPECT_EQ(stop.anywhere(MPI_COMM_WORLD), 0);
    if (rank == size - 1) ::raise(signal);
    EXPECT_EQ(stop.here(), rank == size - 1 ? signal : 0);
    EXPECT_EQ(stop.anywhere(MPI_COMM_WORLD), signal);
  }
  const StopRequest fresh;
  EXPECT_EQ(fresh.anywhere(MPI_COMM_WORLD), 0);
}

TEST(StopRequests, SayWhatWasSaved) {
  expect_holds(message_of(ErrorKind::stopped, [] { throw_stopped(SIGTERM, "all is saved"); }),
               "stopped by SIGTERM: all is saved; the same command goes on from there");
  EXPECT_EQ(exit_code(ErrorKind::stopped), 9);
}

// The signal by which a process ends that raises `signals`; 0: it lives.
int fate(const std::vector<int>& signals, bool within) {
  const pid_t pid = ::fork();
  if (pid == 0) {
    sigset_t none;
    sigemptyset(&none);
    ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
    for (const int signal : {SIGTERM, SIGUSR1, SIGINT})
      ::signal(signal, SIG_DFL);  // not what a launcher left
    { const StopRequest before; }
    std::optional<StopRequest> stop;
    if (within) stop.emplace();
    for (const int signal : signals) ::raise(signal);
    ::_exit(0);
  }
  int status = 0;
  ::waitpid(pid, &status, 0);
  return WIFSIGNALED(status) ? WTERMSIG(status) : 0;
}

TEST(StopRequests, ASecondInterruptEndsTheProgram) {
  EXPECT_EQ(fate({SIGINT}, true), 0);
  EXPECT_EQ(fate({SIGINT, SIGINT}, true), SIGINT);
  EXPECT_EQ(fate({SIGTERM, SIGUSR1, SIGTERM}, true), 0);
  EXPECT_EQ(fate({SIGUSR1}, false), SIGUSR1);  // handlers are as before
  EXPECT_EQ(fate({SIGTERM}, false), SIGTERM);
}

// Launchers may block them for all that they start.
TEST(StopRequests, AreHeardWhereTheyWereBlocked) {
  sigset_t all, before;
  sigfillset(&all);
  ASSERT_EQ(::pthread_sigmask(SIG_BLOCK, &all, &before), 0);
  for (const int signal : {SIGTERM, SIGUSR1, SIGINT}) {
    const StopRequest stop;
    ::raise(signal);
    EXPECT_EQ(stop.here(), signal);
  }
  sigset_t after;
  ::pthread_sigmask(SIG_SETMASK, &before, &after);
  for (const int signal : {SIGTERM, SIGUSR1, SIGINT, SIGHUP})
    EXPECT_EQ(sigismember(&after, signal), 1) << signal;
}

extern "C" void of_a_library(int) {}

// A library that a job loads late may take signals.
TEST(StopRequests, AreHeardWhereALibraryTookThem) {
  for (const int signal : {SIGTERM, SIGUSR1, SIGINT}) {
    {
      const StopRequest stop;
      ::signal(signal, of_a_library);
      EXPECT_EQ(stop.here(), 0);
      ::raise(signal);
      EXPECT_EQ(stop.here(), signal);
    }
    const StopRequest fresh;
    ::signal(signal, of_a_library);
    const StopRequest inside;
    ::raise(signal);
    EXPECT_EQ(fresh.here(), signal);
  }
  // The library gets back what it took.
  struct sigaction now {};
  ::sigaction(SIGTERM, nullptr, &now);
  EXPECT_EQ(now.sa_handler, of_a_library);
  for (const int signal : {SIGTERM, SIGUSR1, SIGINT}) ::signal(signal, SIG_DFL);
}

}  // namespace
}  // namespace plaq::jobs::test
