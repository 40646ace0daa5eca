#include "settings/solver/approximation_table.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "settings/schema/field.hpp"
#include "settings/solver/field_files.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::settings {
namespace {

// Numbers of a solve with multigrid, whose setup is chosen by the number of solves.
constexpr double usual_iterations = 20, usual_tolerance = 1e-10;

void check_approximation(Problems& problems, const ApproximationKeys& keys, const SolverSettings& solver,
                         const MultigridOptions& multigrid, const DeflationFiles& modes,
                         const SetupKeys& setups) {
  const Approximation& how = keys.how;
  if (!keys.is_asked()) {
    if (how.iterations || how.tolerance || how.modes)
      problems.missing("approximation.exact", "the number of exact solves; for example exact = 1");
    return;
  }
  const int limits = (how.iterations ? 1 : 0) + (how.tolerance ? 1 : 0) + (how.modes ? 1 : 0);
  if (limits > 1)
    problems.add(how.modes ? "approximation.modes" : "approximation.tolerance",
                 "found with another limit of approximate solves; give iterations, tolerance or modes");
  if (limits == 0)
    problems.missing("approximation.iterations",
                     "the limit of approximate solves; for example iterations = 50, or tolerance = 1e-3");
  if (how.modes && modes.directory.empty())
    problems.missing("solver.deflation", "the directory of the modes that approximate");
  if (how.tolerance && *how.tolerance < solver.tolerance)
    problems.add("approximation.tolerance",
                 fmt::format("{:g} is below the tolerance {:g} of exact solves in [solver]", *how.tolerance,
                             solver.tolerance));
  if (solver.short_halo)
    problems.add("solver.halo_precision",
                 "\"half\" makes approximate solves depend on the process grid; leave the key out");
  if (solver.multigrid && multigrid.local_smoother)
    problems.add("multigrid.local_smoother",
                 "true makes approximate solves depend on the process grid; leave the key out");
  if (setups.refresh)
    problems.add("multigrid.refresh",
                 "true makes approximate solves depend on earlier runs; leave the key out, or solve exactly");
}

}  // namespace

Table approximation_table(const std::string& sources) {
  using Keys = ApproximationKeys;
  return {
      "approximation",
      fmt::format("All-mode averaging: approximate solves of all {0}, and exact ones of a few, which correct "
                  "their mean. The result is the mean of all A plus the mean of E - A of the exact {0}, for "
                  "approximate values A and exact ones E. It has no bias (Blum, Izubuchi, Shintani, Phys. "
                  "Rev. D 88 (2013) 094503).",
                  sources),
      {field(&Keys::exact, "exact",
             fmt::format("Number of {}, the first ones, that are also solved to the tolerance of [solver]. "
                         "0: no approximations.",
                         sources))
           .within(0, 100000),
       field(&Keys::how, &Approximation::iterations, "iterations",
             "Iterations of each approximate solve, from 0 on. All of them are made, whatever residual they "
             "leave.")
           .within(1, 1e9)
           .such_as("50")
           .without("tolerance is the limit"),
       field(&Keys::how, &Approximation::tolerance, "tolerance",
             "Tolerance of approximate solves, in the place of iterations.")
           .between(0, 1)
           .such_as("1e-3")
           .without("iterations is the limit"),
       field(&Keys::how, &Approximation::modes, "modes",
             "true: approximate solves take the part of the solution in the low modes of [solver] deflation "
             "alone, without iterations (low-mode averaging), in the place of iterations or tolerance.")}};
}

Rule approximation_rule() {
  return {
      {"approximation.exact", "approximation.iterations", "approximation.tolerance", "solver.tolerance",
       "approximation.modes", "solver.deflation", "solver.halo_precision", "multigrid.local_smoother",
       "multigrid.refresh"},
      "An approximation has exact solves, and either iterations, or a tolerance that is not below that of "
      "the solver, or the modes of its deflation. It needs solves that depend neither on the process grid "
      "nor on earlier runs.",
      check_approximation};
}

double share_of_exact(const Approximation& how) {
  if (how.modes) return 0;
  if (how.iterations) return std::min(1.0, *how.iterations / usual_iterations);
  return std::min(1.0, std::log(how.tolerance.value_or(usual_tolerance)) / std::log(usual_tolerance));
}

Attributes approximation_attributes(const ApproximationKeys& keys) {
  Attributes attributes = {{"exact", std::int64_t{keys.exact}}};
  if (keys.how.iterations) attributes.emplace_back("iterations", std::int64_t{*keys.how.iterations});
  if (keys.how.tolerance) attributes.emplace_back("tolerance", *keys.how.tolerance);
  if (keys.how.modes) attributes.emplace_back("modes", std::int64_t{1});
  return attributes;
}

}  // namespace plaq::settings
