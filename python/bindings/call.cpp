#include "python/bindings/call.hpp"

#include <omp.h>

#include <csignal>
#include <exception>
#include <optional>
#include <thread>

#include "comms/communicator/mpi_session.hpp"
#include "comms/communicator/world.hpp"
#include "core/system/error.hpp"
#include "core/system/fork.hpp"
#include "python/bindings/arguments.hpp"

namespace nb = nanobind;

namespace plaq::python {
namespace {

std::thread::id main_thread;
std::recursive_mutex turns;
int depth = 0;  // of calls within callbacks of calls

bool is_main_thread() { return std::this_thread::get_id() == main_thread; }

}  // namespace

void remember_main_thread() { main_thread = std::this_thread::get_id(); }

ProcessUse::ProcessUse() {
  if (!is_lacking_fork()) return;
  throw Error(ErrorKind::usage,
              "this process was forked from one in which plaq had computed or was computing, and the "
              "threads, MPI and "
              "GPU of that one are not here; start processes by spawn: "
              "multiprocessing.get_context(\"spawn\").Pool(...), or "
              "concurrent.futures.ProcessPoolExecutor(mp_context=multiprocessing.get_context(\"spawn\"))");
}

// Only now it is known how many threads there were.
ProcessUse::~ProcessUse() {
  if (omp_get_max_threads() > 1 || mpi_runs()) has_what_forks_lack();
}

Call::Call(const Communicator& ranks) : exceptions_(std::uncaught_exceptions()), turn_(turns) {
  if (is_main_thread()) signals_.emplace();
  if (depth++ == 0) part_.emplace(ranks);
}

Call::~Call() {
  const int signal = signals_ ? signals_->here() : 0;
  signals_.reset();
  // To whom it would have come: Python raises KeyboardInterrupt when this thread has it again.
  if (--depth == 0 && signal != 0 && std::uncaught_exceptions() == exceptions_) std::raise(signal);
}

namespace {

void start_mpi() {
  static std::optional<MpiSession> session;
  if (session) return;
  int argc = 0;
  char** argv = nullptr;
  session.emplace(true, argc, argv);
  nb::module_::import_("atexit").attr("register")(nb::cpp_function([] {
    if (mpi_runs()) session->end();
  }));
}

}  // namespace

Communicator ranks_of(nb::handle communicator) {
  const ProcessUse use;
  if (!communicator.is_none()) {
    constexpr const char* wanted = "a communicator of mpi4py";
    if (!nb::hasattr(communicator, "py2f")) refuse_argument("comm", wanted, communicator);
    expect_own_mpi();
    return Communicator::of_fortran_handle(argument_as<int>(communicator.attr("py2f")(), "comm", wanted));
  }
  if (!mpi_runs() && has_launcher()) start_mpi();
  return whole_world();
}

}  // namespace plaq::python
