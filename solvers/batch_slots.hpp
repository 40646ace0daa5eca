// Memory of a batch for the scalars of its method (solvers/slots.hpp).
#pragma once

#include <vector>

#include "core/memory.hpp"
#include "core/target.hpp"
#include "solvers/slots.hpp"

namespace plaq {

class BatchSlots {
 public:
  BatchSlots(const Queue& queue, int batch);
  // Memory at the queue's location, and on the host beside it.
  static std::size_t bytes(int batch) {
    using AnyView = SlotView<char>;
    return 64 + static_cast<std::size_t>(batch) *
                    (AnyView::state_bytes + AnyView::sets * sizeof(blas::CoefficientList::Set));
  }
  static std::size_t host_bytes(int batch) { return 64 + static_cast<std::size_t>(batch) * sizeof(Verdict); }

  template <class State>
  SlotView<State> view(const double* totals) const {
    SlotView<State> view;
    view.states = memory_.as<unsigned char>() + 64;
    view.set = reinterpret_cast<blas::CoefficientList::Set*>(view.states + static_cast<std::size_t>(batch_) *
                                                                               SlotView<State>::state_bytes);
    view.verdicts = verdicts();
    view.totals = totals;
    view.batch = batch_;
    return view;
  }

  // f(slot) where the vectors are, queued. With verdicts it is the last of an iteration: await() follows.
  template <class F>
  void run(const ActiveSet& which, const F& f) const {
    launch(which, f, {});
  }
  template <class F>
  void run_with_verdicts(const ActiveSet& which, const F& f) const {
    launch(which, f, {memory_.as<std::uint64_t>(), seen_.as<std::uint64_t>()});
  }
  // Until the iteration that was queued last has ended; once for each.
  const Verdict* await();

 private:
  template <class F>
  void launch(const ActiveSet& which, const F& f, const VerdictSignal& signal) const {
    if constexpr (with_cuda) {
      if (queue_.location() == Location::device) return launch_slots<Device>(which, f, signal, queue_);
    }
    launch_slots<Host>(which, f, signal, queue_);
  }
  Verdict* verdicts() const { return reinterpret_cast<Verdict*>(seen_.as<unsigned char>() + 64); }

  Queue queue_;
  int batch_;
  Buffer memory_;  // number of verdicts; states; sets of coefficients
  Buffer seen_;    // the same number, and verdicts, for the host
  std::uint64_t awaited_ = 0;
};

}  // namespace plaq
