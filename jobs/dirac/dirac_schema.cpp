// Keys and rules of [action] and [solver].
#include <fmt/format.h>

#include <algorithm>

#include "jobs/dirac/dirac_keys.hpp"

namespace plaq::jobs {
namespace {

void check_mass(const JobFile& job, std::vector<Problem>& problems) {
  const bool mass = job.has("action", "mass"), kappa = job.has("action", "kappa");
  if (mass && kappa)
    problems.push_back(
        {{"action", "kappa"},
         "'kappa' in [action]: 'mass' is given as well; give one of them (kappa = 1/(2(4 + mass)))"});
  if (!mass && !kappa)
    problems.push_back(
        {{"action", "kappa"},
         "missing key 'mass' or 'kappa' in [action]: the quark mass; for example kappa = 0.12"});
}

// The list that is given has no mass twice.
void check_masses(const JobFile& job, std::vector<Problem>& problems) {
  const bool masses = job.has("action", "masses"), kappas = job.has("action", "kappas");
  if (masses && kappas)
    problems.push_back({{"action", "kappas"},
                        "'kappas' in [action]: 'masses' is given as well; give one of them (kappa = 1/(2(4 + "
                        "mass)))"});
  if (!masses && !kappas)
    problems.push_back(
        {{"action", "kappas"},
         "missing key 'masses' or 'kappas' in [action]: the quark masses; for example kappas = "
         "[0.12, 0.125]"});
  for (const char* key : {"masses", "kappas"}) {
    if (!job.has("action", key)) continue;
    std::vector<double> sorted = job.reals("action", key);
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      problems.push_back({{"action", key}, fmt::format("'{}' in [action]: {} is listed twice", key, *twice)});
  }
}

void check_halo(const JobFile& job, std::vector<Problem>& problems) {
  if (job.string("solver", "halo_precision") != "half") return;
  if (job.string("solver", "mixed") == "none" || job.string("solver", "inner_precision") == "double")
    problems.push_back({{"solver", "halo_precision"},
                        "'halo_precision' in [solver]: \"half\" is for a lower precision inside of another; "
                        "here there is none"});
}

void check_boundary(const JobFile& job, std::vector<Problem>& problems) {
  for (const auto sign : job.integers("action", "boundary"))
    if (sign == 0)
      problems.push_back({{"action", "boundary"}, "'boundary' in [action]: found 0, each must be 1 or -1"});
}

void check_clover(const JobFile& job, std::vector<Problem>& problems) {
  const bool clover = job.string("action", "type") == "clover";
  const auto has = [&](const char* key) { return job.has("action", key); };
  const auto complain = [&](const char* key, const std::string& what) {
    problems.push_back({{"action", key}, what});
  };
  if (!clover) {
    for (const char* key : {"c_sw", "c_r", "c_t"})
      if (has(key))
        complain(key, fmt::format("'{}' in [action]: is of the clover term; for it type = \"clover\"", key));
    return;
  }
  const bool either = has("c_r") || has("c_t");
  if (has("c_sw") && either)
    return complain("c_sw",
                    "'c_sw' in [action]: 'c_r' or 'c_t' is given as well; give c_sw, or both of them");
  if (!has("c_sw") && !either)
    return complain("c_sw",
                    "missing key 'c_sw' in [action]: the coefficient of the clover term, or c_r and c_t on "
                    "anisotropic lattices; for example c_sw = 1.0");
  if (either && has("c_r") != has("c_t")) {
    const char* missing = has("c_r") ? "c_t" : "c_r";
    complain(missing, fmt::format("missing key '{}' in [action]: c_r and c_t come together", missing));
  }
  if (has("c_sw") && job.real("action", "xi") != 1)
    complain("c_sw", fmt::format("'c_sw' in [action]: is for xi = 1, here it is {}; give c_r and c_t",
                                 job.real("action", "xi")));
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
  constexpr double reachable = 1e-7;
  const double tolerance = job.real("solver", "tolerance");
  if (job.string("solver", "precision") == "single" && tolerance < reachable)
    problems.push_back(
        {{"solver", "tolerance"},
         fmt::format("'tolerance' in [solver]: {} is out of reach in single precision; at least "
                     "{}, or precision = \"double\"",
                     tolerance, reachable)});
}

std::vector<std::string> texts(const auto& names) { return {std::begin(names), std::end(names)}; }

std::vector<Key> mass_keys(MassKeys masses) {
  if (masses == MassKeys::list)
    return {key::reals("masses", "Bare quark masses in lattice units; these or kappas.")
                .between(-4, 1000)
                .not_empty()
                .such_as("[0.1666667, 0.05]")
                .without("masses or kappas needed"),
            key::reals("kappas", "Hopping parameters 1/(2(4 + mass)); these or masses.")
                .between(0, 1000)
                .not_empty()
                .such_as("[0.12, 0.125]")
                .without("masses or kappas needed")
                .show()};
  return {key::real("mass", "Bare quark mass in lattice units; this or kappa.")
              .between(-4, 1000)
              .such_as("0.1666667")
              .without("mass or kappa needed"),
          key::real("kappa", "Hopping parameter 1/(2(4 + mass)); this or mass.")
              .between(0, 1000)
              .such_as("0.12")
              .without("mass or kappa needed")
              .show()};
}

}  // namespace

Table action_table(MassKeys masses) {
  Table table = {
      "action",
      "The Dirac operator.",
      {key::string("type", "Discretisation: Wilson, or Wilson with a clover term.")
           .one_of({"wilson", "clover"})
           .otherwise("wilson"),
       key::real("c_sw", "Coefficient of the clover term (tree level: 1).")
           .within(0, 1000)
           .such_as("1.0")
           .without("needed for clover, or c_r and c_t"),
       key::real("c_r",
                 "Of the clover term of an anisotropic action: planes in space have the coefficient c_r/xi "
                 "...")
           .within(0, 1000)
           .such_as("0.91")
           .without("c_sw"),
       key::real("c_t", "... and planes with time c_t.").within(0, 1000).such_as("1.07").without("c_sw"),
       key::real("xi", "Anisotropy a_s/a_t of the lattice.").between(0, 1000).otherwise(1.0),
       key::real("nu", "Coefficient of the spatial hops of an anisotropic action.")
           .between(0, 1000)
           .otherwise(1.0),
       key::integers("boundary", "Sign of the quark field around the lattice in x, y, z, t: 1 or -1.")
           .of_length(4)
           .within(-1, 1)
           .otherwise(std::vector<std::int64_t>{1, 1, 1, -1})}};
  const auto keys = mass_keys(masses);
  table.keys.insert(table.keys.begin() + 1, keys.begin(), keys.end());
  return table;
}

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
           .one_of({"auto", "double", "single", "half"})
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
           .otherwise(true)}};
}

std::vector<Rule> action_rules(MassKeys masses) {
  const Rule one = {{{"action", "mass"}, {"action", "kappa"}},
                    "One of mass and kappa must be given, not both: kappa = 1/(2(4 + mass)).",
                    check_mass};
  const Rule list = {{{"action", "masses"}, {"action", "kappas"}},
                     "One of masses and kappas must be given, not both, with no mass twice: kappa = 1/(2(4 + "
                     "mass)).",
                     check_masses};
  return {masses == MassKeys::one ? one : list,
          {{{"action", "boundary"}}, "Each sign must be 1 or -1, not 0.", check_boundary},
          {{{"action", "type"}, {"action", "c_sw"}, {"action", "c_r"}, {"action", "c_t"}, {"action", "xi"}},
           "A clover term needs c_sw (with xi = 1), or c_r and c_t; without one there is none of them.",
           check_clover}};
}

std::vector<Rule> dirac_rules() {
  std::vector<Rule> rules = action_rules();
  const std::vector<Rule> of_solver = {
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
       "In single precision the tolerance must be at least 1e-7.",
       check_tolerance}};
  rules.insert(rules.end(), of_solver.begin(), of_solver.end());
  return rules;
}

}  // namespace plaq::jobs
