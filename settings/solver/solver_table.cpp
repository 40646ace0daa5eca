// Keys and rules of [solver].
#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/field/storages.hpp"
#include "core/operator/active_set.hpp"
#include "quarks/solve/solver_faults.hpp"
#include "settings/action/discretisation.hpp"
#include "settings/solver/multigrid_table.hpp"
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
                 "\"half\" is for a lower precision inside of another; here there is none");
}

void check_inner(Problems& problems, const SolverSettings& spec) {
  const auto& inner = spec.inner.precision;
  if (spec.scheme == MixedScheme::none && inner)
    problems.add("solver.inner_precision",
                 "nothing is inside with mixed = \"none\"; \"reliable\" or \"defect\" use it");
  if (inner == Precision::double_precision && spec.outer.precision == Precision::single_precision)
    problems.add("solver.inner_precision", "found \"double\", but precision = \"single\" is outside of it");
  if (spec.inner_tolerance && spec.scheme != MixedScheme::defect_correction)
    problems.add("solver.inner_tolerance", "is of mixed = \"defect\"; reliable updates have delta");
}

void check_tolerance(Problems& problems, const SolverSettings& spec) {
  if (spec.outer.precision == Precision::single_precision && spec.tolerance < rounding_of_single)
    problems.add("solver.tolerance",
                 fmt::format("{} is out of reach in single precision; at least {}, or precision = \"double\"",
                             spec.tolerance, rounding_of_single));
}

// Members of SolverSettings whose keys have other names.
std::string key_of(const std::string& parameter) {
  if (parameter == "outer.reals") return "links";
  if (parameter == "inner.reals") return "inner_links";
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
    if (spec.modes) problems.missing("solver.deflation", "where the eigenvectors are that deflate");
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
              "Conjugate gradients on the normal equations (cg: least residual, cgne: least error), "
              "BiCGstab, GCR, or minimal residual iteration.",
              Names<SolverMethod>(solver_method_names))
           .such_as("\"bicgstab\"")
           .without("cg; with multigrid gcr"),
       optional_choice(
           &Spec::multigrid, "preconditioner",
           "multigrid, of Wilson and clover quarks: far fewer iterations near the critical mass, after a "
           "setup on each gauge field. It works in gcr on the asymmetric Schur complement, with defect "
           "correction in place of reliable updates. [multigrid] has its keys, none of which is needed.",
           {{"none", std::nullopt}, {"multigrid", MultigridOptions()}}),
       choice(
           &Spec::preconditioning, "preconditioning",
           "Solve on the even sites alone, by the symmetric or the asymmetric Schur complement, or on all.",
           Names<Preconditioning>(preconditioning_names)),
       choice(&Spec::scheme, "mixed",
              "A lower precision inside the one of the result: reliable updates of one search space, defect "
              "correction, or none.",
              {{"reliable", MixedScheme::reliable_updates},
               {"defect", MixedScheme::defect_correction},
               {"none", MixedScheme::none}}),
       choice(&Spec::outer, &LinkStorage::precision, "precision",
              "Precision of solution and residual; the true residual is always checked in double.",
              {{"double", Precision::double_precision}, {"single", Precision::single_precision}}),
       field(&Spec::outer, &LinkStorage::reals, "links",
             "Real numbers that a link is stored as, in this precision: 18, 12 or 8; less than 18 needs "
             "links that are SU(3) to the tolerance.")
           .within(8, 18),
       optional_choice(
           &Spec::inner, &InnerStorage::precision, "inner_precision",
           "Precision inside; auto: half on a GPU, single on the host, if that is lower than precision.",
           inner_precisions()),
       field(&Spec::inner, &InnerStorage::reals, "inner_links",
             "The same as links, inside; hisq quarks have 18, also where this says 12.")
           .within(8, 18),
       field(&Spec::temporal_gauge, "temporal_gauge",
             "Inner operators of 18 or 12 reals in single or half precision are kept in temporal gauge: time "
             "links are 1 but on the last slice. Nothing else is seen in another gauge."),
       choice(&Spec::short_halo, "halo_precision",
              "Faces between ranks, of inner operators in single or half precision: as computed, or half, "
              "16-bit numbers, about half the bytes. With half, bits of results depend on the process grid; "
              "the true residual does not.",
              {{"computing", false}, {"half", true}}),
       field(&Spec::delta, "delta",
             "Reliable updates: the residual is recomputed whenever it has fallen by this factor.")
           .between(0, 1),
       field(&Spec::inner_tolerance, "inner_tolerance",
             "Defect correction: by how much the residual is brought down before it is recomputed.")
           .between(0, 1)
           .such_as("0.1")
           .without("0.1 with half inside, 0.0001 else"),
       field(&Spec::restart, "restart", "GCR: directions that are kept until it restarts.").within(1, 1000),
       field(&Spec::omega, "omega", "Minimal residual iteration: relaxation.").between(0, 2),
       field(&Spec::tolerance, "tolerance",
             "Largest true residual ||b - M x|| / ||b|| of each right-hand side, recomputed in double "
             "precision.")
           .between(0, 1),
       field(&Spec::slice_tolerance, "slice_tolerance",
             "Largest ||(b - M x)(t)|| / ||x(t)|| on each time slice t: how well the solution is known where "
             "it has become "
             "small, as of heavy quarks far from their source. What misses it is solved for again and added.")
           .within(1e-12, 1)
           .such_as("1e-6")
           .without("any, and a warning above 0.001"),
       field(&Spec::max_iterations, "max_iterations",
             "Iterations after which a right-hand side is given up; where its residual has not fallen by a "
             "decade, a fallback has as many.")
           .within(1, 1e9),
       field(&Spec::fallback, "fallback",
             "Where a solver stagnates, breaks down or gets lost go on with a higher precision inside, then "
             "with defect correction, then with cg alone."),
       field(
           &DeflationFiles::directory, "deflation",
           "Directory where low modes of each gauge field are found, as FIELD.eig.lime: a job eigenvectors "
           "of the same action, preconditioning and links has written them. They deflate cg and cgne, at the "
           "start of a solve and whenever its residual has fallen by 1000.")
           .such_as("\"modes\"")
           .without("no deflation"),
       field(&Spec::modes, "deflation_modes", "How many of these modes deflate, the lowest first.")
           .within(1, 1 << 16)
           .such_as("32")
           .without("all"),
       field(&Spec::columns, "columns",
             "Columns of a source that are solved together, which takes more memory and less time than one "
             "after the other; changes no result. Must divide their number: 12, of staggered quarks 3.")
           .within(1, 12)
           .such_as("4")
           .without("all, but of domain walls no more than have 256 slices together")}};
}

