#include "jobs/solver_study/study_columns.hpp"

#include <algorithm>

#include "jobs/study/columns.hpp"

namespace plaq::jobs {
namespace {

static_assert(residual_missed == static_cast<std::int64_t>(StopReason::not_asked) + 1);

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t middle = values.size() / 2;
  return values.size() % 2 == 1 ? values[middle] : (values[middle - 1] + values[middle]) / 2;
}

struct SolvedSource {
  const FullSolveReport* report;
  std::size_t i;
  const std::vector<double>* errors;
  const SolveResult& result() const { return report->solve.results[i]; }
};
using S = const SolvedSource&;
using B = const SolvedBatch&;

const Column<SolvedSource> source_columns[] = {
    {"/solves/iterations", "1", "iterations of the method, in all restarts and corrections together",
     [](S s) { return std::int64_t{s.result().iterations}; }},
    {"/solves/updates", "1", "times that the true residual was recomputed after iterations",
     [](S s) { return std::int64_t{s.result().updates}; }},
    {"/solves/outcome", "1", "number of the outcome in names, from 0; 0: converged",
     [](S s) { return outcome_of(*s.report, s.i); }},
    {"/solves/true_residual", "1", "||b - M x|| / ||b|| of the full system, recomputed in double precision",
     [](S s) { return s.report->relative_residuals[s.i]; }}};

const Column<SolvedBatch> batch_columns[] = {
    {"/solves/inner_applications", "1",
     "of the operator that is iterated, or its adjoint, to a right-hand side",
     [](B b) { return std::int64_t{b.report.solve.inner.right_hand_sides}; }},
    {"/solves/outer_applications", "1", "the same, for true residuals",
     [](B b) { return std::int64_t{b.report.solve.outer.right_hand_sides}; }},
    {"/solves/seconds", "s", "time to solution of a batch on the slowest rank: the least of all repeats",
     [](B b) { return *std::min_element(b.seconds.begin(), b.seconds.end()); }},
    {"/solves/seconds_median", "s", "their median", [](B b) { return median(b.seconds); }},
    {"/solves/flops", "1", "floating-point operations of a solve on all ranks",
     [](B b) { return b.report.solve.flops; }},
    {"/solves/bytes", "B", "least memory traffic of a solve on all ranks",
     [](B b) { return b.report.solve.bytes; }}};

const Column<SolverRun> solver_columns[] = {
    {"/solves/setup_seconds", "s", "making the operators on the slowest rank",
     [](const SolverRun& r) { return r.setup_seconds; }},
    {"/solves/multigrid_reduction", "1",
     "of the residual by an iteration with multigrid, as its setup found it; 0: "
     "without, or it was not used",
     [](const SolverRun& r) { return r.reduction; }},
    {"/solves/multigrid_rounds", "1", "times that its near-null vectors were improved",
     [](const SolverRun& r) { return r.rounds; }}};

const Column<SolvedSource> error_columns[] = {{"/solves/error", "1",
                                               "|x - x0| / |x0| of the solution x, where b = M x0",
                                               [](S s) { return (*s.errors)[s.i]; }}};

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

Results results_of_solvers(const std::vector<SolverRun>& solvers) {
  std::vector<SolvedSource> sources;
  std::vector<SolvedBatch> batches;
  for (const SolverRun& solver : solvers)
    for (const SolvedBatch& batch : solver.batches) {
      batches.push_back(batch);
      for (std::size_t i = 0; i < batch.report.solve.results.size(); ++i)
        sources.push_back({&batch.report, i, &batch.errors});
    }
  const std::size_t n = solvers.size();
  Results results;
  add_columns<SolvedSource>(results, sources, {"solver", "source"}, {n, sources.size() / n}, source_columns);
  if (!solvers.front().batches.front().errors.empty())
    add_columns<SolvedSource>(results, sources, {"solver", "source"}, {n, sources.size() / n}, error_columns);
  for (Dataset& data : results.datasets)
    if (data.path == "/solves/outcome") data.attributes.emplace_back("names", outcome_names());
  add_columns<SolvedBatch>(results, batches, {"solver", "batch"}, {n, batches.size() / n}, batch_columns);
  add_columns<SolverRun>(results, solvers, {"solver"}, {n}, solver_columns);
  return results;
}

}  // namespace plaq::jobs
