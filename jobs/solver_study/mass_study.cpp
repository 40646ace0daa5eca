#include "jobs/solver_study/mass_study.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "comms/communicator/stop_request.hpp"
#include "core/launch/tuning.hpp"
#include "core/system/dry_run.hpp"
#include "core/system/error.hpp"
#include "core/system/log.hpp"
#include "core/system/timer.hpp"
#include "kernels/blas/operations.hpp"
#include "settings/action/action_smearing.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/setup_keys.hpp"
#include "solvers/krylov/batch.hpp"

namespace plaq::jobs {
namespace {

constexpr int warm_up_iterations = 4;  // enough to launch and tune every kernel, updates included

// To the bit; what is no number is like itself.
void expect_alike(const FullSolveReport& first, const FullSolveReport& again) {
  bool alike = true;
  for (std::size_t i = 0; i < first.solve.results.size(); ++i) {
    const double residual = first.relative_residuals[i], other = again.relative_residuals[i];
    alike = alike && first.solve.results[i].iterations == again.solve.results[i].iterations &&
            (residual == other || (std::isnan(residual) && std::isnan(other)));
  }
  require(alike, "the same solve took other iterations when it was repeated");
}

}  // namespace

MassStudy::MassStudy(const JobContext& context, const StudySpec& spec,
                     const std::vector<std::string>& gauge_files)
    : context_(context),
      spec_(spec),
      gauge_files_(gauge_files),
      b_(context.geometry, spec.masses.front()->full_spec(spec.batch, context.location())),
      x_(context.geometry, b_.spec()),
      made_(spec.solvers.size()) {
  if (spec.keys.errors) exact_ = Field(context.geometry, b_.spec());
}

void MassStudy::begin(LoadedGauge& gauge) {
  links_.reset();
  links_ = fermion_links(context_, gauge.field, context_.job.get<ActionSmearing>());
  gauge.field = {};
  const std::string& file = gauge.report.info.path;
  setup_ = setup_paths(context_.job, gauge_files_, file);
  if (!spec_.keys.deflation.empty()) setup_.modes = field_file(spec_.keys.deflation, file, modes_ending);
  for (MadeMultigrid& made : made_) made = {};
  bounds_.reset();  // the same for all masses and solvers
  const Action& any = *spec_.masses.front();
  if (any.needs_bounds()) bounds_ = any.measure_bounds(*links_);
}

ActionPtr MassStudy::action(int k) const {
  const ActionPtr& parameters = spec_.masses[static_cast<std::size_t>(k)];
  return bounds_ ? parameters->within(*bounds_) : parameters;
}

Results MassStudy::operator()(const LoadedGauge& gauge, int k) {
  const std::shared_ptr<CloverField> clover = action(k)->clover_field(*links_);
  const StopRequest stop;
  std::vector<SolverRun> runs;
  for (std::size_t solver = 0; solver < spec_.solvers.size(); ++solver) {
    if (solver > 0)
      if (const int signal = stop.anywhere(context_.grid->comm()))
        throw_stopped(signal, "masses that were done are kept, the solvers at this one are not");
    runs.push_back(run_solver(k, solver, clover));
  }
  Results results;
  Attributes of_gauge = attributes_of(gauge);
  if (bounds_) of_gauge.emplace_back("spectral_bounds", std::vector<double>{bounds_->first, bounds_->second});
  results.numbered_group("/gauge", of_gauge);
  results.append(results_of_solvers(runs));
  return results;
}

// Null where a solver sets multigrid up itself.
MadeMultigrid MassStudy::made_before(int k, std::size_t number) {
  if (!spec_.solvers[number].multigrid || !spec_.keys.one_setup || k == 0) return {};
  MadeMultigrid& made = made_[number];
  if (!made.multigrid)  // an earlier run has done the first mass
    made = make_solver(0, spec_.solvers[number], nullptr, {})->take_multigrid();
  return std::move(made);
}

SolverRun MassStudy::run_solver(int k, std::size_t number, std::shared_ptr<CloverField> clover) {
  const SolverSettings& spec = spec_.solvers[number];
  const std::string title = fmt::format("mass {:g}: {}", action(k)->mass(), name_of(spec));
  MadeMultigrid made = made_before(k, number);
  context_.queue.synchronize();
  const Timer setup;
  const auto solver = make_solver(k, spec, std::move(clover), std::move(made));
  context_.queue.synchronize();
  SolverRun run;
  run.setup_seconds = slowest(setup.seconds());
  if (const DiracMultigrid* multigrid = solver->multigrid()) {
    run.reduction = multigrid->report().kept.reduction;
    run.rounds = multigrid->report().rounds;
  }
  int iterations = 0;
  double seconds = 0;
  std::string failed;
  for (int batch = 0; batch < spec_.batches(); ++batch) {
    fill_source(*solver, batch);
    const auto& [report, times, errors] = run.batches.emplace_back(timed(*solver));
    iterations = std::max(iterations, report.solve.iterations);
    seconds += *std::min_element(times.begin(), times.end());
    for (std::size_t i = 0; i < report.relative_residuals.size() && failed.empty(); ++i)
      if (const auto code = outcome_of(report, i); code != 0)
        failed = fmt::format("{}, residual {:.1e}", outcome_names()[static_cast<std::size_t>(code)],
                             report.relative_residuals[i]);
  }
  log::info(fmt::format("{}: {} iterations, {:.3g} s, {}", title, iterations, seconds,
                        failed.empty() ? "converged" : failed));
  if (!failed.empty() && number == spec_.baseline)
    log::warning(
        fmt::format("{}: the baseline did not get there ({}): no speed-up at this mass", title, failed));
  if (spec.multigrid && spec_.keys.one_setup) made_[number] = solver->take_multigrid();
  return run;
}

std::unique_ptr<SystemSolver> MassStudy::make_solver(int k, const SolverSettings& spec,
                                                     std::shared_ptr<CloverField> clover,
                                                     MadeMultigrid made) const {
  try {
    const SetupPaths setup = made.multigrid ? SetupPaths() : setup_;
    return std::make_unique<SystemSolver>(*links_, action(k), spec, spec_.batch, std::move(clover), setup,
                                          std::move(made));
  } catch (const LinkStorageError& error) {
    const bool reals = error.remedy() == LinkStorageError::Remedy::reals;
    throw Error(error.kind(), fmt::format("\"{}\": {}{}", name_of(spec), error.what(),
                                          reals ? "; a solver with 18 reals a link stores them" : ""));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::input_file) throw;
    throw Error(error.kind(), fmt::format("\"{}\": {}", name_of(spec), error.what()));
  }
}

