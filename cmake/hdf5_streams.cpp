// stdout and stderr of a static HDF5 in a shared library, where the linker has put __wrap_NAME for NAME
// (cmake/Hdf5.cmake). Archives of distributions are compiled for programs: they take addresses of the C
// library's variables as those of a program, which a shared library cannot have. These are its own.
#include <cstdio>

extern "C" {
extern FILE *__real_stdout, *__real_stderr;  // NOLINT(bugprone-reserved-identifier): the linker's names

[[gnu::visibility("hidden")]] FILE *__wrap_stdout = nullptr, *__wrap_stderr = nullptr;  // NOLINT

// Before whatever else the library does when it is loaded.
[[gnu::constructor(101)]] static void take_streams() {
  __wrap_stdout = __real_stdout;
  __wrap_stderr = __real_stderr;
}
}
