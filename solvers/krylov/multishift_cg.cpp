#include "solvers/krylov/multishift_cg.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "solvers/krylov/captured_step.hpp"
#include "solvers/krylov/iteration.hpp"
#include "solvers/krylov/krylov_loop.hpp"
#include "solvers/krylov/multishift_iteration.hpp"
#include "solvers/residuals.hpp"

namespace plaq {

struct MultishiftCg::Run {
  MultishiftCg& of;
  std::vector<Field>& x;
  const Field& b;
  const SolverParameters& parameters;
  MultishiftReport report{};
  std::vector<double> targets{}, norms{};
  std::vector<std::vector<char>> iterated{};  // [shift][right-hand side]
  CapturedStep step{};                        // for these x
  bool counted = false;                       // as a loop

  Batch& batch() { return of.batch_; }
  std::size_t shifts() const { return of.shifts_.size(); }
  multishift::Scalars scalars() {
    ScalarMemory memory = batch().method_scalars().over(of.memory_.data(), of.memory_.bytes());
    return {memory, static_cast<int>(shifts())};
  }

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
    std::vector<char> of_shift(targets.size());
    for (std::size_t i = 0; i < targets.size(); ++i) {
      norms.push_back(first.results[i].residual_norm);
      of_shift[i] = first.results[i].reason == StopReason::max_iterations;
    }
    iterated.assign(shifts(), of_shift);
    if (active.count() == 0) return;
    Iteration<multishift::Function> it(batch(), of.shifted_, active);
    const auto rr = it.add_sums(blas::Norm(), {&of.r_});
    it.after_sums(multishift::Begin{scalars(), rr});
    for (std::size_t s = 0; s < shifts(); ++s)
      it.run(
          multishift::BeginShift{scalars(), static_cast<int>(s), of.shifts_[s] - of.shifts_[of.smallest_]});
  }

  // Iterates the smallest shift, then x and p of every shift. The host needs the statuses alone, and may go
  // on while these are updated.
  void iterate() {
    const LoopRegion region("iteration of all shifts", batch().size(), true, LoopLength::iterations, counted);
    const ActiveSet active = batch().active_set();
    std::vector<ActiveSet> which;
    std::vector<int> numbers;  // tell one choice of systems from another
    for (const auto& of_shift : iterated) {
      which.push_back(those_of(active, of_shift));
      numbers.push_back(-1);
      for_each_of(which.back(), [&](std::size_t i) { numbers.push_back(static_cast<int>(i)); });
    }
    step.run(batch(), {of.shifted_, x[of.smallest_], of.r_, active, {}, numbers}, [&] {
      Iteration<multishift::Function> it(batch(), of.shifted_, active);
      multishift::iterate(it, scalars(), of.r_, of.p_[of.smallest_], of.q_);
      for (std::size_t s = 0; s < shifts(); ++s)
        if (which[s].count() > 0)
          batch().update<blas::CgDirection>(scalars().direction(static_cast<int>(s)), which[s],
                                            {&of.r_, &of.p_[s], &x[s]});
    });
    ++report.iterations;
    const IterationStatus* statuses = batch().await_statuses();
    for_each_of(active, [&](std::size_t i) { take_statuses(i, statuses); });
    if (parameters.watch) parameters.watch(report.iterations, norms);
  }

  // Without data all shifts have converged after one iteration.
  void take_statuses(std::size_t i, const IterationStatus* statuses) {
    const auto of_shift = [&](std::size_t s) { return statuses[s * targets.size() + i]; };
    bool any = false;
    for (std::size_t s = 0; s < shifts(); ++s) {
      if (!iterated[s][i]) continue;
      ++report.shifts[s].results[i].iterations;
      iterated[s][i] = by_data(of_shift(s).norm, 0.0) > targets[i];
      any = any || iterated[s][i];
    }
    norms[i] = by_data(of_shift(of.smallest_).norm, 0.0);
    if (!any || by_data(of_shift(of.smallest_).breakdown, false) ||
        report.iterations >= parameters.limit_of(i))
      batch().mask(static_cast<int>(i));
  }
};

MultishiftCg::MultishiftCg(LinearOperator& a, const ProcessGrid& grid, int batch, std::vector<double> shifts)
    : shifts_(std::move(shifts)),
      smallest_(static_cast<std::size_t>(std::min_element(shifts_.begin(), shifts_.end()) - shifts_.begin())),
      shifted_(a, 0, batch),
      batch_(grid, a.queue(), batch, static_cast<int>(shifts_.size())),
      polishing_(grid, a.queue(), batch),
      memory_(a.queue().location(), multishift::Scalars::bytes(static_cast<int>(shifts_.size()), batch)),
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
  run.report.waits += work.waits;
  return std::move(run.report);
}

