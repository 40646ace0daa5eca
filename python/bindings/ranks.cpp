#include "python/bindings/ranks.hpp"

#include <optional>

#include "comms/communicator/launcher.hpp"
#include "comms/communicator/mpi_session.hpp"
#include "comms/grid/world.hpp"
#include "python/bindings/arguments.hpp"
#include "python/bindings/call.hpp"

namespace nb = nanobind;

namespace plaq::python {
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
    return Communicator::of_fortran_handle(argument_as<int>(communicator.attr("py2f")(), "comm", wanted));
  }
  if (!mpi_runs() && has_launcher()) start_mpi();
  return whole_world();
}

}  // namespace plaq::python
