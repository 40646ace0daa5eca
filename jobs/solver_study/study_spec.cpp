#include "jobs/solver_study/study_spec.hpp"

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/dirac/dirac_keys.hpp"

namespace plaq::jobs {

SolverSpec studied_solver(const JobFile& job, const std::string& name) {
  SolverSpec shared;
  shared.preconditioning = preconditioning_named(job.string("study", "preconditioning"));
  shared.tolerance = job.real("study", "tolerance");
  shared.max_iterations = static_cast<int>(job.integer("study", "max_iterations"));
  shared.restart = static_cast<int>(job.integer("study", "restart"));
  shared.omega = job.real("study", "omega");
  shared.temporal_gauge = job.flag("study", "temporal_gauge");
  return parse_solver(name, shared);
}

StudySpec::StudySpec(const JobFile& job)
    : masses(actions_of_masses(job)),
      by_kappa(job.has("action", "kappas")),
      labels(job.reals("action", by_kappa ? "kappas" : "masses")),
      noise(job.string("study", "noise") == "z2" ? Noise::z2 : Noise::z4),
      seed(static_cast<std::uint64_t>(job.integer("study", "seed"))),
      sources(static_cast<int>(job.integer("study", "sources"))),
      batch(static_cast<int>(job.optional_integer("study", "batch").value_or(sources))),
      repeats(static_cast<int>(job.integer("study", "repeats"))) {
  for (const auto& name : job.strings("study", "solvers")) solvers.push_back(studied_solver(job, name));
  if (const auto named = job.optional_string("study", "baseline")) {
    const auto found = std::find(solvers.begin(), solvers.end(), studied_solver(job, *named));
    require(found != solvers.end(), "a study whose baseline is none of its solvers");
    baseline = static_cast<std::size_t>(found - solvers.begin());
  }
}

std::vector<std::string> StudySpec::names() const {
  std::vector<std::string> all;
  for (const SolverSpec& spec : solvers) all.push_back(name_of(spec));
  return all;
}

Attributes StudySpec::attributes() const {
  std::vector<std::string> schemes;
  for (const SolverSpec& spec : solvers) schemes.emplace_back(name_of(spec.scheme));
  const SolverSpec& shared = solvers.front();
  return {{"solvers", names()},
          {"schemes", schemes},
          {"baseline", names()[baseline]},
          {"preconditioning",
           std::string(preconditioning_names[static_cast<std::size_t>(shared.preconditioning)])},
          {"tolerance", shared.tolerance},
          {"max_iterations", std::int64_t{shared.max_iterations}},
          {"noise", std::string(noise == Noise::z2 ? "z2" : "z4")},
          {"seed", static_cast<std::int64_t>(seed)},
          {"sources", std::int64_t{sources}},
          {"batch", std::int64_t{batch}},
          {"repeats", std::int64_t{repeats}}};
}

}  // namespace plaq::jobs
