#include "solvers/krylov/cgne.hpp"

#include "solvers/krylov/cgne_iteration.hpp"
#include "solvers/krylov/iteration.hpp"

namespace plaq {

Cgne::Cgne(LinearOperator& a, int batch)
    : KrylovMethod(a, batch), p_(vector()), q_(vector()), has_direction_(size_), orthogonalize_(size_) {}

void Cgne::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<craig::Function> it(batch, a_, which);
  it.update(blas::Zero(), {&p_});
  const auto rr = it.add_sums(blas::Norm(), {&r});
  it.after_sums(craig::Begin{batch.scalars<craig::Scalars>(), rr});
  for_each_of(which, [&](std::size_t i) { has_direction_[i] = orthogonalize_[i] = false; });
}

void Cgne::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& breakdown) {
  const ActiveSet active = batch.active_set();
  const ActiveSet replaced = those_of(active, orthogonalize_);
  step_.run(batch, {a_, x, r, active, replaced}, [&] {
    const auto cg = batch.scalars<craig::Scalars>();
    Iteration<craig::Function> it(batch, a_, active);
    iterate(it, cg, x, r, p_, q_, [&] {
      if (replaced.count() == 0) return;
      Iteration<craig::Function> of_replaced(batch, a_, replaced);
      const auto pq = of_replaced.add_sums(blas::Dot(), {&p_, &q_});
      of_replaced.after_sums(craig::Orthogonalize{cg, pq});
    });
  });
  for_each_of(active, [&](std::size_t i) {
    has_direction_[i] = true;
    orthogonalize_[i] = false;
  });
  batch.await_statuses(active, norms, breakdown);
}

void Cgne::flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  Iteration<craig::Function> it(batch, a_, which);
  const auto cg = batch.scalars<craig::Scalars>();
  it.update(blas::Axpy(), cg.direction, {&p_, &x});
  it.run(craig::UpdatesFlushed{cg});
}

void Cgne::after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<craig::Function> it(batch, a_, which);
  const auto rr = it.add_sums(blas::Norm(), {&r});
  it.after_sums(craig::AfterReliableUpdate{batch.scalars<craig::Scalars>(), rr});
  for_each_of(which, [&](std::size_t i) { orthogonalize_[i] = has_direction_[i]; });
}

}  // namespace plaq
