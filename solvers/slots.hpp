// The scalars of a method - coefficients of its vector updates and what they are made from - for each
// right-hand side (slot) of a batch, in memory where the vectors are: a GPU computes them itself from sums
// that never leave it, and the host learns of an iteration's end only.
#pragma once

#include <cstdint>

#include "core/active_set.hpp"
#include "core/complex_scalar.hpp"
#include "core/queue.hpp"
#include "kernels/blas/coefficients.hpp"

namespace plaq {

// What the host is told of a right-hand side after an iteration.
struct Verdict {
  double norm = 0;  // of the iterated residual
  bool broke = false;
};

// One State and a few sets of coefficients a slot, as functors see them; `totals`: the doubles that
// Batch::total_sums left.
template <class State>
struct SlotView {
  static constexpr int sets = 4;
  static constexpr int state_bytes = 256;
  static_assert(sizeof(State) <= state_bytes && alignof(State) <= 16);

  unsigned char* states = nullptr;
  blas::CoefficientList::Set* set = nullptr;  // [use][slot]
  Verdict* verdicts = nullptr;                // in host memory
  const double* totals = nullptr;
  int batch = 0;

  PLAQ_HD State& state(int slot) const { return *reinterpret_cast<State*>(states + slot * state_bytes); }
  // Number `use` of a slot's sets.
  PLAQ_HD void put(int use, int slot, const ComplexDouble& c0, const ComplexDouble& c1 = {0, 0},
                   const ComplexDouble& c2 = {0, 0}) const {
    double* value = set[use * batch + slot].value;
    value[0] = c0.re;
    value[1] = c0.im;
    value[2] = c1.re;
    value[3] = c1.im;
    value[4] = c2.re;
    value[5] = c2.im;
  }
  const blas::CoefficientList::Set* of_slot(int use) const { return set + use * batch; }
};

// Where the host sees that verdicts are there: `seen`, in its memory, becomes ++`count`.
struct VerdictSignal {
  std::uint64_t *count = nullptr, *seen = nullptr;
};

// f(slot) for each right-hand side of a set, all at once; after them the signal, where there is one. Compiled
// for each machine (solvers/slot_launch_impl.hpp).
template <class Target, class F>
void launch_slots(const ActiveSet& which, const F& f, const VerdictSignal& signal, const Queue& queue);

}  // namespace plaq
