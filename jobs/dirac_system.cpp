#include "jobs/dirac_system.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jobs/progress.hpp"
#include "solvers/bicgstab.hpp"
#include "solvers/cg.hpp"

namespace plaq::jobs {
WilsonParameters wilson_parameters(const JobFile& job) {
  WilsonParameters p;
  const auto kappa = job.optional_real("action", "kappa");
  p.mass = kappa ? WilsonParameters::mass_of_kappa(*kappa) : *job.optional_real("action", "mass");
  p.xi = job.real("action", "xi");
  p.nu = job.real("action", "nu");
  p.boundary = job.four("action", "boundary");
  return p;
}

DiracSystem::DiracSystem(const JobContext& context, const Field& gauge, int batch)
    : context_(context), parameters_(wilson_parameters(context.job)) {
  const JobFile& job = context.job;
  const auto make = [&](Precision precision) {
    return std::make_shared<WilsonHopping>(*context.grid, gauge, parameters_, precision, context.queue,
                                           context.transport);
  };
  const bool single = job.string("solver", "precision") == "single";
  hopping_ = make(single ? Precision::single_precision : Precision::double_precision);
  full_ = std::make_unique<WilsonOperator>(hopping_);
  judge_ = std::make_unique<WilsonOperator>(single ? make(Precision::double_precision) : hopping_);
  const bool even_odd = job.string("solver", "preconditioning") == "even-odd";
  if (even_odd) schur_ = std::make_unique<WilsonSchur>(hopping_, 0, WilsonSchur::Form::symmetric, batch);
  LinearOperator& a = even_odd ? static_cast<LinearOperator&>(*schur_) : *full_;
  if (job.string("solver", "method") == "cg") {
    solver_ = std::make_unique<ConjugateGradients>(a, *context.grid, batch);
  } else {
    solver_ = std::make_unique<Bicgstab>(a, *context.grid, batch);
  }
}

FullSolveReport DiracSystem::solve(Field& x, const Field& b) {
  SolverParameters parameters;
  parameters.tolerance = context_.job.real("solver", "tolerance");
  parameters.max_iterations = static_cast<int>(context_.job.integer("solver", "max_iterations"));

  // The slowest right-hand side, from where it stood after the first iteration down to the tolerance.
  const double decades = std::max(1e-3, -std::log10(parameters.tolerance));
  Progress progress(fmt::format("{} solve", solver_->name()), decades,
                    Progress::Settings::standard(context_.rank()));
  std::vector<double> first;
  parameters.watch = [&](int iteration, const std::vector<double>& norms) {
    if (first.empty()) first = norms;
    double slowest = decades;
    for (std::size_t i = 0; i < norms.size(); ++i)
      if (first[i] > 0 && norms[i] > 0) slowest = std::min(slowest, std::log10(first[i] / norms[i]));
    progress.advance_to(std::max(0.0, slowest), fmt::format("iteration {}", iteration));
  };
  auto report = schur_ ? solve_schur(*schur_, *solver_, *judge_, *context_.grid, x, b, parameters)
                       : solve_full(*full_, *solver_, *judge_, *context_.grid, x, b, parameters);
  progress.finish(fmt::format("{} iterations", report.solve.iterations));
  return report;
}

}  // namespace plaq::jobs
