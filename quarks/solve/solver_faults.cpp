#include "quarks/solve/solver_settings.hpp"

#include <fmt/format.h>

#include "core/operator/active_set.hpp"
#include "quarks/action/action.hpp"

namespace plaq {
namespace {

void append(std::vector<ParameterFault>& all, const char* parameter, const std::string& what) {
  all.push_back({parameter, what});
}

std::vector<ParameterFault> faults_of_links(const SolverSettings& s, const Action& action) {
  std::vector<ParameterFault> all;
  // The default counts as not given: resolved() makes it 18 where links cannot be compressed.
  const auto check = [&](const char* parameter, int reconstruction, int otherwise) {
    if (reconstruction != 18 && reconstruction != 12 && reconstruction != 8)
      append(all, parameter, fmt::format("found {}, must be 18, 12 or 8", reconstruction));
    else if (reconstruction != 18 && reconstruction != otherwise && !action.has_compressed_links())
      append(all, parameter,
             fmt::format("found {}, must be 18: links of {} quarks are not SU(3)", reconstruction,
                         action.name()));
  };
  const SolverSettings usual;
  check("outer.reconstruction", s.outer.reconstruction, usual.outer.reconstruction);
  check("inner.reconstruction", s.inner.reconstruction, usual.inner.reconstruction);
  return all;
}

// With multigrid resolved() chooses the form.
std::vector<ParameterFault> faults_of_form(const SolverSettings& s, const Action& action) {
  if (s.multigrid && s.preconditioning != Preconditioning::none) return {};
  if (const auto fault = validate_form(s.preconditioning, action)) return {{"preconditioning", *fault}};
  return {};
}

std::vector<ParameterFault> faults_of_multigrid(const SolverSettings& s, const Action& action) {
  std::vector<ParameterFault> all;
  if (!s.multigrid) return all;
  if (const std::string none = action.no_multigrid(); !none.empty()) append(all, "multigrid", none);
  if (method_of(s) != SolverMethod::gcr) append(all, "method", "multigrid is a preconditioner of \"gcr\"");
  if (s.preconditioning == Preconditioning::none)
    append(all, "preconditioning", "multigrid works on the even sites alone; leave it out");
  return all;
}

std::vector<ParameterFault> faults_of_columns(const SolverSettings& s, const Action& action) {
  std::vector<ParameterFault> all;
  if (!s.columns) return all;
  const int together = *s.columns, columns = action.columns(), Ls = action.Ls();
  if (together < 1 || columns % together != 0)
    append(all, "columns",
           fmt::format("{} columns of a source cannot be solved {} at a time", columns, together));
  else if (together * Ls > ActiveSet::capacity)
    append(all, "columns",
           fmt::format("{} with {} slices each are more than {}", together, Ls, ActiveSet::capacity));
  return all;
}

}  // namespace

std::optional<std::string> validate_form(Preconditioning form, const Action& action) {
  if (form != Preconditioning::even_odd_asymmetric || action.has_asymmetric_form()) return std::nullopt;
  return fmt::format("\"even-odd-asymmetric\" is for Wilson and clover quarks; take \"even-odd\" for {} ones",
                     action.name());
}

std::vector<ParameterFault> faults_of_deflation(const SolverSettings& settings) {
  std::vector<ParameterFault> faults;
  if (settings.multigrid) faults.push_back({"multigrid", "multigrid is there as well; take one of them"});
  const SolverMethod method = settings.method.value_or(SolverMethod::cg);
  if (method != SolverMethod::cg && method != SolverMethod::cgne)
    faults.push_back({"method", "is of method = \"cg\" and \"cgne\""});
  if (settings.preconditioning == Preconditioning::none)
    faults.push_back(
        {"preconditioning", "eigenvectors are of an even-odd form; preconditioning = \"none\" has none"});
  return faults;
}

std::vector<ParameterFault> faults_of(const SolverSettings& settings, const Action& action) {
  std::vector<ParameterFault> all;
  for (const auto& some : {faults_of_form(settings, action), faults_of_links(settings, action),
                           faults_of_multigrid(settings, action), faults_of_columns(settings, action)})
    all.insert(all.end(), some.begin(), some.end());
  return all;
}

}  // namespace plaq
