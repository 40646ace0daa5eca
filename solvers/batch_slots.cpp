#include "solvers/batch_slots.hpp"

#include <cstring>
#include <string>

#include "core/await_number.hpp"

namespace plaq {

BatchSlots::BatchSlots(const Queue& queue, int batch)
    : queue_(queue),
      batch_(batch),
      memory_(queue.location(), bytes(batch)),
      seen_(Location::host, host_bytes(batch), true) {
  memory_.fill_zero();
  std::memset(seen_.data(), 0, seen_.bytes());
}

const Verdict* BatchSlots::await() {
  ++awaited_;
  await_number(
      *seen_.as<std::uint64_t>(), awaited_, [] { return std::string("this rank's GPU, for an iteration"); },
      [&] { queue_.check(); });
  return verdicts();
}

}  // namespace plaq
