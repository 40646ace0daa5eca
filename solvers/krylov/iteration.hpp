// Operations of an iteration of a method for its right-hand sides: vector updates, applications of A, sums,
// and functions of the sums. All of them are queued; nobody waits.
#pragma once

#include <array>

#include "solvers/krylov/batch.hpp"

namespace plaq {

// Function: what the method computes of its scalars (ScalarLaunch).
template <class Function>
class Iteration {
 public:
  Iteration(Batch& batch, LinearOperator& a, const ActiveSet& which) : batch_(batch), a_(a), which_(which) {}

  void apply(Field& out, const Field& in) { batch_.apply(a_, out, in, which_); }
  void apply_dagger(Field& out, const Field& in) { batch_.apply_dagger(a_, out, in, which_); }
  void precondition(LinearOperator& k, Field& out, const Field& in) {
    batch_.precondition(k, out, in, which_);
  }

  // Op: one of kernels/blas/operations.hpp or krylov_operations.hpp, with its coefficients where it has any.
  template <class Op>
  void update(Op, const UpdateCoefficients& c, const std::array<const Field*, Op::vectors>& vectors) {
    batch_.update<Op>(c, which_, vectors);
  }
  template <class Op>
  void update(Op op, const std::array<const Field*, Op::vectors>& vectors) {
    update(op, batch_.no_coefficients(), vectors);
  }
  // Updates with sums, by their names (sums_of): there for what after_sums() or end() computes next.
  template <class Op>
  auto add_sums(Op, const UpdateCoefficients& c, const std::array<const Field*, Op::vectors>& vectors) {
    return batch_.add_sums<Op>(c, which_, vectors);
  }
  template <class Op>
  auto add_sums(Op op, const std::array<const Field*, Op::vectors>& vectors) {
    return add_sums(op, batch_.no_coefficients(), vectors);
  }

  // f(rhs); after the sums added so far; the last of an iteration, whose statuses the host will want.
  void run(const Function& f) { batch_.method_scalars().run(which_, f); }
  void after_sums(const Function& f) {
    batch_.total_sums();
    run(f);
  }
  void end(const Function& f) {
    batch_.total_sums();
    batch_.method_scalars().run_with_statuses(which_, f);
  }

 private:
  Batch& batch_;
  LinearOperator& a_;
  ActiveSet which_;
};

}  // namespace plaq
