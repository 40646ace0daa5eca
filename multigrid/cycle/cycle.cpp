#include "multigrid/cycle/cycle.hpp"

#include <utility>

#include "core/operator/linear_operator.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "kernels/blas/update_work.hpp"

namespace plaq {

Cycle::Cycle(std::unique_ptr<SchurOperator> s, const Transfer& transfer, std::unique_ptr<CoarseSolver> coarse,
             std::unique_ptr<Smoother> smoother, int batch, LevelName name)
    : s_(std::move(s)),
      transfer_(transfer),
      coarse_(std::move(coarse)),
      smoother_(std::move(smoother)),
      workspace_(s_->queue(), batch),
      r_(s_->geometry(), s_->spec(batch)),
      coarse_r_(transfer.aggregation().coarse_ptr(), transfer.coarse_spec(batch, s_->spec(1).precision)),
      coarse_e_(coarse_r_.geometry_ptr(), coarse_r_.spec()),
      name_(std::move(name)),
      below_{name_.occasion, name_.level + 1, to_string(coarse_r_.geometry().global())} {
  FieldSpec full = r_.spec();
  full.subset = s_->residual_sites();
  if (!s_->residual_is_full() && full.subset != r_.spec().subset) full_r_ = Field(s_->geometry(), full);
  std::vector<blas::CoefficientList::Set> sets(static_cast<std::size_t>(batch));
  for (auto& set : sets) {
    set.value[0] = 1;
    set.value[2] = -1;
  }
  const std::size_t bytes = sets.size() * sizeof(sets[0]);
  difference_ = Buffer(s_->queue().location(), bytes);
  copy_bytes(difference_.data(), difference_.location(), sets.data(), Location::host, bytes);
}

int Cycle::capturable(int batch) { return both_states(s_->capturable(batch), coarse_->capturable(batch)); }

Work Cycle::work(int batch) const {
  const Precision precision = s_->spec(1).precision;
  const Work smoothing = smoother_ ? s_->work(batch) + smoother_->work(batch) : Work();
  return smoothing + 2 * transfer_.work(batch, precision) + coarse_->work(batch);
}

// The parts have the names that profiles show (jobs/run/profile_levels.cpp).
void Cycle::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "a cycle has no adjoint");
  const auto part_of = [&](const LevelName& level, const char* what, const auto& work) {
    const ProfiledPart profiled(queue(), level, what);
    work();
  };
  const auto part = [&](const char* what, const auto& work) { part_of(name_, what, work); };
  part("cycle", [&] {
    part("restriction", [&] {
      const Field* r = &in;
      if (!s_->residual_is_full()) {
        r = full_r_ ? &full_r_ : &r_;
        s_->full_residual(full_r_ ? full_r_ : r_, in, active);
      }
      transfer_.restrict(coarse_r_, *r, active);
    });
    part_of(below_, "coarse solve", [&] { coarse_->solve(coarse_e_, coarse_r_, active); });
    part("prolongation", [&] { transfer_.prolong(out, coarse_e_, active); });
    if (!smoother_) return;
    part("residual", [&] { take_residual(out, in, active); });
    part("smoothing", [&] { smoother_->smooth(out, r_, active); });
  });
}

// r = b - S x
void Cycle::take_residual(const Field& x, const Field& b, const ActiveSet& active) {
  s_->apply(r_, x, active);
  blas::CoefficientList difference;
  difference.active = active;
  difference.of_rhs = difference_.as<blas::CoefficientList::Set>();
  blas::update<blas::Axpby>(workspace_, difference, {&b, &r_});
  blas::record_update(queue(), r_, active.count(), blas::work_of<blas::Axpby>(active.count(), {&b, &r_}));
}

}  // namespace plaq
