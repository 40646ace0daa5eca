#include "solvers/krylov/bicgstab.hpp"

#include "solvers/krylov/bicgstab_iteration.hpp"
#include "solvers/krylov/iteration.hpp"

namespace plaq {

BicgstabMethod::BicgstabMethod(LinearOperator& a, int batch)
    : KrylovMethod(a, batch), r0_(vector()), p_(vector()), v_(vector()), t_(vector()), pending_(size_) {}

void BicgstabMethod::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<bicgstab::Function> it(batch, a_, which);
  it.update(blas::Copy(), {&r, &r0_});
  it.update(blas::Copy(), {&r, &p_});
  const auto rr = it.add_sums(blas::Norm(), {&r});
  it.after_sums(bicgstab::Begin{batch.scalars<bicgstab::Scalars>(), rr});
  for_each_of(which, [&](std::size_t i) { pending_[i] = false; });
}

void BicgstabMethod::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                          std::vector<char>& breakdown) {
  const ActiveSet active = batch.active_set();
  const ActiveSet pending = those_of(active, pending_);
  step_.run(batch, {a_, x, r, active, pending}, [&] {
    const auto my = batch.scalars<bicgstab::Scalars>();
    if (pending.count() > 0) batch.update<blas::BicgstabUpdate>(my.update, pending, {&t_, &v_, &p_, &r, &x});
    Iteration<bicgstab::Function> it(batch, a_, active);
    iterate(it, my, r, r0_, p_, v_, t_, rounding());
  });
  for_each_of(active, [&](std::size_t i) { pending_[i] = true; });
  batch.await_statuses(active, norms, breakdown);
}

void BicgstabMethod::flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field& r) {
  Iteration<bicgstab::Function> it(batch, a_, which);
  const auto my = batch.scalars<bicgstab::Scalars>();
  it.update(blas::Axpy(), my.update, {&p_, &x});
  it.update(blas::Axpy(), my.second_part, {&r, &x});
  for_each_of(which, [&](std::size_t i) { pending_[i] = false; });
}

// p = r + beta (p - omega v)
void BicgstabMethod::after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<bicgstab::Function> it(batch, a_, which);
  const auto my = batch.scalars<bicgstab::Scalars>();
  const auto r0r = it.add_sums(blas::Dot(), {&r0_, &r});
  it.after_sums(bicgstab::AfterReliableUpdate{my, r0r});
  it.update(blas::Axpy(), my.second_part, {&v_, &p_});
  it.update(blas::Axpby(), my.new_direction, {&r, &p_});
}

}  // namespace plaq
