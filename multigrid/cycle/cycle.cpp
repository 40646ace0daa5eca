#include "multigrid/cycle/cycle.hpp"

#include "kernels/blas/krylov_operations.hpp"

namespace plaq {

Cycle::Cycle(LinearOperator& s, const Transfer& transfer, CoarseSolver& coarse, Smoother& smoother, int batch,
             double scale)
    : s_(s),
      transfer_(transfer),
      coarse_(coarse),
      smoother_(smoother),
      scale_(scale),
      workspace_(s.queue(), batch),
      r_(s.geometry(), s.spec(batch)),
      coarse_r_(transfer.aggregation().coarse_ptr(), transfer.coarse_spec(batch, s.spec(1).precision)),
      coarse_e_(coarse_r_.geometry_ptr(), coarse_r_.spec()) {}

// What the levels below do is not counted.
Work Cycle::work(int batch) const {
  const Work s = s_.work(batch), smoothing = smoother_.work(batch);
  return {s.flops + smoothing.flops, s.bytes + smoothing.bytes};
}

void Cycle::run(Field& out, const Field& in, bool dagger, const ActiveSet& active) {
  require(!dagger, "a cycle has no adjoint");
  std::vector<blas::Coefficients> c(static_cast<std::size_t>(in.batch()));
  const auto with = [&](double first, double second) -> const std::vector<blas::Coefficients>& {
    for (auto& one : c) one.active = 0;
    for (int k = 0; k < active.count(); ++k)
      c[static_cast<std::size_t>(active[k])] = {1, {first, 0, second, 0}};
    return c;
  };
  transfer_.restrict(coarse_r_, in, active);
  coarse_.solve(coarse_e_, coarse_r_, active);
  transfer_.prolong(out, coarse_e_, active);
  if (scale_ != 1) blas::update<blas::Scale>(workspace_, with(scale_, 0), {&out, &out});
  s_.apply(r_, out, active);
  blas::update<blas::Axpby>(workspace_, with(1, -1), {&in, &r_});
  smoother_.smooth(out, r_, active);
}

}  // namespace plaq