// The true residuals decide.
void MultishiftCg::check_residuals(Run& run) {
  std::vector<ShiftedSystem> missed;
  for (std::size_t s = 0; s < shifts_.size(); ++s) {
    SolveReport& report = run.report.shifts[s];
    const ActiveSet asked = run.parameters.active.empty() ? batch_.all() : ActiveSet(run.parameters.active);
    shifted_.set_shift(shifts_[s]);
    batch_.apply_outer(shifted_, r_, run.x[s], asked);
    const auto squares = batch_.sum<blas::Residual>(batch_.coefficients(asked), {&run.b, &r_, &r_});
    for_each_of(asked, [&](std::size_t i) {
      SolveResult& result = report.results[i];
      result.residual_norm = std::sqrt(squares[i]);
      ++result.updates;
      report.iterations = std::max(report.iterations, result.iterations);
      if (result.reason == StopReason::not_a_number) return;
      result.reason = reason_of(run, s, i);
      if (result.reason == StopReason::stagnation || result.reason == StopReason::breakdown)
        missed.push_back({s, i});
    });
    const Precision precision = run.b.precision();
    report.attempts = {
        {"multishift-cg", MixedScheme::none, precision, precision, report.iterations, report.reason(), 0}};
  }
  polish(run, missed);
}

StopReason MultishiftCg::reason_of(const Run& run, std::size_t s, std::size_t i) const {
  const SolveResult& result = run.report.shifts[s].results[i];
  if (result.residual_norm <= run.targets[i]) return StopReason::converged;
  if (!std::isfinite(result.residual_norm)) return StopReason::not_a_number;
  if (!run.iterated[s][i]) return StopReason::stagnation;  // the recurrence promised too much
  return result.iterations >= run.parameters.limit_of(i) ? StopReason::max_iterations : StopReason::breakdown;
}

// A group has as many systems as there are right-hand sides, each with its shift, target and limit.
void MultishiftCg::polish(Run& run, const std::vector<ShiftedSystem>& systems) {
  SolverParameters mine = run.parameters;
  mine.watch = nullptr;
  mine.zero_guess = mine.trust_iterated = false;
  Field &group_x = p_.front(), &group_b = q_;  // of the common space, which is left
  solve_in_groups(run.x, run.b, systems, group_x, group_b, batch_.queue(),
                  [&](std::size_t first, std::size_t count) {
                    std::vector<double> shifts(run.targets.size());
                    mine.targets.assign(shifts.size(), 0);
                    mine.iteration_limits.assign(shifts.size(), 0);
                    mine.active.assign(shifts.size(), 0);
                    for (std::size_t k = 0; k < count; ++k) {
                      const auto& [s, i] = systems[first + k];
                      shifts[k] = shifts_[s];
                      mine.targets[k] = run.targets[i];
                      mine.iteration_limits[k] = run.parameters.limit_of(i);
                      mine.active[k] = 1;
                    }
                    shifted_.set_shifts(shifts);
                    const SolveReport polished =
                        run_krylov({shifted_, polisher_, polishing_, group_x, group_b, r_}, mine);
                    for (std::size_t k = 0; k < count; ++k)
                      add_polished(run.report.shifts[systems[first + k].shift], systems[first + k].rhs,
                                   polished.results[k], polished.attempts.front());
                    run.report.flops += polished.flops;
                    run.report.bytes += polished.bytes;
                    run.report.waits += polished.waits;
                  });
  for (SolveReport& report : run.report.shifts)
    if (report.attempts.size() > 1) report.attempts.back().reason = report.reason();
}

// The attempt of a shift has the most iterations of its right-hand sides.
void MultishiftCg::add_polished(SolveReport& report, std::size_t rhs, const SolveResult& now,
                                const Attempt& attempt) {
  SolveResult& result = report.results[rhs];
  result.reason = now.reason;
  result.iterations += now.iterations;
  result.updates += now.updates;
  result.restarts += now.restarts;
  result.residual_norm = now.residual_norm;
  report.iterations = std::max(report.iterations, result.iterations);
  if (report.attempts.size() == 1) {
    report.attempts.push_back(attempt);
    report.attempts.back().iterations = 0;
  }
  report.attempts.back().iterations = std::max(report.attempts.back().iterations, now.iterations);
}

bool MultishiftReport::converged() const {
  return std::all_of(shifts.begin(), shifts.end(), [](const SolveReport& r) { return r.converged(); });
}

}  // namespace plaq
