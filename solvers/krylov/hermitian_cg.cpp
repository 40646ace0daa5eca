#include "solvers/krylov/hermitian_cg.hpp"

#include "solvers/krylov/cg_iteration.hpp"
#include "solvers/krylov/iteration.hpp"

namespace plaq {

HermitianCg::HermitianCg(LinearOperator& a, int batch) : KrylovMethod(a, batch), p_(vector()), q_(vector()) {}

void HermitianCg::begin(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<conjugate_gradients::Function> it(batch, a_, which);
  it.update(blas::Copy(), {&r, &p_});
  const auto rr = it.add_sums(blas::Norm(), {&r});
  it.after_sums(conjugate_gradients::Begin{batch.scalars<conjugate_gradients::Scalars>(), rr});
}

void HermitianCg::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                       std::vector<char>& breakdown) {
  const ActiveSet active = batch.active_set();
  step_.run(batch, {a_, x, r, active, {}}, [&] {
    Iteration<conjugate_gradients::Function> it(batch, a_, active);
    iterate_hermitian(it, batch.scalars<conjugate_gradients::Scalars>(), x, r, p_, q_);
  });
  batch.await_statuses(active, norms, breakdown);
}

void HermitianCg::flush_updates(Batch& batch, const ActiveSet& which, Field& x, const Field&) {
  Iteration<conjugate_gradients::Function> it(batch, a_, which);
  const auto cg = batch.scalars<conjugate_gradients::Scalars>();
  it.update(blas::Axpy(), cg.direction, {&p_, &x});
  it.run(conjugate_gradients::UpdatesFlushed{cg});
}

void HermitianCg::after_reliable_update(Batch& batch, const ActiveSet& which, const Field& r) {
  Iteration<conjugate_gradients::Function> it(batch, a_, which);
  const auto [rp, rr] = it.add_sums(blas::DotNorm(), {&r, &p_});
  it.after_sums(
      conjugate_gradients::AfterReliableUpdate{batch.scalars<conjugate_gradients::Scalars>(), rp, rr});
}

}  // namespace plaq
