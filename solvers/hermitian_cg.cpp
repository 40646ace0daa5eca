#include "solvers/hermitian_cg.hpp"

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/cg_slots.hpp"

namespace plaq {

using namespace conjugate_gradients;

HermitianCg::HermitianCg(LinearOperator& a, int batch) : KrylovMethod(a, batch), p_(vector()), q_(vector()) {}

void HermitianCg::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  const auto c = batch.coefficients(which);
  batch.update<blas::Copy>(c, {&r, &p_});
  batch.add_sums<blas::Norm>(c, {&r});
  batch.total_sums();
  batch.slot_memory().run(which, Begin{batch.slots<State>()});
}

// p = r + (|r|^2/|r_old|^2) p; q = A p; alpha = |r|^2/(p, q); r -= alpha q; later: x += alpha p
void HermitianCg::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                       std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  step_.run(batch, a_, x, r, active, {}, [&] {
    const auto slots = batch.slots<State>();
    batch.update<blas::CgDirection>(direction, active, {&r, &p_, &x});
    batch.apply(a_, q_, p_, active);
    batch.add_sums<blas::Dot>(direction, active, {&p_, &q_});
    batch.total_sums();
    batch.slot_memory().run(active, HalfStep{slots, true});
    const int rr = batch.add_sums<blas::AxpyNorm>(half_step, active, {&q_, &r});
    batch.total_sums();
    batch.slot_memory().run_with_verdicts(active, EndStep{slots, rr, rr, 0});
  });
  batch.await_verdicts(active, norms, broke);
}

void HermitianCg::settle(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  batch.update<blas::Axpy>(direction, which, {&p_, &x});
  batch.slot_memory().run(which, Settled{batch.slots<State>()});
}

void HermitianCg::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  batch.add_sums<blas::DotNorm>(direction, which, {&r, &p_});
  batch.total_sums();
  batch.slot_memory().run(which, Replaced{batch.slots<State>()});
}

}  // namespace plaq
