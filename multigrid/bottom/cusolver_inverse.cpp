#include "multigrid/bottom/operator_inverse.hpp"

#if defined(PLAQ_WITH_CUSOLVER)
#include <cusolverDn.h>

#include <algorithm>
#include <optional>
#include <string>

#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/memory.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/shared_library.hpp"

namespace plaq {
namespace {

struct CusolverLibrary {
  decltype(&::cusolverDnCreate) create = nullptr;
  decltype(&::cusolverDnSetStream) set_stream = nullptr;
  decltype(&::cusolverDnZgetrf_bufferSize) work_size = nullptr;
  decltype(&::cusolverDnZgetrf) factor = nullptr;
  decltype(&::cusolverDnZgetrs) solve = nullptr;

  // cuSOLVER of the version that plaq was compiled for; none, with a message, if it cannot be used.
  static const std::optional<CusolverLibrary>& get() {
    static const std::optional<CusolverLibrary> library = load();
    return library;
  }

 private:
  static std::optional<CusolverLibrary> load() {
    try {
      const SharedLibrary library("libcusolver.so." + std::to_string(CUSOLVER_VER_MAJOR), "cuSOLVER",
                                  ErrorKind::device);
      CusolverLibrary cusolver;
      library.find(cusolver.create, "cusolverDnCreate");
      library.find(cusolver.set_stream, "cusolverDnSetStream");
      library.find(cusolver.work_size, "cusolverDnZgetrf_bufferSize");
      library.find(cusolver.factor, "cusolverDnZgetrf");
      library.find(cusolver.solve, "cusolverDnZgetrs");
      return cusolver;
    } catch (const Error& e) {
      log::debug(std::string("dense matrices are inverted on the host: ") + e.what());
      return std::nullopt;
    }
  }
};

void check(cusolverStatus_t status, const char* what) {
  if (status != CUSOLVER_STATUS_SUCCESS)
    throw Error(ErrorKind::device,
                std::string(what) + ": cuSOLVER says " + std::to_string(static_cast<int>(status)));
}

// Handle for work on this queue. It is made once, which takes longer than an inverse, and lives as long as
// the process.
cusolverDnHandle_t handle_for(const CusolverLibrary& library, const Queue& queue) {
  static const cusolverDnHandle_t handle = [&] {
    cusolverDnHandle_t made = nullptr;
    check(library.create(&made), "cusolverDnCreate");
    return made;
  }();
  check(library.set_stream(handle, static_cast<cudaStream_t>(queue.stream())), "cusolverDnSetStream");
  return handle;
}

}  // namespace

bool invert_by_cusolver(std::complex<double>* inverse, const std::complex<double>* matrix, int n,
                        const Queue& queue) {
  const auto size = static_cast<std::size_t>(n) * static_cast<std::size_t>(n);
  const std::size_t bytes = size * sizeof(*matrix);
  if (!runs_dry() && !CusolverLibrary::get()) return false;
  const Buffer lu(Location::device, bytes), solution(Location::device, bytes);
  if (runs_dry()) return true;
  const CusolverLibrary& cusolver = *CusolverLibrary::get();
  std::fill(inverse, inverse + size, 0.0);
  for (std::size_t i = 0; i < size; i += static_cast<std::size_t>(n) + 1) inverse[i] = 1;
  copy_bytes(lu.data(), Location::device, matrix, Location::host, bytes);
  copy_bytes(solution.data(), Location::device, inverse, Location::host, bytes);

  const cusolverDnHandle_t handle = handle_for(cusolver, queue);
  int work_size = 0;
  check(cusolver.work_size(handle, n, n, lu.as<cuDoubleComplex>(), n, &work_size),
        "cusolverDnZgetrf_bufferSize");
  const Buffer work(Location::device,
                    static_cast<std::size_t>(std::max(work_size, 1)) * sizeof(cuDoubleComplex)),
      pivots(Location::device, static_cast<std::size_t>(n) * sizeof(int)),
      info(Location::device, sizeof(int));
  check(cusolver.factor(handle, n, n, lu.as<cuDoubleComplex>(), n, work.as<cuDoubleComplex>(),
                        pivots.as<int>(), info.as<int>()),
        "cusolverDnZgetrf");
  check(cusolver.solve(handle, CUBLAS_OP_N, n, n, lu.as<cuDoubleComplex>(), n, pivots.as<int>(),
                       solution.as<cuDoubleComplex>(), n, info.as<int>()),
        "cusolverDnZgetrs");
  queue.synchronize();
  copy_bytes(inverse, Location::host, solution.data(), Location::device, bytes);
  return true;
}

}  // namespace plaq

#else

namespace plaq {

bool invert_by_cusolver(std::complex<double>*, const std::complex<double>*, int, const Queue&) {
  return false;
}

}  // namespace plaq

#endif
