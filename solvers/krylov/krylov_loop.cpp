#include "solvers/krylov/krylov_loop.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>

#include "core/system/error.hpp"
#include "core/system/performance_region.hpp"
#include "core/system/runs_dry.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/mixed/deflation.hpp"
#include "solvers/residuals.hpp"

namespace plaq {
namespace {

constexpr int idle_until_restart = 2, idle_until_stop = 3;
constexpr double beyond_measure = 1e10;  // growth of a residual since the last update
constexpr double least_fall = 1 - 1e-5;  // counts as a fall where none was promised
// Ratio of true and iterated residual from which on the method's own scalars say nothing about the true one.
constexpr double lost = 100;

constexpr std::size_t progress_window = 8;  // iterations over which progress is measured

struct State {
  double last = 0;  // true residual norm at the last update
  double most = 0;  // M: largest iterated norm since then
  double scale = 1;
  double deflated = 0;  // true residual norm at the last deflation, where there is one
  int idle = 0;
  struct Progress {
    std::deque<double> before;  // iterated norms, of the last iterations
    bool slow = false;
  } progress;
};

class Loop {
 public:
  Loop(const KrylovProblem& problem, const SolverParameters& parameters)
      : p_(problem), parameters_(parameters), batch_(problem.batch) {
    const auto n = static_cast<std::size_t>(batch_.size());
    state_.resize(n);
    norms_.resize(n);
    low_norms_.resize(n);
    breakdown_.resize(n);
    diverged_.resize(n);
  }

  SolveReport run() {
    batch_.reset();
    targets_ = first_residual(batch_, p_.outer, p_.x, p_.b, p_.r, parameters_, report_);
    deflate(batch_.active_set());
    for (std::size_t i = 0; i < state_.size(); ++i)
      state_[i].last = norms_[i] = report_.results[i].residual_norm;
    begin(batch_.active_set());
    while (batch_.any_active()) iterate();
    batch_.write_work(report_);
    return std::move(report_);
  }

 private:
  bool mixed() const { return p_.low_x != nullptr; }
  Field& method_x() { return mixed() ? *p_.low_x : p_.x; }
  Field& method_r() { return mixed() ? *p_.low_r : p_.r; }

  void iterate() {
    const ActiveSet active = batch_.active_set();
    std::fill(breakdown_.begin(), breakdown_.end(), 0);
    {
      // A first iteration may do what no other does.
      const bool typical =
          report_.iterations > 0 && active.count() == batch_.size() && !parameters_.within_iteration;
      const LoopRegion region("iteration", batch_.size(), typical, LoopLength::iterations, counted_);
      p_.method.step(batch_, method_x(), method_r(), low_norms_, breakdown_);
    }
    for (std::size_t i = 0; i < low_norms_.size(); ++i)
      low_norms_[i] = by_data(low_norms_[i], assumed_norm(i));
    for (char& breakdown : breakdown_) breakdown = by_data(breakdown, char{0});
    std::vector<char> due(state_.size(), 0);
    for_each_of(active, [&](std::size_t i) {
      norms_[i] = low_norms_[i] * state_[i].scale;
      report_.iterations = std::max(report_.iterations, ++report_.results[i].iterations);
      state_[i].most = std::max(state_[i].most, norms_[i]);
      diverged_[i] = !(norms_[i] <= beyond_measure * state_[i].last);
      due[i] = norms_[i] <= targets_[i] || norms_[i] < p_.delta * state_[i].most || breakdown_[i] ||
               diverged_[i] || exhausted(i) || progress_is_slow(i) || falls_to_deflation(i, norms_[i]);
    });
    if (parameters_.watch) parameters_.watch(report_.iterations, norms_);
    const ActiveSet which(due);
    if (which.count() > 0) update(which);
  }

  // Without data every right-hand side converges after one iteration and a cycle of them, and the first one
  // alone after one more: what few are left need may be more. But without a tolerance none does.
  double assumed_norm(std::size_t i) const {
    const bool converge = !parameters_.targets.empty() || parameters_.tolerance > no_tolerance;
    return converge && report_.results[i].iterations >= p_.method.cycle() + (i == 0 ? 1 : 0) ? 0 : 1;
  }

