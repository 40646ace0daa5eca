#include "solvers/batch.hpp"

#include <algorithm>
#include <cmath>

#include "core/error.hpp"
#include "core/timer.hpp"

namespace plaq {

std::string_view name_of(StopReason reason) {
  switch (reason) {
    case StopReason::converged:
      return "converged";
    case StopReason::max_iterations:
      return "maximum of iterations";
    case StopReason::breakdown:
      return "breakdown";
    case StopReason::stagnation:
      return "stagnation";
    case StopReason::not_a_number:
      return "not a number";
  }
  return "unknown";
}

Batch::Batch(const ProcessGrid& grid, const Queue& queue, int size)
    : grid_(&grid), active_(static_cast<std::size_t>(size), 1), work_(queue, size) {}

bool Batch::any_active() const {
  return std::any_of(active_.begin(), active_.end(), [](char a) { return a != 0; });
}

std::vector<blas::Coefficients> Batch::coefficients() const {
  std::vector<blas::Coefficients> c(active_.size());
  for (std::size_t i = 0; i < c.size(); ++i) c[i].active = active_[i] ? 1 : 0;
  return c;
}

void Batch::count_apply(const LinearOperator& a, int times) {
  const Work w = a.work(size());
  done_.flops += w.flops * times;
  done_.bytes += w.bytes * times;
}

namespace {

constexpr int most_restarts = 10;
// A restart that brought the true residual down by less than this will not be followed by another.
constexpr double worthwhile = 0.5;

struct Driver {
  LinearOperator& a;
  Batch batch;
  Field &x, &r, &scratch;
  const Field& b;
  const SolverParameters& parameters;
  SolveReport report;
  std::vector<double> targets;

  // r = b - A x for all right-hand sides, frozen ones included; their norms.
  std::vector<double> true_residuals() {
    a.apply(scratch, x);
    batch.count_apply(a);
    std::vector<blas::Coefficients> all(static_cast<std::size_t>(batch.size()));
    auto squares = batch.sum<blas::Residual>(all, {&b, &scratch, &r});
    for (double& s : squares) s = std::sqrt(s);
    return squares;
  }

  void start() {
    const std::vector<blas::Coefficients> all(static_cast<std::size_t>(batch.size()));
    const auto squares = batch.sum<blas::Norm>(all, {&b});
    report.results.resize(squares.size());
    for (std::size_t i = 0; i < squares.size(); ++i) {
      report.results[i].source_norm = std::sqrt(squares[i]);
      targets.push_back(parameters.targets.empty() ? parameters.tolerance * std::sqrt(squares[i])
                                                   : parameters.targets[i]);
    }
  }

  void stop(int i, StopReason reason, double norm) {
    auto& result = report.results[static_cast<std::size_t>(i)];
    result.reason = reason;
    result.residual_norm = norm;
    batch.freeze(i);
  }

  // Which right-hand sides go on from a true residual; `last` holds the ones at the start before.
  void sort_out(const std::vector<double>& norms, const std::vector<double>& last,
                const std::vector<char>& broke) {
    for (int i = 0; i < batch.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      auto& result = report.results[k];
      if (result.reason != StopReason::max_iterations) continue;  // ended before
      batch.freeze(i);
      if (!std::isfinite(norms[k])) {
        stop(i, StopReason::not_a_number, norms[k]);
      } else if (norms[k] <= targets[k]) {
        stop(i, StopReason::converged, norms[k]);
      } else if (result.iterations >= parameters.max_iterations) {
        result.residual_norm = norms[k];
      } else if (!last.empty() && (norms[k] > worthwhile * last[k] || result.restarts >= most_restarts)) {
        stop(i, broke[k] ? StopReason::breakdown : StopReason::stagnation, norms[k]);
      } else {
        if (!last.empty()) ++result.restarts;
        result.residual_norm = norms[k];
        batch.activate(i);
      }
    }
  }

  void run(KrylovMethod& method) {
    start();
    std::vector<double> last, norms = true_residuals();
    std::vector<char> broke(norms.size(), 0);
    for (sort_out(norms, last, broke); batch.any_active(); sort_out(norms, last, broke)) {
      last = norms;
      iterate(method, norms, broke);
      norms = true_residuals();
    }
  }

  // Until every active right-hand side has reached its target, broken down or used up its iterations.
  void iterate(KrylovMethod& method, std::vector<double>& norms, std::vector<char>& broke) {
    std::fill(broke.begin(), broke.end(), 0);
    method.begin(batch, r);
    while (batch.any_active()) {
      method.step(batch, x, r, norms, broke);
      for (int i = 0; i < batch.size(); ++i) {
        if (!batch.active(i)) continue;
        const auto k = static_cast<std::size_t>(i);
        auto& result = report.results[k];
        ++result.iterations;
        report.iterations = std::max(report.iterations, result.iterations);
        if (!(norms[k] > targets[k]) || !std::isfinite(norms[k]) || broke[k] ||
            result.iterations >= parameters.max_iterations)
          batch.freeze(i);
      }
      if (parameters.watch) parameters.watch(report.iterations, norms);
    }
  }
};

}  // namespace

SolveReport run_krylov(KrylovMethod& method, LinearOperator& a, const ProcessGrid& grid, Field& x,
                       const Field& b, Field& r, Field& scratch, const SolverParameters& parameters) {
  require(parameters.targets.empty() || static_cast<int>(parameters.targets.size()) == b.slots(),
          "one target for each right-hand side");
  const Timer timer;
  const ScopedRange range("solve");
  Driver driver{a, Batch(grid, a.queue(), b.slots()), x, r, scratch, b, parameters, {}, {}};
  driver.run(method);
  driver.report.seconds = timer.seconds();
  driver.report.flops = driver.batch.done().flops * grid.size();
  driver.report.bytes = driver.batch.done().bytes * grid.size();
  return driver.report;
}

}  // namespace plaq
