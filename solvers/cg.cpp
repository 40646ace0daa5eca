#include "solvers/cg.hpp"

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/cg_slots.hpp"

namespace plaq {

using namespace conjugate_gradients;

Cgnr::Cgnr(LinearOperator& a, int batch) : KrylovMethod(a, batch), s_(vector()), p_(vector()), q_(vector()) {}

void Cgnr::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  batch.apply_dagger(a_, s_, r, which);
  const auto c = batch.coefficients(which);
  batch.update<blas::Copy>(c, {&s_, &p_});
  batch.add_sums<blas::Norm>(c, {&s_});
  batch.total_sums();
  batch.slot_memory().run(which, Begin{batch.slots<State>()});
}

// p = s + (|s|^2/|s_old|^2) p; q = A p; alpha = |s|^2/|q|^2; r -= alpha q; s = A^dagger r; later: x += alpha
// p
void Cgnr::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  step_.run(batch, a_, x, r, active, {}, [&] {
    const auto slots = batch.slots<State>();
    batch.update<blas::CgDirection>(direction, active, {&s_, &p_, &x});
    batch.apply(a_, q_, p_, active);
    batch.add_sums<blas::Norm>(direction, active, {&q_});
    batch.total_sums();
    batch.slot_memory().run(active, HalfStep{slots, false});
    const int rr = batch.add_sums<blas::AxpyNorm>(half_step, active, {&q_, &r});
    batch.apply_dagger(a_, s_, r, active);
    const int ss = batch.add_sums<blas::Norm>(direction, active, {&s_});
    batch.total_sums();
    batch.slot_memory().run_with_verdicts(active, EndStep{slots, rr, ss, 16 * rounding()});
  });
  batch.await_verdicts(active, norms, broke);
}

void Cgnr::settle(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  batch.update<blas::Axpy>(direction, which, {&p_, &x});
  batch.slot_memory().run(which, Settled{batch.slots<State>()});
}

void Cgnr::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  batch.apply_dagger(a_, s_, r, which);
  batch.add_sums<blas::DotNorm>(direction, which, {&s_, &p_});
  batch.total_sums();
  batch.slot_memory().run(which, Replaced{batch.slots<State>()});
}

}  // namespace plaq