  // True if the last iterations of right-hand side i, with this one, have reduced its residual too little.
  bool progress_is_slow(std::size_t i) {
    auto& [before, slow] = state_[i].progress;
    if (p_.slowest_reduction >= 1) return false;
    slow = before.size() == progress_window &&
           norms_[i] > std::pow(p_.slowest_reduction, static_cast<double>(progress_window)) * before.front();
    before.push_back(norms_[i]);
    if (before.size() > progress_window) before.pop_front();
    return slow;
  }
  bool is_slow(std::size_t i) const { return state_[i].progress.slow; }
  bool exhausted(std::size_t i) const { return report_.results[i].iterations >= parameters_.limit_of(i); }

  // Right-hand sides of a set for which `wanted(i)`.
  template <class Wanted>
  ActiveSet choose(const ActiveSet& which, Wanted&& wanted) const {
    std::vector<char> flags(state_.size(), 0);
    for_each_of(which, [&](std::size_t i) { flags[i] = wanted(i); });
    return ActiveSet(flags);
  }

  // The true residuals decide who goes on, and how.
  void update(const ActiveSet& which) {
    // Low-precision vectors that have overflowed can be dropped, and r still holds the last true residual.
    const ActiveSet sound = choose(which, [&](std::size_t i) { return !mixed() || !diverged_[i]; });
    p_.method.flush_updates(batch_, sound, method_x(), method_r());
    if (mixed()) {
      batch_.add_converted(scales(sound, [](double s) { return s; }), p_.x, *p_.low_x, p_.frame);
      batch_.update<blas::Zero>(batch_.coefficients(which), {p_.low_x});
    }
    const ActiveSet trusted = choose(sound, [&](std::size_t i) {
      return parameters_.trust_iterated && (norms_[i] <= targets_[i] || exhausted(i) || is_slow(i));
    });
    for_each_of(trusted, [&](std::size_t i) {
      const StopReason otherwise = is_slow(i) ? StopReason::too_slow : StopReason::max_iterations;
      stop(i, norms_[i] <= targets_[i] ? StopReason::converged : otherwise, norms_[i]);
    });
    const ActiveSet measured =
        choose(sound, [&](std::size_t i) { return batch_.active(static_cast<int>(i)); });
    std::vector<double> squares(state_.size());
    if (measured.count() > 0) {
      batch_.apply_outer(p_.outer, p_.r, p_.x, measured);
      squares = batch_.sum<blas::Residual>(batch_.coefficients(measured), {&p_.b, &p_.r, &p_.r});
    }
    for_each_of(measured, [&](std::size_t i) { take_true_residual(i, std::sqrt(squares[i])); });
    for_each_of(which, [&](std::size_t i) {
      if (mixed() && diverged_[i]) take_true_residual(i, state_[i].last);
    });

    const ActiveSet fallen = choose(measured, [&](std::size_t i) {
      return batch_.active(static_cast<int>(i)) &&
             falls_to_deflation(i, std::min(norms_[i], report_.results[i].residual_norm));
    });
    deflate(fallen);

    const ActiveSet on = choose(which, [&](std::size_t i) { return batch_.active(static_cast<int>(i)); });
    const ActiveSet restarted = choose(on, [&](std::size_t i) { return needs_restart(i); });
    const ActiveSet continued = choose(on, [&](std::size_t i) { return !needs_restart(i); });
    for_each_of(restarted, [&](std::size_t i) { ++report_.results[i].restarts; });
    for_each_of(on,
                [&](std::size_t i) { state_[i].last = state_[i].most = report_.results[i].residual_norm; });
    begin(restarted);
    if (continued.count() == 0) return;
    if (mixed()) batch_.convert(scales(continued, [](double s) { return 1 / s; }), *p_.low_r, p_.r, p_.frame);
    p_.method.after_reliable_update(batch_, continued, method_r());
  }

  bool needs_restart(std::size_t i) const {
    return breakdown_[i] || diverged_[i] || state_[i].idle >= idle_until_restart ||
           report_.results[i].residual_norm > lost * norms_[i];
  }

  bool falls_to_deflation(std::size_t i, double norm) const {
    return p_.deflation != nullptr && norm < Deflation::again * state_[i].deflated;
  }

