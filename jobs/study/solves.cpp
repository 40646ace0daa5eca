#include "jobs/study/solves.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "comms/communicator/stop_request.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/timer.hpp"
#include "jobs/dirac/multigrid_memory.hpp"
#include "jobs/rates/field_checks.hpp"
#include "kernels/blas/operations.hpp"
#include "solvers/krylov/batch.hpp"

namespace plaq::jobs {
namespace {

constexpr int warm_up_iterations = 4;  // enough to launch and tune every kernel, updates included

// To the bit; NaN is like itself.
void expect_alike(const FullSolveReport& first, const FullSolveReport& again) {
  for (std::size_t i = 0; i < first.solve.results.size(); ++i) {
    const double residual = first.relative_residuals[i], other = again.relative_residuals[i];
    require(first.solve.results[i].iterations == again.solve.results[i].iterations &&
                (residual == other || (std::isnan(residual) && std::isnan(other))),
            "the same solve took other iterations when it was repeated");
  }
}

// End of right-hand side i. A solver may have converged although the full system does not agree.
std::string outcome_of(const FullSolveReport& report, std::size_t i) {
  const StopReason reason = report.solve.results[i].reason;
  if (report.converged(i)) return std::string(name_of(StopReason::converged));
  return reason == StopReason::converged ? "converged, but not in the full system"
                                         : std::string(name_of(reason));
}

double errors_of_solution(const JobContext& context, const Field& exact, const Field& x) {
  Batch sums(*context.grid, context.queue, x.batch());
  const auto all = sums.coefficients(sums.all());
  Field difference(x.geometry_ptr(), x.spec());
  const auto errors = sums.sum<blas::Residual>(all, {&exact, &x, &difference});
  const auto norms = sums.sum<blas::Norm>(all, {&exact});
  double most = 0;
  for (std::size_t i = 0; i < errors.size(); ++i) most = std::max(most, std::sqrt(errors[i] / norms[i]));
  return most;
}

}  // namespace

Solves::Solves(const JobContext& context, const StudySpec& spec, const FermionLinks& links, SetupPaths setup)
    : context_(context), spec_(spec), links_(links), setup_(std::move(setup)), made_(spec.solves.size()) {
  const int most = *std::max_element(spec.right_hand_sides.begin(), spec.right_hand_sides.end());
  for (const SolverSettings& solver : spec.solves)
    expect_room_for_multigrid(context, spec.actions.front(), solver, most);
}

void Solves::add_rows_of(int mass, const std::vector<ActionPtr>& actions, Bench& bench) {
  if (spec_.solves.empty()) return;
  const auto clover = actions.at(static_cast<std::size_t>(mass))->clover_field(links_);
  const StopRequest stop;
  for (const int rhs : spec_.right_hand_sides)
    for (std::size_t number = 0; number < spec_.solves.size(); ++number) {
      if (number > 0)
        if (const int signal = stop.anywhere(context_.grid->comm()))
          throw_stopped(signal, "tasks that were done are kept, the solvers of this one are not");
      add_solver(number, rhs, mass, actions, clover, bench);
    }
}

void Solves::add_solver(std::size_t number, int rhs, int mass, const std::vector<ActionPtr>& actions,
                        const std::shared_ptr<CloverField>& clover, Bench& bench) {
  const SolverSettings& spec = spec_.solves[number];
  const ActionPtr& action = actions.at(static_cast<std::size_t>(mass));
  MadeMultigrid& made = made_[number];
  const bool shares_setup = spec.multigrid && spec_.one_setup;
  if (shares_setup && !made.multigrid && mass > 0)  // an earlier run has done the first mass
    made = make_solver(actions.front(), spec, rhs, nullptr, {})->take_multigrid();
  context_.queue.synchronize();
  const Timer setup;
  const auto solver = make_solver(action, spec, rhs, clover, std::move(made));
  context_.queue.synchronize();
  const double setup_seconds = slowest(setup.seconds());
  const FieldSpec full = action->full_spec(rhs, context_.location());
  Fields fields{Field(context_.geometry, full), Field(context_.geometry, full), {}};
  if (spec_.errors) fields.exact = Field(context_.geometry, full);
  for (int batch = 0; batch < spec_.batches(rhs); ++batch) {
    random_source(spec_.errors ? fields.exact : fields.b, spec_.noise, static_cast<std::uint64_t>(spec_.seed),
                  static_cast<std::uint32_t>(batch * rhs));
    if (spec_.errors) solver->apply(fields.b, fields.exact);
    Row row = solved(*solver, fields);
    row.source = batch * rhs;
    row.setup_seconds = setup_seconds;
    if (const DiracMultigrid* multigrid = solver->multigrid()) {
      row.multigrid_reduction = multigrid->report().kept.reduction;
      row.multigrid_rounds = static_cast<int>(multigrid->report().rounds);
    }
    const bool converged = row.outcome == name_of(StopReason::converged);
    const std::string title = fmt::format("mass {:g}: {}", action->mass(), name_of(spec));
    log::info(fmt::format(
        "{}: {} iterations, {:.3g} s, {}", title, row.iterations, row.seconds_least,
        converged ? row.outcome : fmt::format("{}, residual {:.1e}", row.outcome, row.true_residual)));
    if (!converged && number == 0)
      log::warning(fmt::format("{}: the first solver did not get there ({}): no speed-up at this mass", title,
                               row.outcome));
    bench.add(name_of(spec), iterated_storage(spec), rhs, std::move(row));
  }
  if (shares_setup) made = solver->take_multigrid();
}

std::unique_ptr<SystemSolver> Solves::make_solver(const ActionPtr& action, const SolverSettings& spec,
                                                  int rhs, std::shared_ptr<CloverField> clover,
                                                  MadeMultigrid made) const {
  try {
    const SetupPaths setup = made.multigrid ? SetupPaths() : setup_;
    return std::make_unique<SystemSolver>(links_, action, spec, rhs, std::move(clover), setup,
                                          std::move(made));
  } catch (const LinkStorageError& error) {
    const bool compressed = error.remedy() == LinkStorageError::Remedy::reconstruction;
    throw Error(error.kind(), fmt::format("\"{}\": {}{}", name_of(spec), error.what(),
                                          compressed ? "; a solver with 18 reals a link stores them" : ""));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    throw Error(error.kind(), fmt::format("\"{}\": {}", name_of(spec), error.what()));
  }
}

Row Solves::solved(SystemSolver& solver, Fields& fields) const {
  const auto from_zero = [&] {
    const auto memory = memory_of(fields.x);
    context_.queue.zero_async(memory.data(), memory.size());
    context_.queue.synchronize();
  };
  from_zero();
  solver.solve(fields.x, fields.b, std::min(warm_up_iterations, solver.settings().max_iterations));
  FullSolveReport report;
  std::vector<double> microseconds;
  for (int repeat = 0; repeat < (runs_dry() ? 1 : std::max(1, spec_.samples)); ++repeat) {
    from_zero();
    FullSolveReport found = solver.solve(fields.x, fields.b);
    microseconds.push_back(1e6 * slowest(found.solve.seconds));
    if (repeat > 0) expect_alike(report, found);
    report = std::move(found);
  }
  const int ranks = context_.grid->size();
  Row row(samples_of(microseconds), {report.solve.flops / ranks, report.solve.bytes / ranks}, ranks, {});
  row.inner_applications = static_cast<double>(report.solve.inner.right_hand_sides);
  row.outer_applications = static_cast<double>(report.solve.outer.right_hand_sides);
  row.outcome = name_of(StopReason::converged);
  row.true_residual = 0;
  for (std::size_t i = 0; i < report.solve.results.size(); ++i) {
    const SolveResult& result = report.solve.results[i];
    row.iterations = std::max(row.iterations, static_cast<int>(result.iterations));
    row.updates = std::max(row.updates, static_cast<int>(result.updates));
    const double residual = report.relative_residuals[i];
    if (!(residual <= row.true_residual)) row.true_residual = residual;
    if (row.outcome == name_of(StopReason::converged)) row.outcome = outcome_of(report, i);
  }
  if (fields.exact.geometry_ptr()) row.error = errors_of_solution(context_, fields.exact, fields.x);
  row.checksum = static_cast<std::int64_t>(field_checksum(*context_.grid, fields.x));
  return row;
}

}  // namespace plaq::jobs
