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

void Cgnr::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms, std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  step_.run(batch, {a_, x, r, active, {}}, [&] {
    Iteration<conjugate_gradients::Function> it(batch, a_, active);
    iterate(it, batch.scalars<conjugate_gradients::Scalars>(), x, r, s_, p_, q_, 16 * rounding());
  });
  batch.await_statuses(active, norms, broke);
}

void Cgnr::settle(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  Iteration<conjugate_gradients::Function> it(batch, a_, which);
  const auto cg = batch.scalars<conjugate_gradients::Scalars>();
  it.update(blas::Axpy(), cg.direction, {&p_, &x});
  it.run(conjugate_gradients::Settled{cg});
}

void Cgnr::replaced(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<conjugate_gradients::Function> it(batch, a_, which);
  it.apply_dagger(s_, r);
  const auto [sp, ss] = it.add_sums(blas::DotNorm(), {&s_, &p_});
  it.after_sums(conjugate_gradients::Replaced{batch.scalars<conjugate_gradients::Scalars>(), sp, ss});
}

}  // namespace plaq
