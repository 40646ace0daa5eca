#include "solvers/krylov/mr.hpp"

#include "core/system/error.hpp"
#include "solvers/krylov/iteration.hpp"
#include "solvers/krylov/mr_iteration.hpp"

namespace plaq {

MinimalResidual::MinimalResidual(LinearOperator& a, int batch, double omega)
    : KrylovMethod(a, batch), omega_(omega), q_(vector()) {
  require(omega > 0 && omega < 2, "the relaxation of MR is between 0 and 2");
}

void MinimalResidual::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                           std::vector<char>& breakdown) {
  const ActiveSet active = batch.active_set();
  step_.run(batch, {a_, x, r, active, {}}, [&] {
    Iteration<minimal_residual::Function> it(batch, a_, active);
    iterate(it, batch.scalars<minimal_residual::Scalars>(), x, r, q_, omega_);
  });
  batch.await_statuses(active, norms, breakdown);
}

MrSmoother::MrSmoother(LinearOperator& a, const ProcessGrid& grid, int batch, int steps,
                       const MethodSettings& settings)
    : a_(a),
      steps_(steps),
      omega_(settings.omega),
      batch_(grid, a.queue(), batch),
      q_(a.geometry(), a.spec(batch)),
      r_(a.geometry(), a.spec(batch)) {
  require(steps >= 1, "a smoother takes a step or more");
  require(omega_ > 0 && omega_ < 2, "the relaxation of MR is between 0 and 2");
}

void MrSmoother::smooth(Field& x, Field& r, const ActiveSet& which) {
  if (which.count() == 0) return;
  captured_.run(batch_, {a_, x, r, which, {}}, [&] { queue_steps(x, r, which); });
}

void MrSmoother::queue_steps(Field& x, Field& r, const ActiveSet& which) {
  Iteration<minimal_residual::Function> it(batch_, a_, which);
  const auto mr = batch_.scalars<minimal_residual::Scalars>();
  for (int n = 0; n < steps_; ++n) minimal_residual::smooth(it, mr, x, r, q_, omega_);
}

// Not captured here: whoever applies it may capture more than this.
void MrSmoother::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "a smoother has no adjoint");
  Iteration<minimal_residual::Function> it(batch_, a_, active);
  it.update(blas::Zero(), {&out});
  it.update(blas::Copy(), {&in, &r_});
  queue_steps(out, r_, active);
}

// Work of the steps; 0 and the copy are beside them.
Work MrSmoother::work(int batch) const {
  const Work a = a_.work(batch);
  const double reals = static_cast<double>(q_.subfield_stride()) * q_.Ls() * batch;
  const double updates =
      4 * (blas::DotNorm::vectors - 1 + blas::DotNorm::sums / 2 + blas::MrStep::vectors - 1);
  return {steps_ * (a.flops + updates * reals), steps_ * (a.bytes + 7 * bytes_of(q_.precision()) * reals)};
}

}  // namespace plaq