  void deflate(const ActiveSet& which) {
    if (p_.deflation == nullptr || which.count() == 0) return;
    std::vector<double> norms(state_.size());
    for_each_of(which, [&](std::size_t i) { norms[i] = report_.results[i].residual_norm; });
    p_.deflation->improve(batch_, p_.x, p_.b, p_.r, which, norms);
    for_each_of(which, [&](std::size_t i) {
      state_[i].deflated = report_.results[i].residual_norm = norms[i];
      if (!std::isfinite(norms[i])) return stop(i, StopReason::not_a_number, norms[i]);
      if (norms[i] <= targets_[i]) stop(i, StopReason::converged, norms[i]);
    });
  }

  void take_true_residual(std::size_t i, double norm) {
    auto& result = report_.results[i];
    State& state = state_[i];
    ++result.updates;
    const double promised = std::clamp(norms_[i] / state.most, 1e-16, least_fall);
    const bool fell = !diverged_[i] && norm < std::pow(promised, 0.25) * state.most;
    state.idle = fell ? 0 : state.idle + 1;
    result.residual_norm = norm;
    if (!std::isfinite(norm)) {
      stop(i, StopReason::not_a_number, norm);
    } else if (norm <= targets_[i]) {
      stop(i, StopReason::converged, norm);
    } else if (exhausted(i)) {
      stop(i, StopReason::max_iterations, norm);
    } else if (is_slow(i)) {
      stop(i, StopReason::too_slow, norm);
    } else if (state.idle >= idle_until_stop || (diverged_[i] && !mixed())) {
      stop(i, why(i), norm);
    }
  }

  StopReason why(std::size_t i) const {
    if (std::isnan(norms_[i])) return StopReason::not_a_number;
    if (diverged_[i]) return StopReason::divergence;
    return breakdown_[i] ? StopReason::breakdown : StopReason::stagnation;
  }

  void stop(std::size_t i, StopReason reason, double norm) {
    report_.results[i].reason = reason;
    report_.results[i].residual_norm = norm;
    batch_.mask(static_cast<int>(i));
  }

  void begin(const ActiveSet& which) {
    if (which.count() == 0) return;
    if (mixed()) {
      for_each_of(which,
                  [&](std::size_t i) { state_[i].scale = std::ldexp(1.0, std::ilogb(state_[i].last)); });
      batch_.convert(scales(which, [](double s) { return 1 / s; }), *p_.low_r, p_.r, p_.frame);
      batch_.update<blas::Zero>(batch_.coefficients(which), {p_.low_x});
    }
    for_each_of(which, [&](std::size_t i) { state_[i].most = state_[i].last; });
    p_.method.begin(batch_, which, method_r());
  }

  template <class F>
  Coefficients scales(const ActiveSet& which, F&& of) const {
    Coefficients c = batch_.coefficients(which);
    for_each_of(which, [&](std::size_t i) { c[i].value[0] = of(state_[i].scale); });
    return c;
  }

  const KrylovProblem& p_;
  const SolverParameters& parameters_;
  Batch& batch_;
  SolveReport report_;
  std::vector<State> state_;
  std::vector<double> targets_, norms_, low_norms_;
  std::vector<char> breakdown_, diverged_;
  bool counted_ = false;  // as a loop of iterations
};

}  // namespace

SolveReport run_krylov(const KrylovProblem& problem, const SolverParameters& parameters) {
  parameters.validate(problem.b.batch());
  require(problem.x.batch() == problem.batch.size() && problem.b.batch() == problem.batch.size(),
          "a solver was made for a batch of another size");
  const Timer timer;
  const ScopedRange range("solve");
  SolveReport report = Loop(problem, parameters).run();
  report.seconds = timer.seconds();
  Attempt attempt;
  attempt.method = problem.method.name();
  attempt.scheme = problem.low_x != nullptr ? MixedScheme::reliable_updates : MixedScheme::none;
  attempt.inner = problem.method.a().spec(1).precision;
  attempt.outer = problem.outer.spec(1).precision;
  attempt.iterations = report.iterations;
  attempt.reason = report.reason();
  attempt.seconds = report.seconds;
  report.attempts = {attempt};
  return report;
}

}  // namespace plaq
