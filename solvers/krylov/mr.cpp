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
                           std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  step_.run(batch, {a_, x, r, active, {}}, [&] {
    Iteration<minimal_residual::Function> it(batch, a_, active);
    iterate(it, batch.scalars<minimal_residual::Scalars>(), x, r, q_, omega_);
  });
  batch.await_statuses(active, norms, broke);
}

}  // namespace plaq
