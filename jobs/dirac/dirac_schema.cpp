// Keys and rules of [solver].
#include <fmt/format.h>

#include <algorithm>

#include "core/operator/active_set.hpp"
#include "jobs/common/storages.hpp"
#include "jobs/dirac/dirac_keys.hpp"

namespace plaq::jobs {
namespace {

// What rounding x to single precision leaves of ||b - M x|| / ||b||, at the least: with ||M|| ||x|| / ||b|| of a
// few, as for heavy quarks. That factor grows as the quarks get lighter, and with it what can be reached.
constexpr double rounding_of_single = 1e-7, light_quarks = 10;

void check_halo(const JobFile& job, std::vector<Problem>& problems) {
  if (job.string("solver", "halo_precision") != "half") return;
  if (job.string("solver", "mixed") == "none" || job.string("solver", "inner_precision") == "double")
    problems.push_back({{"solver", "halo_precision"},
                        "'halo_precision' in [solver]: \"half\" is for a lower precision inside of another; "
                        "here there is none"});
}

void check_links(const JobFile& job, std::vector<Problem>& problems) {
  for (const char* key : {"links", "inner_links"})
    if (const auto reals = job.integer("solver", key); reals != 18 && reals != 12 && reals != 8)
      problems.push_back(
          {{"solver", key}, fmt::format("'{}' in [solver]: found {}, must be 18, 12 or 8", key, reals)});
}

void check_inner(const JobFile& job, std::vector<Problem>& problems) {
  const std::string &inner = job.string("solver", "inner_precision"), &mixed = job.string("solver", "mixed");
  const auto complain = [&](const char* key, const char* what) {
    problems.push_back({{"solver", key}, fmt::format("'{}' in [solver]: {}", key, what)});
  };
  if (mixed == "none" && inner != "auto")
    complain("inner_precision", "nothing is inside with mixed = \"none\"; \"reliable\" or \"defect\" use it");
  if (inner == "double" && job.string("solver", "precision") == "single")
    complain("inner_precision", "found \"double\", but precision = \"single\" is outside of it");
  if (job.has("solver", "inner_tolerance") && mixed != "defect")
    complain("inner_tolerance", "is of mixed = \"defect\"; reliable updates have delta");
}

void check_tolerance(const JobFile& job, std::vector<Problem>& problems) {
  const double tolerance = job.real("solver", "tolerance");
  if (job.string("solver", "precision") == "single" && tolerance < rounding_of_single)
    problems.push_back(
        {{"solver", "tolerance"},
         fmt::format("'tolerance' in [solver]: {} is out of reach in single precision; at least "
                     "{}, or precision = \"double\"",
                     tolerance, rounding_of_single)});
}

std::vector<std::string> texts(const auto& names) { return {std::begin(names), std::end(names)}; }

void check_columns(const JobFile& job, std::vector<Problem>& problems) {
  const auto together = job.optional_integer("solver", "columns");
  if (!together) return;
  const int columns = quark_kind(job) == QuarkKind::staggered ? 3 : 12;
  const auto slices = job.optional_integer("action", "n_s").value_or(1);
  if (columns % *together != 0)
    problems.push_back(
        {{"solver", "columns"},
         fmt::format("'columns' in [solver]: {} columns of a source cannot be solved {} at a time", columns,
                     *together)});
  else if (*together * slices > ActiveSet::capacity)
    problems.push_back({{"solver", "columns"},
                        fmt::format("'columns' in [solver]: {} with {} slices each are more than {}",
                                    *together, slices, ActiveSet::capacity)});
}

std::vector<std::string> inner_precisions() {
  std::vector<std::string> names = precision_names();
  names.insert(names.begin(), "auto");
  return names;
}

}  // namespace

Table solver_table() {
  return {
      "solver",
      "The linear solves.",
      {key::string("method",
                   "Conjugate gradients on the normal equations (cg: least residual, cgne: least error), "
                   "BiCGstab, GCR, or minimal residual iteration.")
           .one_of(texts(solver_method_names))
           .otherwise("cg"),
       key::string(
           "preconditioning",
           "Solve on the even sites alone, by the symmetric or the asymmetric Schur complement, or on "
           "all.")
           .one_of(texts(preconditioning_names))
           .otherwise("even-odd"),
       key::string("mixed",
                   "A lower precision inside the one of the result: reliable updates of one search space, "
                   "defect correction, or none.")
           .one_of({"reliable", "defect", "none"})
           .otherwise("reliable"),
       key::string("precision",
                   "Precision of solution and residual; the true residual is always checked in double.")
           .one_of({"double", "single"})
           .otherwise("double"),
       key::integer(
           "links",
           "Real numbers that a link is stored as, in this precision: 18, 12 or 8; less than 18 needs "
           "links that are SU(3) to the tolerance.")
           .within(8, 18)
           .otherwise(18),
       key::string("inner_precision",
                   "Precision inside; auto: half on a GPU, single on the host, if that is lower than "
                   "precision.")
           .one_of(inner_precisions())
           .otherwise("auto"),
       key::integer("inner_links", "The same as links, inside.").within(8, 18).otherwise(12),
       key::flag(
           "temporal_gauge",
           "Inner operators of 18 or 12 reals in single or half precision are kept in temporal gauge: time "
           "links are 1 but on the last slice. Nothing else is seen in another gauge.")
           .otherwise(true),
       key::string(
           "halo_precision",
           "Faces between ranks, of inner operators in single or half precision: as computed, or half, "
           "16-bit numbers, about half the bytes. With half, bits of results depend on the process "
           "grid; the true residual does not.")
           .one_of({"computing", "half"})
           .otherwise("computing"),
       key::real("delta",
                 "Reliable updates: the residual is recomputed whenever it has fallen by this factor.")
           .between(0, 1)
           .otherwise(0.1),
       key::real("inner_tolerance",
                 "Defect correction: by how much the residual is brought down before it is recomputed.")
           .between(0, 1)
           .such_as("0.1")
           .without("0.1 with half inside, 0.0001 else"),
       key::integer("restart", "GCR: directions that are kept until it begins anew.")
           .within(1, 1000)
           .otherwise(16),
       key::real("omega", "Minimal residual iteration: relaxation.").between(0, 2).otherwise(1.0),
       key::real("tolerance",
                 "Largest true residual ||b - M x|| / ||b|| of each right-hand side, recomputed in double "
                 "precision.")
           .between(0, 1)
           .otherwise(1e-10),
       key::integer("max_iterations",
                    "Iterations after which a right-hand side is given up; where its residual has not fallen "
                    "by a decade, a fallback has as many.")
           .within(1, 1e9)
           .otherwise(10000),
       key::flag("fallback",
                 "Where a solver stagnates, breaks down or gets lost go on with a higher precision inside, "
                 "then with defect correction, then with cg alone.")
           .otherwise(true),
       key::integer(
           "columns",
           "Columns of a source that are solved together, which takes more memory and less time than "
           "one after the other; changes no result. Must divide their number: 12, of staggered "
           "quarks 3.")
           .within(1, 12)
           .such_as("4")
           .without("all, but of domain walls no more than have 256 slices together")}};
}

std::optional<std::string> doubt_of_tolerance(const JobFile& job) {
  const double tolerance = job.real("solver", "tolerance");
  if (job.string("solver", "precision") != "single" || tolerance >= light_quarks * rounding_of_single)
    return std::nullopt;
  return fmt::format(
      "tolerance = {:g} in [solver] is near the rounding of single precision: light quarks may miss it, and "
      "precision = \"double\" does not",
      tolerance);
}

int columns_at_once(const JobFile& job, int columns, int slices) {
  if (const auto given = job.optional_integer("solver", "columns")) return static_cast<int>(*given);
  int most = columns;
  while (columns % most != 0 || most * slices > ActiveSet::capacity) --most;
  return most;
}

std::vector<Rule> dirac_rules() {
  std::vector<Rule> rules = action_rules(MassKeys::one, Actions::all);
  const std::vector<Rule> of_solver = {
      {{{"action", "type"}, {"solver", "preconditioning"}},
       "The asymmetric Schur complement is of Wilson and clover quarks.",
       [](const JobFile& job, std::vector<Problem>& problems) {
         check_preconditioning(job, "solver", problems);
       }},
      {{{"action", "type"}, {"action", "n_s"}, {"solver", "columns"}},
       "Columns that are solved together must divide those of a source.",
       check_columns},
      {{{"solver", "links"}, {"solver", "inner_links"}}, "A link is 18, 12 or 8 reals.", check_links},
      {{{"solver", "mixed"},
        {"solver", "precision"},
        {"solver", "inner_precision"},
        {"solver", "inner_tolerance"}},
       "The precision inside is of mixed solves and not above the one outside; inner_tolerance is of "
       "defect correction.",
       check_inner},
      {{{"solver", "halo_precision"}, {"solver", "mixed"}, {"solver", "inner_precision"}},
       "halo_precision is of mixed solves with single or half precision inside.",
       check_halo},
      {{{"solver", "precision"}, {"solver", "tolerance"}},
       "In single precision the tolerance must be at least 1e-7, and below 1e-6 heavy quarks alone are sure "
       "to "
       "reach it.",
       check_tolerance}};
  rules.insert(rules.end(), of_solver.begin(), of_solver.end());
  return rules;
}

}  // namespace plaq::jobs
