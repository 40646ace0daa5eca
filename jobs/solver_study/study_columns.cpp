#include "jobs/solver_study/study_columns.hpp"

#include <algorithm>
#include <utility>

namespace plaq::jobs {
namespace {

static_assert(residual_missed == static_cast<std::int64_t>(StopReason::not_asked) + 1);

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

}  // namespace

std::int64_t outcome_of(const FullSolveReport& report, std::size_t i) {
  const StopReason reason = report.solve.results[i].reason;
  if (report.converged(i)) return static_cast<std::int64_t>(StopReason::converged);
  return reason == StopReason::converged ? residual_missed : static_cast<std::int64_t>(reason);
}

std::vector<std::string> outcome_names() {
  std::vector<std::string> names;
  for (int reason = 0; reason <= static_cast<int>(StopReason::not_asked); ++reason)
    names.emplace_back(name_of(static_cast<StopReason>(reason)));
  names.emplace_back("converged, but not in the full system");
  return names;
}

void StudyColumns::add(const FullSolveReport& report, const std::vector<double>& seconds) {
  for (std::size_t i = 0; i < report.solve.results.size(); ++i) {
    const SolveResult& result = report.solve.results[i];
    iterations_.push_back(result.iterations);
    updates_.push_back(result.updates);
    outcome_.push_back(outcome_of(report, i));
    residual_.push_back(report.relative_residuals[i]);
  }
  inner_.push_back(report.solve.inner.right_hand_sides);
  outer_.push_back(report.solve.outer.right_hand_sides);
  seconds_.push_back(*std::min_element(seconds.begin(), seconds.end()));
  median_.push_back(median(seconds));
  flops_.push_back(report.solve.flops);
  bytes_.push_back(report.solve.bytes);
}

void StudyColumns::move_to(Results& results) {
  const std::size_t solvers = setup_.size(), sources = iterations_.size() / solvers,
                    batches = seconds_.size() / solvers;
  const std::vector<std::string> by_source = {"solver", "source"}, by_batch = {"solver", "batch"};
  const auto of_sources = [&](const char* name, Dataset::Values values, const Attributes& attributes) {
    results.dataset(std::string("/solves/") + name, {solvers, sources}, std::move(values), attributes);
  };
  const auto of_batches = [&](const char* name, Dataset::Values values, const char* units,
                              const char* meaning) {
    results.dataset(std::string("/solves/") + name, {solvers, batches}, std::move(values),
                    described(by_batch, units, meaning));
  };
  of_sources("iterations", std::move(iterations_),
             described(by_source, "1", "iterations of the method, in all restarts and corrections together"));
  of_sources("updates", std::move(updates_),
             described(by_source, "1", "times that the true residual was recomputed after iterations"));
  Attributes outcomes = described(by_source, "1", "number of the outcome in names, from 0; 0: converged");
  outcomes.emplace_back("names", outcome_names());
  of_sources("outcome", std::move(outcome_), outcomes);
  of_sources(
      "true_residual", std::move(residual_),
      described(by_source, "1", "||b - M x|| / ||b|| of the full system, recomputed in double precision"));
  of_batches("inner_applications", std::move(inner_), "1",
             "of the operator that is iterated, or its adjoint, to a right-hand side");
  of_batches("outer_applications", std::move(outer_), "1", "the same, for true residuals");
  of_batches("seconds", std::move(seconds_), "s",
             "time to solution of a batch on the slowest rank: the least of all repeats");
  of_batches("seconds_median", std::move(median_), "s", "their median");
  of_batches("flops", std::move(flops_), "1", "floating-point operations of a solve on all ranks");
  of_batches("bytes", std::move(bytes_), "B", "least memory traffic of a solve on all ranks");
  results.dataset("/solves/setup_seconds", {solvers}, std::move(setup_),
                  described({"solver"}, "s", "making the operators on the slowest rank"));
}

}  // namespace plaq::jobs
