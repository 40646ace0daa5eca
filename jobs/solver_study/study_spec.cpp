#include "jobs/solver_study/study_spec.hpp"

#include <algorithm>

#include "core/system/error.hpp"
#include "settings/action/action_keys.hpp"
#include "settings/solver/multigrid_table.hpp"

namespace plaq::jobs {

const Names<Noise>& noise_names() {
  static const Names<Noise> names = {{"z2", Noise::z2}, {"z4", Noise::z4}};
  return names;
}

SolverSettings shared_spec(const Settings& job) {
  auto shared = job.get<SolverSettings>();
  shared.multigrid = job.get<MultigridOptions>();
  shared.fallback = false;  // a solver that fails is what a study is to tell
  return shared;
}

StudySpec::StudySpec(const Settings& job)
    : keys(job.get<StudyKeys>()), batch(keys.batch.value_or(keys.sources)) {
  const auto action = job.get<ActionKeys>();
  masses = actions_of_masses(job);
  by_kappa = action.kappas.has_value();
  labels = by_kappa ? *action.kappas : action.masses.value();
  const SolverSettings shared = shared_spec(job);
  for (const auto& name : keys.solvers) solvers.push_back(parse_solver(name, shared));
  if (keys.baseline.empty()) return;
  const auto found = std::find(solvers.begin(), solvers.end(), parse_solver(keys.baseline, shared));
  require(found != solvers.end(), "a study whose baseline is none of its solvers");
  baseline = static_cast<std::size_t>(found - solvers.begin());
}

bool StudySpec::has_multigrid() const {
  return std::any_of(solvers.begin(), solvers.end(),
                     [](const auto& spec) { return spec.multigrid.has_value(); });
}

std::vector<std::string> StudySpec::names() const {
  std::vector<std::string> all;
  for (const SolverSettings& spec : solvers) all.push_back(name_of(spec));
  return all;
}

Attributes StudySpec::attributes() const {
  std::vector<std::string> schemes;
  for (const SolverSettings& spec : solvers) schemes.emplace_back(name_of(spec.scheme));
  const SolverSettings& shared = solvers.front();
  return {{"solvers", names()},
          {"schemes", schemes},
          {"baseline", names()[baseline]},
          {"preconditioning",
           std::string(preconditioning_names[static_cast<std::size_t>(shared.preconditioning)])},
          {"tolerance", shared.tolerance},
          {"max_iterations", std::int64_t{shared.max_iterations}},
          {"noise", noise_names().of(keys.noise)},
          {"seed", keys.seed},
          {"sources", std::int64_t{keys.sources}},
          {"batch", std::int64_t{batch}},
          {"repeats", std::int64_t{keys.repeats}},
          {"errors", std::int64_t{keys.errors}}};
}

}  // namespace plaq::jobs
