// What the Krylov methods share: the state of each right-hand side, their sums over ranks, and the loop
// around a method that recomputes the true residual and starts again where the iterated one had drifted.
#pragma once

#include <vector>

#include "kernels/blas/blas.hpp"
#include "solvers/solver.hpp"

namespace plaq {

class Batch {
 public:
  Batch(const ProcessGrid& grid, const Queue& queue, int size);

  int size() const { return static_cast<int>(active_.size()); }
  bool active(int i) const { return active_[static_cast<std::size_t>(i)]; }
  bool any_active() const;
  void freeze(int i) { active_[static_cast<std::size_t>(i)] = false; }
  void activate(int i) { active_[static_cast<std::size_t>(i)] = true; }

  // Coefficients with the right-hand sides that are active now; values are the caller's to set.
  std::vector<blas::Coefficients> coefficients() const;

  template <class Op>
  void update(const std::vector<blas::Coefficients>& c,
              const std::array<const Field*, Op::vectors>& vectors) {
    count<Op>(vectors[0]);
    blas::update<Op>(work_, c, vectors);
  }
  // Sums over all ranks, [right-hand side * Op::sums + k]; 0 for those that are not active.
  template <class Op>
  std::vector<double> sum(const std::vector<blas::Coefficients>& c,
                          const std::array<const Field*, Op::vectors>& vectors) {
    count<Op>(vectors[0]);
    auto sums = blas::update_and_sum<Op>(work_, c, vectors);
    return global_sums(*grid_, sums);
  }
  void count_apply(const LinearOperator& a, int times = 1);

  // Flops and bytes of this rank so far.
  Work done() const { return done_; }

 private:
  template <class Op>
  void count(const Field* like) {
    const double reals = static_cast<double>(like->slot_stride()) * like->slots();
    const int touched = __builtin_popcount(Op::reads) + __builtin_popcount(Op::writes);
    done_.bytes += reals * bytes_of(like->precision()) * touched;
    done_.flops += reals * 4 * (Op::vectors - 1 + Op::sums / 2);
  }

  const ProcessGrid* grid_;
  std::vector<char> active_;
  blas::Workspace work_;
  Work done_;
};

// One method: `begin` gets r = b - A x and may set up; `step` does one iteration of all active right-hand
// sides, updates x and the iterated residual norms, and marks breakdowns.
class KrylovMethod {
 public:
  virtual ~KrylovMethod() = default;
  virtual void begin(Batch& batch, Field& r) = 0;
  // norms[i] = ||r_i|| for active i; broke[i] set where the method cannot go on from here.
  virtual void step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                    std::vector<char>& broke) = 0;
};

// Drives `method` to the targets of `parameters`. `r` and `scratch` are workspace.
SolveReport run_krylov(KrylovMethod& method, LinearOperator& a, const ProcessGrid& grid, Field& x,
                       const Field& b, Field& r, Field& scratch, const SolverParameters& parameters);

}  // namespace plaq
