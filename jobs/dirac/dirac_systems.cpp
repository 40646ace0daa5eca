#include "jobs/dirac/dirac_systems.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/log.hpp"
#include "jobs/dirac/action_keys.hpp"

namespace plaq::jobs {

DiracSystems::DiracSystems(const JobContext& context, const Background& links, const SetupPaths& setup,
                           int solves)
    : context_(context), setup_(setup), solves_(solves), actions_(actions_of_masses(context.job)) {
  if (!context.job.get<ActionKeys>().has_many_masses()) {
    systems_.push_back(std::make_unique<DiracSystem>(context, links, setup, solves));
    return;
  }
  if (actions_.front()->needs_bounds()) {
    bounds_ = actions_.front()->measure_bounds(links);
    for (ActionParameters& action : actions_) action = action->within(*bounds_);
  }
  if (context.job.get<SolverKeys>().multigrid) {
    links_ = links;
    made_ = set_up();
    return;
  }
  for (const ActionParameters& action : actions_)
    systems_.push_back(std::make_unique<DiracSystem>(context, links, action, setup, solves));
  const SolverSpec spec = solver_spec(context.job, context.location());
  if (!systems_.front()->takes_guesses() || !ShiftedMasses::helps(spec, actions_)) return;
  const MemoryName name("multi-shift solve");
  shifted_ = std::make_unique<ShiftedMasses>(links, actions_, spec, columns());
}

FieldSpec DiracSystems::quark_spec() const {
  return actions_.front()->quark_spec(columns(), context_.location());
}

const std::optional<SpectralBounds>& DiracSystems::measured_bounds() const {
  return bounds_ || systems_.empty() ? bounds_ : systems_.front()->measured_bounds();
}

MadeMultigrid DiracSystems::set_up() const {
  return DiracSystem(context_, *links_, actions_.front(), setup_, solves_ * static_cast<int>(actions_.size()))
      .take_multigrid();
}

std::vector<ColumnReport> DiracSystems::solve(std::vector<Field>& quarks, const DiracSystem::FillSource& fill,
                                              const std::string& file, Field* midpoint,
                                              const AfterSolve& after) {
  std::vector<ColumnReport> reports;
  if (systems_.empty()) {
    solve_with_multigrid(quarks, fill, file, after, reports);
    return reports;
  }
  std::vector<std::vector<std::int64_t>> iterations;
  if (shifted_) iterations = guess(quarks, fill);
  for (std::size_t mass = 0; mass < masses(); ++mass) {
    if (masses() > 1) log::info(fmt::format("mass {:g}", actions_[mass]->mass()));
    ColumnReport& report = reports.emplace_back(systems_[mass]->solve(quarks[mass], fill, file, midpoint));
    warn_of_slices(report, file);
    for (std::size_t i = 0; shifted_ && i < report.iterations.size(); ++i)
      report.iterations[i] += iterations[mass][i];
    after(mass, *systems_[mass]);
  }
  return reports;
}

void DiracSystems::solve_with_multigrid(std::vector<Field>& quarks, const DiracSystem::FillSource& fill,
                                        const std::string& file, const AfterSolve& after,
                                        std::vector<ColumnReport>& reports) {
  SetupPaths rest;
  rest.modes = setup_.modes;
  for (std::size_t mass = 0; mass < masses(); ++mass) {
    // Where it was of no use at the mass before, it is not there any more.
    if (!made_.multigrid) made_ = set_up();
    const int solves = solves_ * static_cast<int>(masses());
    DiracSystem system(context_, *links_, actions_[mass], made_.multigrid ? rest : setup_, solves,
                       std::move(made_));
    log::info(fmt::format("mass {:g}", actions_[mass]->mass()));
    reports.push_back(system.solve(quarks[mass], fill, file));
    warn_of_slices(reports.back(), file);
    after(mass, system);
    made_ = system.take_multigrid();
  }
}

std::vector<std::vector<std::int64_t>> DiracSystems::guess(std::vector<Field>& quarks,
                                                           const DiracSystem::FillSource& fill) {
  const MemoryName name("source and solution");
  Field b(context_.geometry, quark_spec());
  fill(b, 0);
  SolveStop stop(context_.grid->comm());
  return shifted_->solve(quarks, b, stop);
}

}  // namespace plaq::jobs
