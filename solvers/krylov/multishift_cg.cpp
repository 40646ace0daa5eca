#include "solvers/krylov/multishift_cg.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/krylov_operations.hpp"
#include "solvers/krylov/krylov_loop.hpp"
#include "solvers/residuals.hpp"

namespace plaq {

// The residual is zeta r. p = zeta r + beta (zeta/zeta_old)^2 p, x += alpha (zeta_new/zeta) p.
struct MultishiftCg::Coupling {
  double zeta = 1, last_zeta = 1;
  bool iterated = false;

  // The next zeta, from the step lengths alpha, the last one, and beta = |r|^2/|r_old|^2 before this step.
  double next(double alpha, double last_alpha, double last_beta, double distance) const {
    return zeta * last_zeta * last_alpha /
           (alpha * last_beta * (last_zeta - zeta) + last_zeta * last_alpha * (1 + alpha * distance));
  }
};

struct MultishiftCg::Run {
  MultishiftCg& of;
  std::vector<Field>& x;
  const Field& b;
  const SolverParameters& parameters;
  MultishiftReport report{};
  std::vector<double> targets{}, gamma{}, alpha{}, last_alpha{}, beta{}, norms{};
  std::vector<std::vector<Coupling>> coupling{};  // [shift][right-hand side]
  bool counted = false;                           // as a loop

  Batch& batch() { return of.batch_; }
  std::size_t shifts() const { return of.shifts_.size(); }

  void start() {
    batch().reset();
    SolveReport first;
    SolverParameters from_zero = parameters;
    from_zero.zero_guess = true;
    Field& base = x[of.smallest_];
    targets = first_residual(batch(), of.shifted_, base, b, of.r_, from_zero, first);
    const ActiveSet active = batch().active_set();
    const ActiveSet asked = parameters.active.empty() ? batch().all() : ActiveSet(parameters.active);
    for (std::size_t s = 0; s < shifts(); ++s) {
      batch().update<blas::Zero>(batch().coefficients(asked), {&x[s]});
      batch().update<blas::Copy>(batch().coefficients(active), {&of.r_, &of.p_[s]});
    }
    report.shifts.assign(shifts(), first);
    coupling.assign(shifts(), std::vector<Coupling>(targets.size()));
    gamma.assign(targets.size(), 0);
    beta = norms = gamma;
    alpha.assign(targets.size(), 1);
    last_alpha = alpha;
    for (std::size_t i = 0; i < targets.size(); ++i) {
      norms[i] = first.results[i].residual_norm;
      gamma[i] = norms[i] * norms[i];
      for (auto& of_shift : coupling)
        of_shift[i].iterated = first.results[i].reason == StopReason::max_iterations;
    }
  }

  // q = (A + sigma) p; alpha = |r|^2/(p, q); r -= alpha q; then x and p of every shift.
  void iterate() {
    const LoopRegion region("iteration of all shifts", batch().size(), true, LoopLength::iterations, counted);
    const ActiveSet active = batch().active_set();
    Field& p = of.p_[of.smallest_];
    batch().apply(of.shifted_, of.q_, p, active);
    auto c = batch().coefficients(active);
    const auto pq = batch().sum<blas::Dot>(c, {&p, &of.q_});
    std::vector<char> breakdown(targets.size(), 0);
    for_each_of(active, [&](std::size_t i) {
      breakdown[i] = !(pq[2 * i] > 0);
      last_alpha[i] = alpha[i];
      alpha[i] = breakdown[i] ? 0 : gamma[i] / pq[2 * i];
      set(c[i], 0, -alpha[i]);
    });
    const auto rr = batch().sum<blas::AxpyNorm>(c, {&of.q_, &of.r_});
    std::vector<double> last_beta = beta;
    for_each_of(active, [&](std::size_t i) {
      norms[i] = std::sqrt(rr[i]);
      beta[i] = rr[i] / gamma[i];
      gamma[i] = rr[i];
    });
    for (std::size_t s = 0; s < shifts(); ++s) advance(s, active, last_beta);
    ++report.iterations;
    for_each_of(active, [&](std::size_t i) { mask_done(i, breakdown[i]); });
    if (parameters.watch) parameters.watch(report.iterations, norms);
  }

  void advance(std::size_t s, const ActiveSet& active, const std::vector<double>& last_beta) {
    std::vector<char> flags(targets.size(), 0);
    for_each_of(active, [&](std::size_t i) { flags[i] = coupling[s][i].iterated; });
    const ActiveSet which(flags);
    if (which.count() == 0) return;
    auto c = batch().coefficients(which);
    const double distance = of.shifts_[s] - of.shifts_[of.smallest_];
    for_each_of(which, [&](std::size_t i) {
      Coupling& my = coupling[s][i];
      const double next = s == of.smallest_ ? 1 : my.next(alpha[i], last_alpha[i], last_beta[i], distance);
      const double ratio = next / my.zeta;
      set(c[i], 0, alpha[i] * ratio);
      set(c[i], 1, next);
      set(c[i], 2, beta[i] * ratio * ratio);
      my.last_zeta = my.zeta;
      my.zeta = next;
      ++report.shifts[s].results[i].iterations;
    });
    batch().update<blas::CgDirection>(c, {&of.r_, &of.p_[s], &x[s]});
  }