// Of one batch it is the same for all solvers, but where M makes it.
void MassStudy::fill_source(SystemSolver& solver, int batch) {
  if (filled_ == batch && !exact_) return;
  random_source(exact_ ? exact_ : b_, spec_.keys.noise, static_cast<std::uint64_t>(spec_.keys.seed),
                static_cast<std::uint32_t>(batch * spec_.batch));
  if (exact_) solver.apply(b_, exact_);
  filled_ = batch;
}

std::vector<double> MassStudy::errors_of_solution() const {
  Batch sums(*context_.grid, context_.queue, x_.batch());
  const auto all = sums.coefficients(sums.all());
  Field difference(x_.geometry_ptr(), x_.spec());
  auto errors = sums.sum<blas::Residual>(all, {&exact_, &x_, &difference});
  const auto norms = sums.sum<blas::Norm>(all, {&exact_});
  for (std::size_t i = 0; i < errors.size(); ++i) errors[i] = std::sqrt(errors[i] / norms[i]);
  return errors;
}

SolvedBatch MassStudy::timed(SystemSolver& solver) {
  const auto from_zero = [&] {
    const auto memory = memory_of(x_);
    context_.queue.zero_async(memory.data(), memory.size());
    context_.queue.synchronize();
  };
  from_zero();
  solver.solve(x_, b_, std::min(warm_up_iterations, solver.settings().max_iterations));
  SolvedBatch solved;
  const int repeats = runs_dry() ? 1 : spec_.keys.repeats;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    from_zero();
    FullSolveReport report = solver.solve(x_, b_);
    solved.seconds.push_back(slowest(report.solve.seconds));
    if (repeat == 0)
      solved.report = std::move(report);
    else
      expect_alike(solved.report, report);
  }
  if (exact_) solved.errors = errors_of_solution();
  return solved;
}

double MassStudy::slowest(double seconds) const { return context_.grid->comm().max(seconds); }

}  // namespace plaq::jobs
