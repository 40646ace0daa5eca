#include "solvers/mixed/defect_correction.hpp"

#include <algorithm>
#include <cmath>

#include "core/system/error.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/krylov/krylov_method.hpp"
#include "solvers/mixed/deflation.hpp"
#include "solvers/residuals.hpp"

namespace plaq {
namespace {

constexpr int idle_corrections_until_stop = 2;
constexpr double correction_safety = 0.5;  // of the last correction's tolerance

struct Correction {
  LinearOperator& outer;
  Solver& inner;
  const Field* frame;  // of the inner vectors
  Batch& batch;
  Field &x, &r, &low_b, &low_x;
  const Field& b;
  const SolverParameters& parameters;
  double inner_tolerance;
  Deflation* deflation;
  SolveReport report{};
  std::vector<double> targets{};
  std::vector<double> deflated{};  // norms at the last deflation
  std::vector<int> idle{};
  std::vector<double> heard{};  // what `watch` is told

  void run() {
    batch.reset();
    targets = first_residual(batch, outer, x, b, r, parameters, report);
    idle.assign(targets.size(), 0);
    deflated.assign(targets.size(), 0);
    deflate(batch.active_set());
    for (const SolveResult& result : report.results) heard.push_back(result.residual_norm);
    while (batch.any_active()) correct();
    batch.write_work(report);
  }

  double& norm(std::size_t i) { return report.results[i].residual_norm; }

  template <class Scale>
  Coefficients scales(const ActiveSet& which, Scale&& scale) {
    Coefficients c = batch.coefficients(which);
    for_each_of(which, [&](std::size_t i) { c[i].value[0] = scale(norm(i)); });
    return c;
  }

  void correct() {
    const ActiveSet active = batch.active_set();
    batch.convert(scales(active, [](double n) { return 1 / n; }), low_b, r, frame);
    const SolveReport solved = inner.solve(low_x, low_b, inner_parameters(active));
    batch.add_work(solved);
    std::vector<char> sound(targets.size(), 0);
    for_each_of(active, [&](std::size_t i) {
      auto& result = report.results[i];
      sound[i] = std::isfinite(solved.results[i].residual_norm);
      result.iterations += solved.results[i].iterations;
      result.restarts += solved.results[i].restarts;
      report.iterations = std::max(report.iterations, result.iterations);
    });
    const ActiveSet which(sound);
    batch.add_converted(scales(which, [](double n) { return n; }), x, low_x, frame);
    batch.apply_outer(outer, r, x, active);
    const auto squares = batch.sum<blas::Residual>(batch.coefficients(active), {&b, &r, &r});
    for_each_of(active,
                [&](std::size_t i) { take_true_residual(i, std::sqrt(squares[i]), solved.results[i]); });
    std::vector<char> fallen(targets.size(), 0);
    for_each_of(batch.active_set(),
                [&](std::size_t i) { fallen[i] = norm(i) < Deflation::again * deflated[i]; });
    deflate(ActiveSet(fallen));
  }

  void deflate(const ActiveSet& which) {
    if (deflation == nullptr || which.count() == 0) return;
    std::vector<double> norms(targets.size());
    for_each_of(which, [&](std::size_t i) { norms[i] = norm(i); });
    deflation->improve(batch, x, b, r, which, norms);
    for_each_of(which, [&](std::size_t i) {
      norm(i) = deflated[i] = norms[i];
      if (!std::isfinite(norms[i])) return stop(i, StopReason::not_a_number);
      if (norms[i] <= targets[i]) stop(i, StopReason::converged);
    });
  }

  SolverParameters inner_parameters(const ActiveSet& active) {
    SolverParameters p;
    p.zero_guess = p.trust_iterated = true;
    p.targets.assign(targets.size(), 0);
    p.active.assign(targets.size(), 0);
    p.iteration_limits.assign(targets.size(), 0);
    for_each_of(active, [&](std::size_t i) {
      p.active[i] = 1;
      p.targets[i] = std::clamp(correction_safety * targets[i] / norm(i), inner_tolerance, correction_safety);
      p.iteration_limits[i] = parameters.limit_of(i) - report.results[i].iterations;
    });
    if (parameters.watch)
      p.watch = [this, before = report.iterations](int iteration, const std::vector<double>& low) {
        for_each_of(batch.active_set(), [&](std::size_t i) { heard[i] = norm(i) * low[i]; });
        parameters.watch(before + iteration, heard);
      };
    return p;
  }

  void take_true_residual(std::size_t i, double now, const SolveResult& inner_result) {
    auto& result = report.results[i];
    ++result.updates;
    const double promised = inner_result.residual_norm;
    const bool fell = promised < 1 && now < std::pow(promised, 0.25) * norm(i);
    idle[i] = fell ? 0 : idle[i] + 1;
    norm(i) = now;
    if (!std::isfinite(now)) {
      stop(i, StopReason::not_a_number);
    } else if (now <= targets[i]) {
      stop(i, StopReason::converged);
    } else if (inner_result.reason == StopReason::too_slow) {
      stop(i, StopReason::too_slow);
    } else if (result.iterations >= parameters.limit_of(i)) {
      stop(i, StopReason::max_iterations);
    } else if (idle[i] >= idle_corrections_until_stop) {
      const bool promised_much =
          inner_result.converged() || inner_result.reason == StopReason::max_iterations;
      stop(i, promised_much ? StopReason::stagnation : inner_result.reason);
    }
  }

  void stop(std::size_t i, StopReason reason) {
    report.results[i].reason = reason;
    batch.mask(static_cast<int>(i));
  }
};

}  // namespace

DefectCorrection::DefectCorrection(LinearOperator& outer, LinearOperator& inner_operator,
                                   std::unique_ptr<Solver> inner, const ProcessGrid& grid, int batch,
                                   const MethodSettings& settings, VectorConversion conversion)
    : outer_(outer),
      inner_operator_(inner_operator),
      inner_(std::move(inner)),
      conversion_(std::move(conversion)),
      inner_tolerance_(settings.inner_tolerance),
      deflation_(settings.deflation),
      batch_(grid, outer.queue(), batch),
      r_(outer.geometry(), outer.spec(batch)),
      low_b_(inner_operator.geometry(), inner_operator.spec(batch)),
      low_x_(inner_operator.geometry(), inner_operator.spec(batch)) {
  require(inner_tolerance_ > 0 && inner_tolerance_ < 1, "the inner tolerance is between 0 and 1");
  conversion_.check(outer, inner_operator);
}

SolveReport DefectCorrection::solve(Field& x, const Field& b, const SolverParameters& parameters) {
  parameters.validate(b.batch());
  require(x.batch() == batch_.size() && b.batch() == batch_.size(),
          "a solver was made for a batch of another size");
  const Timer timer;
  const ScopedRange range("solve");
  Correction correction{outer_, *inner_,    conversion_.gauge_frame(), batch_,    x, r_, low_b_, low_x_,
                        b,      parameters, inner_tolerance_,          deflation_};
  correction.run();
  SolveReport& report = correction.report;
  report.seconds = timer.seconds();
  report.attempts = {{std::string(name()), MixedScheme::defect_correction, inner_operator_.spec(1).precision,
                      outer_.spec(1).precision, report.iterations, report.reason(), report.seconds}};
  return std::move(report);
}

}  // namespace plaq
