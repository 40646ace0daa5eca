#include "multigrid/cycle/cycle.hpp"

#include <utility>

#include "kernels/blas/krylov_operations.hpp"

namespace plaq {

Cycle::Cycle(std::unique_ptr<SchurOperator> s, const Transfer& transfer, std::unique_ptr<CoarseSolver> coarse,
             std::unique_ptr<Smoother> smoother, int batch)
    : s_(std::move(s)),
      transfer_(transfer),
      coarse_(std::move(coarse)),
      smoother_(std::move(smoother)),
      workspace_(s_->queue(), batch),
      r_(s_->geometry(), s_->spec(batch)),
      coarse_r_(transfer.aggregation().coarse_ptr(), transfer.coarse_spec(batch, s_->spec(1).precision)),
      coarse_e_(coarse_r_.geometry_ptr(), coarse_r_.spec()) {}

Work Cycle::work(int batch) const {
  const Precision precision = s_->spec(1).precision;
  const Work smoothing = smoother_ ? s_->work(batch) + smoother_->work(batch) : Work();
  return smoothing + 2 * transfer_.work(batch, precision) + coarse_->work(batch);
}

void Cycle::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "a cycle has no adjoint");
  const Field* r = &in;
  if (!s_->residual_is_full()) {
    s_->full_residual(r_, in, active);
    r = &r_;
  }
  transfer_.restrict(coarse_r_, *r, active);
  coarse_->solve(coarse_e_, coarse_r_, active);
  transfer_.prolong(out, coarse_e_, active);
  if (!smoother_) return;
  s_->apply(r_, out, active);
  std::vector<blas::Coefficients> difference(static_cast<std::size_t>(in.batch()), {0, {1, 0, -1, 0}});
  for (int k = 0; k < active.count(); ++k) difference[static_cast<std::size_t>(active[k])].active = 1;
  blas::update<blas::Axpby>(workspace_, difference, {&in, &r_});
  smoother_->smooth(out, r_, active);
}

}  // namespace plaq
