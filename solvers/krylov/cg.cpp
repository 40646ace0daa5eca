#include "solvers/krylov/cg.hpp"

#include "solvers/krylov/cg_iteration.hpp"
#include "solvers/krylov/iteration.hpp"

namespace plaq {

Cgnr::Cgnr(LinearOperator& a, int batch) : KrylovMethod(a, batch), s_(vector()), p_(vector()), q_(vector()) {}

void Cgnr::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<conjugate_gradients::Function> it(batch, a_, which);
  it.apply_dagger(s_, r);
  it.update(blas::Copy(), {&s_, &p_});
  const auto ss = it.add_sums(blas::Norm(), {&s_});
  it.after_sums(conjugate_gradients::Begin{batch.scalars<conjugate_gradients::Scalars>(), ss});
}

void Cgnr::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& breakdown) {
  const ActiveSet active = batch.active_set();
  step_.run(batch, {a_, x, r, active, {}}, [&] {
    Iteration<conjugate_gradients::Function> it(batch, a_, active);
    iterate(it, batch.scalars<conjugate_gradients::Scalars>(), x, r, s_, p_, q_, 16 * rounding());
  });
  batch.await_statuses(active, norms, breakdown);
}

void Cgnr::flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  Iteration<conjugate_gradients::Function> it(batch, a_, which);
  const auto cg = batch.scalars<conjugate_gradients::Scalars>();
  it.update(blas::Axpy(), cg.direction, {&p_, &x});
  it.run(conjugate_gradients::UpdatesFlushed{cg});
}

void Cgnr::after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<conjugate_gradients::Function> it(batch, a_, which);
  it.apply_dagger(s_, r);
  const auto [sp, ss] = it.add_sums(blas::DotNorm(), {&s_, &p_});
  it.after_sums(
      conjugate_gradients::AfterReliableUpdate{batch.scalars<conjugate_gradients::Scalars>(), sp, ss});
}

}  // namespace plaq
