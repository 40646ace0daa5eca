#include "solvers/mr.hpp"

#include "core/error.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "solvers/mr_slots.hpp"

namespace plaq {

using namespace minimal_residual;

MinimalResidual::MinimalResidual(LinearOperator& a, int batch, double omega)
    : KrylovMethod(a, batch), omega_(omega), q_(vector()) {
  require(omega > 0 && omega < 2, "the relaxation of MR is between 0 and 2");
}

void MinimalResidual::step(Batch& batch, Field& x, Field& r, std::vector<double>& norms,
                           std::vector<char>& broke) {
  const ActiveSet active = batch.active_set();
  step_.run(batch, a_, x, r, active, {}, [&] {
    const auto slots = batch.slots<State>();
    batch.apply(a_, q_, r, active);
    batch.add_sums<blas::DotNorm>(minimal_residual::step, active, {&q_, &r});
    batch.total_sums();
    batch.slot_memory().run(active, Length{slots, omega_});
    batch.add_sums<blas::MrUpdate>(minimal_residual::step, active, {&q_, &r, &x});
    batch.total_sums();
    batch.slot_memory().run_with_verdicts(active, EndStep{slots});
  });
  batch.await_verdicts(active, norms, broke);
}

}  // namespace plaq