std::optional<std::string> doubt_of_tolerance(const Settings& settings) {
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
  return {
      {{"solver.mixed", "solver.precision", "solver.inner_precision", "solver.inner_tolerance"},
       "The precision inside is of mixed solves and not above the one outside; inner_tolerance is of defect "
       "correction.",
       check_inner},
      {{"solver.halo_precision", "solver.mixed", "solver.inner_precision"},
       "halo_precision is of mixed solves with single or half precision inside.",
       check_halo},
      {{"solver.precision", "solver.tolerance"},
       "In single precision the tolerance must be at least 1e-7, and below 1e-6 heavy quarks alone are sure "
       "to reach it.",
       check_tolerance}};
}

std::vector<Rule> dirac_rules(MassKeys masses) {
  const std::vector<Rule> of_solver = {
      preconditioning_rule("solver"),
      action_rule({"action.type", "action.n_s", "solver.columns"},
                  "Columns that are solved together must divide those of a source.", {"columns"}),
      action_rule({"action.type", "solver.preconditioner", "solver.method", "solver.preconditioning"},
                  "Multigrid is of Wilson and clover quarks, on the even sites, in gcr.",
                  {"preconditioner", "method", "preconditioning"}),
      {{"solver.deflation", "solver.deflation_modes", "solver.method", "solver.preconditioner",
        "solver.preconditioning"},
       "Deflation is of cg and cgne on the even sites, without multigrid.",
       check_deflation},
      action_rule({"solver.links", "solver.inner_links", "action.type"},
                  "A link is 18, 12 or 8 reals; of hisq quarks 18, since its long links are of U(3).",
                  {"links", "inner_links"})};
  return joined<Rule>(
      {action_rules(masses, all_discretisations()), of_solver, solver_rules(), multigrid_rules()});
}

}  // namespace plaq::settings
