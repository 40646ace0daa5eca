#include "solvers/krylov/batch_scalars.hpp"

#include <cstring>
#include <string>

#include "core/system/await_number.hpp"
#include "core/system/runs_dry.hpp"

namespace plaq {

BatchScalars::BatchScalars(const Queue& queue, int batch, int systems)
    : queue_(queue),
      batch_(batch),
      memory_(queue.location(), bytes(batch)),
      seen_(Location::host, host_bytes(batch, systems), true) {
  memory_.fill_zero();
  std::memset(seen_.data(), 0, seen_.bytes());
}

const IterationStatus* BatchScalars::await() {
  ++awaited_;
  on_numbers([&] {
    await_number(
        *seen_.as<std::uint64_t>(), awaited_, [] { return std::string("this rank's GPU, for an iteration"); },
        [&] { queue_.check(); });
  });
  return statuses();
}

}  // namespace plaq
