// The right-hand sides of a solve: which of them are still iterated, their sums over ranks, and the work done
// for them. Everything is allocated when it is made.
#pragma once

#include <complex>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/operator/linear_operator.hpp"
#include "kernels/blas/blas.hpp"
#include "kernels/blas/update_work.hpp"
#include "solvers/krylov/batch_scalars.hpp"
#include "solvers/krylov/sums.hpp"
#include "solvers/report.hpp"

namespace plaq {

using Coefficients = std::vector<blas::Coefficients>;  // one a right-hand side

inline void set(blas::Coefficients& c, int k, std::complex<double> z) {
  c.value[2 * k] = z.real();
  c.value[2 * k + 1] = z.imag();
}

class Batch {
 public:
  // `systems` of each right-hand side have a status of their own (BatchScalars).
  Batch(const ProcessGrid& grid, const Queue& queue, int size, int systems = 1);
  Batch(const Batch&) = delete;

  int size() const { return static_cast<int>(active_.size()); }
  const Queue& queue() const { return work_.queue(); }
  const ProcessGrid& grid() const { return *grid_; }
  blas::Workspace& workspace() { return work_; }

  // A new solve: nobody is active, nothing was done.
  void reset();
  bool active(int i) const { return active_[static_cast<std::size_t>(i)]; }
  bool any_active() const;
  // It has converged, or can go no further.
  void mask(int i) { active_[static_cast<std::size_t>(i)] = false; }
  void activate(int i) { active_[static_cast<std::size_t>(i)] = true; }
  ActiveSet active_set() const { return ActiveSet(active_); }
  ActiveSet all() const { return ActiveSet(size()); }

  // For the right-hand sides of a set; values are the caller's to set.
  Coefficients coefficients(const ActiveSet& which) const;

  // Methods whose scalars stay where the vectors are (solvers/krylov/iteration.hpp): updates with their
  // coefficients, and sums, which total_sums() leaves there as doubles. None of them waits where total_sums()
  // need not (SumExchange::total).
  BatchScalars& method_scalars() { return scalars_; }
  // A method's scalars by their names; S takes a ScalarMemory&.
  template <class S>
  S scalars() const {
    ScalarMemory memory = scalars_.memory();
    return S(memory);
  }
  template <class Op>
  void update(const UpdateCoefficients& c, const ActiveSet& which,
              const std::array<const Field*, Op::vectors>& vectors) {
    count<Op>(which.count(), vectors);
    blas::update<Op>(work_, list_of(c, which), vectors);
  }
  template <class Op>
  auto add_sums(const UpdateCoefficients& c, const ActiveSet& which,
                const std::array<const Field*, Op::vectors>& vectors) {
    count<Op>(which.count(), vectors);
    return sums_of<Op>(work_.totals() + blas::update_and_add<Op>(work_, list_of(c, which), vectors));
  }
  // For updates that take none.
  UpdateCoefficients no_coefficients() const {
    ScalarMemory memory = scalars_.memory();
    return UpdateCoefficients(memory);
  }
  void total_sums();
  // Waits for the iteration that was queued last (BatchScalars::run_with_statuses).
  const IterationStatus* await_statuses();
  void await_statuses(const ActiveSet& which, std::vector<double>& norms, std::vector<char>& breakdown);

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
  // Number of waits of the host since reset(): for sums, and for an iteration's end.
  std::int64_t waits() const { return waits_; }
  // Both at once.
  template <class Op>
  std::vector<double> sum(const Coefficients& c, const std::array<const Field*, Op::vectors>& vectors) {
    add_sums<Op>(c, vectors);
    return fetch_sums();
  }

  // to = c0 from and x = x + c0 y between precisions; with a gauge frame g c0 g from and x + c0 g^dagger y
  // (solvers/mixed/vector_conversion.hpp).
  void convert(const Coefficients& c, Field& to, const Field& from, const Field* frame = nullptr);
  void add_converted(const Coefficients& c, Field& x, const Field& y, const Field* frame = nullptr);

  // A or its adjoint, counted; `outer` for true residuals.
  void apply(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which);
  void apply_dagger(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which);
  void apply_outer(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which);
  void apply_outer_dagger(LinearOperator& a, Field& out, const Field& in, const ActiveSet& which);
  // Its work is counted, but not as an application of A.
  void precondition(LinearOperator& k, Field& out, const Field& in, const ActiveSet& which);

  // Work of this rank since reset(), and its addition.
  struct Done {
    Work work;
    Applications inner, outer;
    Done operator-(const Done& before) const;
  };
  const Done& done() const { return done_; }
  void add_done(const Done& more);
  // Forgets what was queued since, sums included.
  void undo_to(const Done& before);

  // Adds the work of all ranks since reset() to a report, also that of a solver inside this one.
  void add_work(const SolveReport& of_inner_solver);
  void write_work(SolveReport& report) const;

 private:
  template <class Op>
  void count(int active, const std::array<const Field*, Op::vectors>& vectors) {
    const Work work = blas::work_of<Op>(active, vectors);
    done_.work.bytes += work.bytes;
    done_.work.flops += work.flops;
    blas::record_update(queue(), *vectors[0], active, work);
  }
  static int active_of(const Coefficients& c);
  static blas::CoefficientList list_of(const UpdateCoefficients& c, const ActiveSet& which) {
    blas::CoefficientList list;
    list.active = which;
    list.of_rhs = c.first;
    return list;
  }
  void count_frame(const Coefficients& c, const Field& vector, const Field* frame);
  void count_apply(const LinearOperator& a, const ActiveSet& which, Applications& applications);

  const ProcessGrid* grid_;
  std::vector<char> active_;
  blas::Workspace work_;
  BatchScalars scalars_;
  Done done_;
  Work inside_;  // of all ranks by solvers inside
  std::int64_t waits_ = 0;
};

}  // namespace plaq