  void mask_done(std::size_t i, bool breakdown) {
    bool any = false;
    for (std::size_t s = 0; s < shifts(); ++s) {
      Coupling& my = coupling[s][i];
      const double norm = std::abs(my.zeta) * norms[i];
      // A zeta that is no normal number any more belongs to a residual far below any target.
      my.iterated = my.iterated && norm > targets[i] && std::isnormal(my.zeta);
      any = any || my.iterated;
    }
    if (!any || breakdown || report.iterations >= parameters.limit_of(i)) batch().mask(static_cast<int>(i));
  }
};

MultishiftCg::MultishiftCg(LinearOperator& a, const ProcessGrid& grid, int batch, std::vector<double> shifts)
    : shifts_(std::move(shifts)),
      smallest_(static_cast<std::size_t>(std::min_element(shifts_.begin(), shifts_.end()) - shifts_.begin())),
      shifted_(a, 0, batch),
      batch_(grid, a.queue(), batch),
      polishing_(grid, a.queue(), batch),
      r_(a.geometry(), a.spec(batch)),
      q_(a.geometry(), a.spec(batch)),
      polisher_(shifted_, batch) {
  require(!shifts_.empty() && shifts_[smallest_] >= 0,
          "multi-shift CG takes one shift or more, none negative");
  for (std::size_t s = 0; s < shifts_.size(); ++s) p_.emplace_back(a.geometry(), a.spec(batch));
}

// Each pass of the loop is an iteration of every active right-hand side, and none has more than its limit.
MultishiftReport MultishiftCg::solve(std::vector<Field>& x, const Field& b,
                                     const SolverParameters& parameters) {
  parameters.validate(b.batch());
  require(x.size() == shifts_.size() && b.batch() == batch_.size(),
          "multi-shift CG was made for another batch or number of shifts");
  const Timer timer;
  const ScopedRange range("multi-shift solve");
  shifted_.set_shift(shifts_[smallest_]);
  Run run{*this, x, b, parameters};
  run.start();
  while (batch_.any_active()) run.iterate();
  check_residuals(run);
  SolveReport work;
  batch_.write_work(work);
  run.report.seconds = timer.seconds();
  run.report.flops += work.flops;
  run.report.bytes += work.bytes;
  return std::move(run.report);
}

// The true residuals decide.
void MultishiftCg::check_residuals(Run& run) {
  for (std::size_t s = 0; s < shifts_.size(); ++s) {
    SolveReport& report = run.report.shifts[s];
    const ActiveSet asked = run.parameters.active.empty() ? batch_.all() : ActiveSet(run.parameters.active);
    shifted_.set_shift(shifts_[s]);
    batch_.apply_outer(shifted_, r_, run.x[s], asked);
    const auto squares = batch_.sum<blas::Residual>(batch_.coefficients(asked), {&run.b, &r_, &r_});
    bool missed = false;
    for_each_of(asked, [&](std::size_t i) {
      SolveResult& result = report.results[i];
      result.residual_norm = std::sqrt(squares[i]);
      ++result.updates;
      report.iterations = std::max(report.iterations, result.iterations);
      if (result.reason == StopReason::not_a_number) return;
      result.reason = reason_of(run, s, i);
      missed = missed || result.reason == StopReason::stagnation || result.reason == StopReason::breakdown;
    });
    const Precision precision = run.b.precision();
    report.attempts = {
        {"multishift-cg", MixedScheme::none, precision, precision, report.iterations, report.reason(), 0}};
    if (missed) polish(run, s);
  }
}

StopReason MultishiftCg::reason_of(const Run& run, std::size_t s, std::size_t i) const {
  const SolveResult& result = run.report.shifts[s].results[i];
  if (result.residual_norm <= run.targets[i]) return StopReason::converged;
  if (!std::isfinite(result.residual_norm)) return StopReason::not_a_number;
  if (!run.coupling[s][i].iterated) return StopReason::stagnation;  // the recurrence promised too much
  return result.iterations >= run.parameters.limit_of(i) ? StopReason::max_iterations : StopReason::breakdown;
}

void MultishiftCg::polish(Run& run, std::size_t s) {
  SolveReport& report = run.report.shifts[s];
  SolverParameters mine = run.parameters;
  mine.watch = nullptr;
  mine.zero_guess = mine.trust_iterated = false;
  mine.targets = run.targets;
  mine.active.assign(run.targets.size(), 0);
  for (std::size_t i = 0; i < run.targets.size(); ++i)
    mine.active[i] = report.results[i].reason == StopReason::stagnation ||
                     report.results[i].reason == StopReason::breakdown;
  const SolveReport polished = run_krylov({shifted_, polisher_, polishing_, run.x[s], run.b, r_}, mine);
  for_each_of(ActiveSet(mine.active), [&](std::size_t i) {
    SolveResult& result = report.results[i];
    const SolveResult& now = polished.results[i];
    result.reason = now.reason;
    result.iterations += now.iterations;
    result.updates += now.updates;
    result.restarts += now.restarts;
    result.residual_norm = now.residual_norm;
    report.iterations = std::max(report.iterations, result.iterations);
  });
  report.attempts.insert(report.attempts.end(), polished.attempts.begin(), polished.attempts.end());
  run.report.flops += polished.flops;
  run.report.bytes += polished.bytes;
}

bool MultishiftReport::converged() const {
  return std::all_of(shifts.begin(), shifts.end(), [](const SolveReport& r) { return r.converged(); });
}

}  // namespace plaq
