#include "solvers/cgne.hpp"

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/cgne_slots.hpp"

namespace plaq {

using namespace craig;

Cgne::Cgne(LinearOperator& a, int batch)
    : KrylovMethod(a, batch), p_(vector()), q_(vector()), has_direction_(size_), mend_(size_) {}

void Cgne::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  const auto c = batch.coefficients(which);
  batch.update<blas::Zero>(c, {&p_});
  batch.add_sums<blas::Norm>(c, {&r});
  batch.total_sums();
  batch.slot_memory().run(which, Begin{batch.slots<State>()});
  for_each_of(which, [&](std::size_t i) { has_direction_[i] = mend_[i] = false; });
}

// p = A^dagger r + (|r|^2/|r_old|^2) p; alpha = |r|^2/|p|^2; r -= alpha A p; later: x += alpha p
// Where r was replaced, p = A^dagger r - ((p, A^dagger r)/|p|^2) p.
void Cgne::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  const ActiveSet mended = those_of(active, mend_);
  step_.run(batch, a_, x, r, active, mended, [&] {
    const auto slots = batch.slots<State>();
    batch.apply_dagger(a_, q_, r, active);
    if (mended.count() > 0) {
      batch.add_sums<blas::Dot>(direction, mended, {&p_, &q_});
      batch.total_sums();
      batch.slot_memory().run(mended, Mend{slots});
    }
    batch.add_sums<blas::CraigDirection>(direction, active, {&q_, &p_, &x});
    batch.total_sums();
    batch.slot_memory().run(active, HalfStep{slots});
    batch.apply(a_, q_, p_, active);
    batch.add_sums<blas::AxpyNorm>(half_step, active, {&q_, &r});
    batch.total_sums();
    batch.slot_memory().run_with_verdicts(active, EndStep{slots});
  });
  for_each_of(active, [&](std::size_t i) {
    has_direction_[i] = true;
    mend_[i] = false;
  });
  batch.await_verdicts(active, norms, broke);
}

void Cgne::settle(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  batch.update<blas::Axpy>(direction, which, {&p_, &x});
  batch.slot_memory().run(which, Settled{batch.slots<State>()});
}

void Cgne::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  batch.add_sums<blas::Norm>(direction, which, {&r});
  batch.total_sums();
  batch.slot_memory().run(which, Replaced{batch.slots<State>()});
  for_each_of(which, [&](std::size_t i) { mend_[i] = has_direction_[i]; });
}

}  // namespace plaq
