// Preloaded into ranks of a program: one of them stops itself (SIGSTOP) in its next call of MPI_Start, which
// halos begin with, or MPI_Allreduce, as the file PLAQ_STALL_ORDERS/NODE.stall asks for. NODE is the name of
// its machine, and the file has the name of the call. The file is then NODE.stalled.
#include <dlfcn.h>
#include <fcntl.h>
#include <mpi.h>
#include <signal.h>
#include <unistd.h>

#include <climits>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

namespace {

const std::string& order() {
  static const std::string path = [] {
    const char* folder = std::getenv("PLAQ_STALL_ORDERS");
    char node[HOST_NAME_MAX + 1];
    if (folder == nullptr || ::gethostname(node, sizeof node) != 0) return std::string();
    return std::string(folder) + '/' + node + ".stall";
  }();
  return path;
}

void stall_where_asked(std::string_view call) {
  const int file = order().empty() ? -1 : ::open(order().c_str(), O_RDONLY);
  if (file < 0) return;
  char text[64];
  const ssize_t length = ::read(file, text, sizeof text);
  ::close(file);
  if (length < 0 || std::string_view(text, static_cast<std::size_t>(length)) != call) return;
  // The first rank that renames the file stalls.
  if (::rename(order().c_str(), (order() + "ed").c_str()) == 0) ::raise(SIGSTOP);
}

template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(::dlsym(RTLD_NEXT, name));
}

}  // namespace

extern "C" {

int MPI_Start(MPI_Request* request) {
  stall_where_asked("MPI_Start");
  return next<decltype(MPI_Start)>("MPI_Start")(request);
}

int MPI_Allreduce(const void* from, void* to, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm) {
  stall_where_asked("MPI_Allreduce");
  return next<decltype(MPI_Allreduce)>("MPI_Allreduce")(from, to, count, type, op, comm);
}

}  // extern "C"
