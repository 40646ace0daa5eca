// Memory of a batch for the scalars of its method (solvers/krylov/scalars.hpp).
#pragma once

#include <cstdint>

#include "core/launch/queue.hpp"
#include "core/launch/target.hpp"
#include "core/operator/active_set.hpp"
#include "core/system/memory.hpp"
#include "solvers/krylov/scalars.hpp"

namespace plaq {

// Signal to the host that statuses have arrived: `seen`, in its memory, becomes ++`count`.
struct StatusSignal {
  std::uint64_t *count = nullptr, *seen = nullptr;
};

// Function is a std::variant of functors f(rhs). The one that it holds is called for each right-hand side of
// a set, all at once; after them comes the signal, where there is one. Compiled for each machine
// (solvers/krylov/scalar_launch_body.hpp).
template <class Target, class Function>
struct ScalarLaunch {
  static void run(const ActiveSet& which, const Function& f, const StatusSignal& signal, const Queue& queue);
};

class BatchScalars {
 public:
  // `systems`: statuses of each right-hand side, as of several shifts.
  BatchScalars(const Queue& queue, int batch, int systems = 1);
  // Memory at the queue's location, and on the host beside it.
  static std::size_t bytes(int batch) { return head + static_cast<std::size_t>(batch) * bytes_a_rhs; }
  static std::size_t host_bytes(int batch, int systems = 1) {
    return head +
           static_cast<std::size_t>(batch) * static_cast<std::size_t>(systems) * sizeof(IterationStatus);
  }

  // All of it, for the scalars of one method.
  ScalarMemory memory() const { return over(memory_.as<unsigned char>() + head, memory_.bytes() - head); }
  // Memory of the method's own instead, with the statuses from here.
  ScalarMemory over(void* first, std::size_t bytes) const { return {first, bytes, statuses(), batch_}; }

  // f(rhs) where the vectors are, queued. With statuses it is the last of an iteration: await() follows.
  template <class Function>
  void run(const ActiveSet& which, const Function& f) const {
    launch(which, f, {});
  }
  template <class Function>
  void run_with_statuses(const ActiveSet& which, const Function& f) const {
    launch(which, f, {memory_.as<std::uint64_t>(), seen_.as<std::uint64_t>()});
  }
  // Waits until the iteration that was queued last has ended; once for each. Statuses of system s at
  // [s batch + right-hand side].
  const IterationStatus* await();

 private:
  static constexpr std::size_t head = 64;  // for the number of statuses
  static constexpr std::size_t bytes_a_rhs = 256 + 4 * sizeof(blas::CoefficientList::Set);

  template <class Function>
  void launch(const ActiveSet& which, const Function& f, const StatusSignal& signal) const {
    if constexpr (with_cuda) {
      if (queue_.location() == Location::device)
        return ScalarLaunch<Device, Function>::run(which, f, signal, queue_);
    }
    ScalarLaunch<Host, Function>::run(which, f, signal, queue_);
  }
  IterationStatus* statuses() const {
    return reinterpret_cast<IterationStatus*>(seen_.as<unsigned char>() + head);
  }

  Queue queue_;
  int batch_;
  Buffer memory_;  // number of statuses; scalars
  Buffer seen_;    // the same number, and statuses, for the host
  std::uint64_t awaited_ = 0;
};

}  // namespace plaq
