// Keys and rules of [solver].
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/field/storages.hpp"
#include "core/operator/active_set.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/solver_table.hpp"

namespace plaq::settings {
namespace {

// Rounding x to single precision leaves at least so much of ||b - M x|| / ||b||: with ||M|| ||x|| / ||b|| of
// a few, as for heavy quarks. That factor grows as the quarks get lighter, and with it what can be reached.
constexpr double rounding_of_single = 1e-7, light_quarks = 10;

void check_halo(Problems& problems, const SolverSettings& spec) {
  if (!spec.short_halo) return;
  if (spec.scheme == MixedScheme::none || spec.inner.precision == Precision::double_precision)
    problems.add("solver.halo_precision",
                 "\"half\" needs a mixed scheme with a lower inner precision; there is none here");
}

void check_inner(Problems& problems, const SolverSettings& spec) {
  const auto& inner = spec.inner.precision;
  if (spec.scheme == MixedScheme::none && inner)
    problems.add("solver.inner_precision",
                 "there is no inner solver with mixed = \"none\"; take \"reliable\" or \"defect\", or leave "
                 "the key out");
  if (inner == Precision::double_precision && spec.outer.precision == Precision::single_precision)
    problems.add("solver.inner_precision",
                 "found \"double\", which is above precision = \"single\" of the outer solver");
  if (spec.inner_tolerance && spec.scheme != MixedScheme::defect_correction)
    problems.add("solver.inner_tolerance", "needs mixed = \"defect\"; with reliable updates give delta");
}

void check_tolerance(Problems& problems, const SolverSettings& spec) {
  if (spec.outer.precision == Precision::single_precision && spec.tolerance < rounding_of_single)
    problems.add(
        "solver.tolerance",
        fmt::format("{} is out of reach in single precision; take at least {}, or precision = \"double\"",
                    spec.tolerance, rounding_of_single));
}

// Members of SolverSettings whose keys have other names.
std::string key_of(const std::string& parameter) {
  if (parameter == "outer.reconstruction") return "links";
  if (parameter == "inner.reconstruction") return "inner_links";
  return parameter == "multigrid" ? "preconditioner" : parameter;
}

// A rule on what does not fit the action; one key of `solver_keys` is at fault.
Rule action_rule(std::initializer_list<const char*> keys, const char* text,
                 std::vector<std::string> solver_keys) {
  return {keys, text, [solver_keys = std::move(solver_keys)](Problems& problems, const Settings& settings) {
            for (const auto& [parameter, what] :
                 faults_of(settings.get<SolverSettings>(), *action_of_any_mass(settings))) {
              const std::string key = key_of(parameter);
              if (std::find(solver_keys.begin(), solver_keys.end(), key) != solver_keys.end())
                problems.add({"solver", key}, what);
            }
          }};
}

void check_deflation(Problems& problems, const SolverSettings& spec, const DeflationFiles& files) {
  if (files.directory.empty()) {
    if (spec.modes) problems.missing("solver.deflation", "the directory of the eigenvectors that deflate");
    return;
  }
  for (const ParameterFault& fault : faults_of_deflation(spec)) problems.add("solver.deflation", fault.what);
}

Names<std::optional<Precision>> inner_precisions() {
  Names<std::optional<Precision>> names = {{"auto", std::nullopt}};
  for (const Precision precision : all_precisions) names.add(std::string(name_of(precision)), precision);
  return names;
}

}  // namespace

Table solver_table() {
  using Spec = SolverSettings;
  return {
      "solver",
      "The linear solves.",
      {choice(&Spec::method, "method",
              "Krylov method: conjugate gradients on the normal equations (cg minimises the residual, cgne "
              "the error), BiCGstab, GCR, or minimal residual iteration.",
              Names<SolverMethod>(solver_method_names))
           .such_as("\"bicgstab\"")
           .without("cg; gcr with multigrid"),
       optional_choice(
           &Spec::multigrid, "preconditioner",
           "multigrid: for Wilson, clover and domain-wall quarks, with far fewer iterations at "
           "light masses, after a setup on each gauge field. It preconditions gcr on the "
           "asymmetric Schur complement (domain walls have one form), with defect correction. The "
           "keys of [multigrid] are optional.",
           {{"none", std::nullopt}, {"multigrid", MultigridOptions()}}),
       choice(&Spec::preconditioning, "preconditioning",
              "Even-odd preconditioning: the symmetric or the asymmetric Schur complement on the even sites, "
              "or none, on all sites.",
              Names<Preconditioning>(preconditioning_names)),
       choice(&Spec::scheme, "mixed", "Mixed precision: reliable updates, defect correction, or none.",
              {{"reliable", MixedScheme::reliable_updates},
               {"defect", MixedScheme::defect_correction},
               {"none", MixedScheme::none}}),
       choice(&Spec::outer, &LinkStorage::precision, "precision",
              "Precision of solution and residual. The true residual is always checked in double precision.",
              {{"double", Precision::double_precision}, {"single", Precision::single_precision}}),
       field(&Spec::outer, &LinkStorage::reconstruction, "links",
             "Stored real numbers per link: 18, 12 or 8. 12 and 8 need links that are in SU(3) to the "
             "tolerance.")
           .within(8, 18),
       optional_choice(&Spec::inner, &InnerStorage::precision, "inner_precision",
                       "Precision of the inner operator. auto: half on a GPU, single on the host, if that is "
                       "lower than precision.",
                       inner_precisions()),
       field(&Spec::inner, &InnerStorage::reconstruction, "inner_links",
             "Stored real numbers per link of the inner operator: 18, 12 or 8. HISQ quarks always have 18.")
           .within(8, 18),
       field(&Spec::temporal_gauge, "temporal_gauge",
             "true: inner operators with 18 or 12 real numbers per link in single or half precision use "
             "temporal gauge, where time links are 1 except on the last slice. All results stay in the gauge "
             "of the field."),
       choice(&Spec::short_halo, "halo_precision",
              "Precision of the halos of inner operators in single or half precision. computing: as the "
              "operator computes; half: 16-bit numbers, about half the bytes. With half, the last bits of "
              "results depend on the process grid. The true residual still meets the tolerance.",
              {{"computing", false}, {"half", true}}),
       field(&Spec::delta, "delta",
             "Reliable updates: the residual is recomputed when it has fallen by this factor.")
           .between(0, 1),
       field(
           &Spec::inner_tolerance, "inner_tolerance",
           "Defect correction: factor by which the inner solve reduces the residual before it is recomputed.")
           .between(0, 1)
           .such_as("0.1")
           .without("0.1 if inner_precision is half, else 0.0001"),
       field(&Spec::restart, "restart", "GCR: number of directions before a restart.").within(1, 1000),
       field(&Spec::omega, "omega", "Minimal residual iteration: relaxation parameter.").between(0, 2),
       field(&Spec::tolerance, "tolerance",
             "Largest allowed true residual ||b - M x|| / ||b|| of each right-hand side, recomputed in "
             "double precision.")
           .between(0, 1),
       field(&Spec::slice_tolerance, "slice_tolerance",
             "Largest allowed ||(b - M x)(t)|| / ||x(t)|| on each time slice t. It bounds the error where "
             "the solution is small, for example for heavy quarks far from their source. A solution that "
             "misses this bound gets a correction by another solve.")
           .within(1e-12, 1)
           .such_as("1e-6")
           .without("no bound, and a warning above 0.001"),
       field(&Spec::max_iterations, "max_iterations",
             "Largest number of iterations of a right-hand side. If its residual has not fallen by a factor "
             "of 10, a fallback gets this number again.")
           .within(1, 1e9),
       field(&Spec::fallback, "fallback",
             "true: after stagnation, breakdown or divergence, the solve continues with a higher inner "
             "precision, then with defect correction, then with cg in one precision."),
       field(&DeflationFiles::directory, "deflation",
             "Directory of low modes, as FIELD.eig.lime. A job of type eigenvectors with the same action, "
             "preconditioning and links writes them. The modes deflate cg and cgne at the start of a solve, "
             "and when the residual has fallen by a factor of 1000.")
           .such_as("\"modes\"")
           .without("no deflation"),
       field(&Spec::modes, "deflation_modes", "Number of modes that deflate, from the lowest on.")
           .within(1, 1 << 16)
           .such_as("32")
           .without("all"),
       field(&Spec::columns, "columns",
             "Number of columns of a source that are solved together. More columns need more memory and less "
             "time. The key changes no result. It must divide the number of columns: 12, or 3 of staggered "
             "quarks.")
           .within(1, 12)
           .such_as("4")
           .without(
               "all columns, but with multigrid and for domain-wall quarks without deflation no more than "
               "memory has room for, and at most 256 slices of the fifth dimension in all")}};
}

std::optional<std::string> tolerance_warning(const Settings& settings) {
  const auto spec = settings.get<SolverSettings>();
  if (spec.outer.precision != Precision::single_precision ||
      spec.tolerance >= light_quarks * rounding_of_single)
    return std::nullopt;
  return fmt::format(
      "tolerance = {:g} in [solver] is near the rounding of single precision: light quarks may miss it, and "
      "precision = \"double\" does not",
      spec.tolerance);
}

std::vector<Rule> solver_rules() {
  return {{{"solver.mixed", "solver.precision", "solver.inner_precision", "solver.inner_tolerance"},
           "inner_precision needs a mixed solve, and must not be above precision. inner_tolerance needs "
           "defect correction.",
           check_inner},
          {{"solver.halo_precision", "solver.mixed", "solver.inner_precision"},
           "halo_precision needs a mixed solve with single or half inner precision.",
           check_halo},
          {{"solver.precision", "solver.tolerance"},
           "In single precision the tolerance must be at least 1e-7. Below 1e-6, only heavy quarks are sure "
           "to reach it.",
           check_tolerance}};
}

std::vector<Rule> dirac_rules(MassKeys masses) {
  const std::vector<Rule> of_solver = {
      preconditioning_rule("solver"),
      action_rule({"action.type", "action.n_s", "solver.columns"},
                  "columns must divide the number of columns of a source.", {"columns"}),
      action_rule({"action.type", "solver.preconditioner", "solver.method", "solver.preconditioning"},
                  "Multigrid needs Wilson, clover or domain-wall quarks, even-odd preconditioning, and gcr.",
                  {"preconditioner", "method", "preconditioning"}),
      {{"solver.deflation", "solver.deflation_modes", "solver.method", "solver.preconditioner",
        "solver.preconditioning"},
       "Deflation needs cg or cgne and even-odd preconditioning, without multigrid.",
       check_deflation},
      action_rule(
          {"solver.links", "solver.inner_links", "action.type"},
          "A link has 18, 12 or 8 real numbers. HISQ quarks have 18, because their long links are in U(3).",
          {"links", "inner_links"})};
  return joined<Rule>(
      {action_rules(masses, all_discretisations()), of_solver, solver_rules(), multigrid_rules()});
}

bool has_multigrid(const Settings& settings) {
  const KeyName key{"solver", "preconditioner"};
  const Value* value = settings.schema().find(key.table, key.key) == nullptr ? nullptr : settings.find(key);
  return value != nullptr && *value == Value(std::string("multigrid"));
}

}  // namespace plaq::settings
