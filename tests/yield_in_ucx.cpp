// Preloaded into ranks of an MPI library that uses UCX and, as MPICH, never gives its core away while it
// waits: tests have more ranks than cores, and a rank that waits would keep others from what it waits for
// until the kernel intervenes.
#include <dlfcn.h>
#include <sched.h>

// Lets communication advance, of UCX; returns 0 if nothing did. Python loads UCX where RTLD_NEXT finds
// nothing.
extern "C" unsigned ucp_worker_progress(void* worker) {
  static const auto in_ucx = reinterpret_cast<unsigned (*)(void*)>(
      ::dlsym(::dlopen("libucp.so.0", RTLD_LAZY), "ucp_worker_progress"));
  const unsigned advanced = in_ucx(worker);
  if (advanced == 0) ::sched_yield();
  return advanced;
}
