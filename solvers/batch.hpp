// The right-hand sides of a solve: which of them are still iterated, their sums over ranks, and the work done
// for them. Everything is allocated when it is made.
#pragma once

#include <complex>
#include <vector>

#include "comms/process_grid.hpp"
#include "core/linear_operator.hpp"
#include "kernels/blas/blas.hpp"
#include "solvers/batch_slots.hpp"
#include "solvers/report.hpp"

namespace plaq {

using Coefficients = std::vector<blas::Coefficients>;  // one a right-hand side

inline void set(blas::Coefficients& c, int k, std::complex<double> z) {
  c.value[2 * k] = z.real();
  c.value[2 * k + 1] = z.imag();
}

// Only inner operators have a gauge frame, and of a lower precision than the outer one.
void expect_frames(const LinearOperator& outer, const LinearOperator& inner);

class Batch {
 public:
  Batch(const ProcessGrid& grid, const Queue& queue, int size);
  Batch(const Batch&) = delete;

  int size() const { return static_cast<int>(active_.size()); }
  const Queue& queue() const { return work_.queue(); }
  const ProcessGrid& grid() const { return *grid_; }
  blas::Workspace& workspace() { return work_; }

  // A new solve: nobody is active, nothing was done.
  void reset();
  bool active(int i) const { return active_[static_cast<std::size_t>(i)]; }
  bool any_active() const;
  void freeze(int i) { active_[static_cast<std::size_t>(i)] = false; }
  void activate(int i) { active_[static_cast<std::size_t>(i)] = true; }
  ActiveSet active_set() const { return ActiveSet(active_); }
  ActiveSet all() const { return ActiveSet(size()); }

  // For the right-hand sides of a set; values are the caller's to set.
  Coefficients coefficients(const ActiveSet& which) const;

  // Methods whose scalars stay where the vectors are: updates with a slot's set number `use`, and sums, which
  // total_sums() leaves as doubles in slots<State>().totals, in the order of fetch_sums(). None of them waits
  // where total_sums() need not (SumExchange::total).
  template <class State>
  SlotView<State> slots() {
    return slots_.view<State>(work_.totals());
  }
  BatchSlots& slot_memory() { return slots_; }
  template <class Op>
  void update(int use, const ActiveSet& which, const std::array<const Field*, Op::vectors>& vectors) {
    count<Op>(which.count(), vectors);
    blas::update<Op>(work_, slot_coefficients(use, which), vectors);
  }
  template <class Op>
  int add_sums(int use, const ActiveSet& which, const std::array<const Field*, Op::vectors>& vectors) {
    count<Op>(which.count(), vectors);
    return blas::update_and_add<Op>(work_, slot_coefficients(use, which), vectors);
  }
  void total_sums();
  // Of the iteration that was queued last (BatchSlots::run_with_verdicts).
  void await_verdicts(const ActiveSet& which, std::vector<double>& norms, std::vector<char>& broke);

  template <class Op>
  void update(const Coefficients& c, const std::array<const Field*, Op::vectors>& vectors) {
    count<Op>(active_of(c), vectors);
    blas::update<Op>(work_, c, vectors);
  }
  // Queues sums over all ranks: fetch_sums() has them at [returned + right-hand side * Op::sums + k], 0 for
  // those that are not active. Each fetch waits for the queue: the fewer, the better.
  template <class Op>
  std::size_t add_sums(const Coefficients& c, const std::array<const Field*, Op::vectors>& vectors) {
    count<Op>(active_of(c), vectors);
    return static_cast<std::size_t>(blas::update_and_add<Op>(work_, c, vectors));
  }
  std::vector<double> fetch_sums();
  // Both at once.
  template <class Op>
  std::vector<double> sum(const Coefficients& c, const std::array<const Field*, Op::vectors>& vectors) {
    add_sums<Op>(c, vectors);
    return fetch_sums();
  }

  // to = c0 from and x = x + c0 y between precisions; with the gauge frame g of the inner operator c0 g from
  // and x + c0 g^dagger y.
  void convert(const Coefficients& c, Field& to, const Field& from, const Field* frame = nullptr);
  void add_converted(const Coefficients& c, Field& x, const Field& y, const Field* frame = nullptr);

  // A or its adjoint, counted; `outer` for true residuals.
  void apply(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which);
  void apply_dagger(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which);
  void apply_outer(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which);
  // Its work is counted, but not as an application of A.
  void precondition(LinearOperator& k, Field& out, const Field& in, const ActiveSet& which);

  // What this rank has done since reset(), and the same once more.
  struct Done {
    Work work;
    Applications inner, outer;
    Done operator-(const Done& before) const;
  };
  const Done& done() const { return done_; }
  void add_done(const Done& more);
  // Forgets what was queued since, sums included.
  void undo_to(const Done& before);

  // What was done since reset(), by all ranks, goes to a report; also what a solver inside this one did.
  void add_work(const SolveReport& of_inner_solver);
  void write_work(SolveReport& report) const;

 private:
  template <class Op>
  void count(int active, const std::array<const Field*, Op::vectors>& vectors) {
    double bytes = 0;
    for (std::size_t i = 0; i < vectors.size(); ++i)
      bytes += bytes_of(vectors[i]->precision()) * (((Op::reads >> i) & 1u) + ((Op::writes >> i) & 1u));
    const double reals = static_cast<double>(vectors[0]->slot_stride()) * vectors[0]->slices() * active;
    done_.work.bytes += reals * bytes;
    done_.work.flops += reals * 4 * (Op::vectors - 1 + Op::sums / 2);
  }
  static int active_of(const Coefficients& c);
  blas::CoefficientList slot_coefficients(int use, const ActiveSet& which) {
    blas::CoefficientList list;
    list.active = which;
    list.of_slot = slots<char>().of_slot(use);
    return list;
  }
  void count_frame(const Coefficients& c, const Field& vector, const Field* frame);
  void count_apply(const LinearOperator& a, const ActiveSet& which, Applications& applications);

  const ProcessGrid* grid_;
  std::vector<char> active_;
  blas::Workspace work_;
  BatchSlots slots_;
  Done done_;
  Work inside_;  // of all ranks by solvers inside
};

}  // namespace plaq
