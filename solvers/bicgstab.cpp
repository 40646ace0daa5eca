#include "solvers/bicgstab.hpp"

#include "kernels/blas/krylov_operations.hpp"
#include "solvers/bicgstab_slots.hpp"

namespace plaq {

using namespace bicgstab;

BicgstabMethod::BicgstabMethod(LinearOperator& a, int batch)
    : KrylovMethod(a, batch), r0_(vector()), p_(vector()), v_(vector()), t_(vector()), pending_(size_) {}

void BicgstabMethod::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  const auto c = batch.coefficients(which);
  batch.update<blas::Copy>(c, {&r, &r0_});
  batch.update<blas::Copy>(c, {&r, &p_});
  batch.add_sums<blas::Norm>(c, {&r});
  batch.total_sums();
  batch.slot_memory().run(which, Begin{batch.slots<State>()});
  for_each_of(which, [&](std::size_t i) { pending_[i] = false; });
}

// v = A p; alpha = rho/(r0, v); r -= alpha v; t = A r; omega = (t, r)/|t|^2; later:
// x += alpha p + omega r; r -= omega t; beta = (rho/rho_old) (alpha/omega); p = r + beta (p - omega v)
void BicgstabMethod::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                          std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  const ActiveSet pending = those_of(active, pending_);
  step_.run(batch, a_, x, r, active, pending, [&] {
    const auto slots = batch.slots<State>();
    if (pending.count() > 0) batch.update<blas::BicgstabUpdate>(update, pending, {&t_, &v_, &p_, &r, &x});
    batch.apply(a_, v_, p_, active);
    batch.add_sums<blas::Dot>(half_step, active, {&r0_, &v_});
    batch.total_sums();
    batch.slot_memory().run(active, HalfStep{slots});
    const int rr = batch.add_sums<blas::AxpyNorm>(half_step, active, {&v_, &r});
    batch.apply(a_, t_, r, active);
    const int dots = batch.add_sums<blas::BicgstabDots>(half_step, active, {&t_, &r, &r0_});
    batch.total_sums();
    batch.slot_memory().run_with_verdicts(active, EndStep{slots, rr, dots, rounding()});
  });
  for_each_of(active, [&](std::size_t i) { pending_[i] = true; });
  batch.await_verdicts(active, norms, broke);
}

void BicgstabMethod::settle(Batch& batch, const ActiveSet& which, Field& x, const Field& r) {
  batch.update<blas::Axpy>(update, which, {&p_, &x});
  batch.update<blas::Axpy>(second_part, which, {&r, &x});
  for_each_of(which, [&](std::size_t i) { pending_[i] = false; });
}

// rho = (r0, r); p = r + beta (p - omega v)
void BicgstabMethod::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  batch.add_sums<blas::Dot>(update, which, {&r0_, &r});
  batch.total_sums();
  batch.slot_memory().run(which, Replaced{batch.slots<State>()});
  batch.update<blas::Axpy>(second_part, which, {&v_, &p_});
  batch.update<blas::Axpby>(new_direction, which, {&r, &p_});
}

}  // namespace plaq
