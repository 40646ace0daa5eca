// The rules of [action].
#include <fmt/format.h>

#include <algorithm>

#include "core/system/error.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/action_schema.hpp"

namespace plaq::jobs {
namespace {

void check_mass_of(const JobFile& job, const char* key, double mass, std::vector<Problem>& problems) {
  if (quark_kind(job) == QuarkKind::staggered && !(mass > 0))
    problems.push_back(
        {{"action", key},
         fmt::format("'{}' in [action]: found {}, must be greater than 0 for staggered quarks", key, mass)});
}

void check_mass(const JobFile& job, std::vector<Problem>& problems) {
  const bool mass = job.has("action", "mass"), kappa = job.has("action", "kappa");
  if (mass && kappa)
    problems.push_back(
        {{"action", "kappa"},
         "'kappa' in [action]: 'mass' is given as well; give one of them (kappa = 1/(2(4 + mass)))"});
  if (!mass && !kappa)
    problems.push_back(
        {{"action", "kappa"},
         quark_kind(job) == QuarkKind::wilson
             ? "missing key 'mass' or 'kappa' in [action]: the quark mass; for example kappa = 0.12"
             : "missing key 'mass' in [action]: the quark mass; for example mass = 0.02"});
  if (mass) check_mass_of(job, "mass", job.real("action", "mass"), problems);
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
         quark_kind(job) == QuarkKind::wilson
             ? "missing key 'masses' or 'kappas' in [action]: the quark masses; for example kappas = "
               "[0.12, 0.125]"
             : "missing key 'masses' in [action]: the quark masses; for example masses = [0.02, 0.05]"});
  if (masses)
    for (const double mass : job.reals("action", "masses")) check_mass_of(job, "masses", mass, problems);
  for (const char* key : {"masses", "kappas"}) {
    if (!job.has("action", key)) continue;
    std::vector<double> sorted = job.reals("action", key);
    std::sort(sorted.begin(), sorted.end());
    if (const auto twice = std::adjacent_find(sorted.begin(), sorted.end()); twice != sorted.end())
      problems.push_back({{"action", key}, fmt::format("'{}' in [action]: {} is listed twice", key, *twice)});
  }
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

struct Belongs {
  const char* key;
  std::vector<const char*> types;
  const char* what;
};

const std::vector<Belongs>& belongings() {
  static const std::vector<Belongs> all = {
      {"kappa", {"wilson", "clover"}, "Wilson and clover quarks; give mass"},
      {"kappas", {"wilson", "clover"}, "Wilson and clover quarks; give masses"},
      {"mass_convention", {"staggered", "asqtad"}, "staggered quarks"},
      {"u0", {"asqtad"}, "type = \"asqtad\""},
      {"variant", {"domain_wall"}, "type = \"domain_wall\""},
      {"n_s", {"domain_wall"}, "type = \"domain_wall\""},
      {"m0", {"domain_wall"}, "type = \"domain_wall\""},
      {"b5", {"domain_wall"}, "type = \"domain_wall\""},
      {"c5", {"domain_wall"}, "type = \"domain_wall\""},
      {"bounds", {"domain_wall"}, "type = \"domain_wall\""}};
  return all;
}

// Keys of another discretisation than the job's.
void check_belongs(const JobFile& job, std::vector<Problem>& problems) {
  const std::string& type = job.string("action", "type");
  for (const Belongs& one : belongings()) {
    if (job.schema().find("action", one.key) == nullptr || !job.has("action", one.key)) continue;
    if (std::find(one.types.begin(), one.types.end(), type) == one.types.end())
      problems.push_back({{"action", one.key}, fmt::format("'{}' in [action]: is of {}", one.key, one.what)});
  }
  if (quark_kind(job) == QuarkKind::wilson) return;
  for (const char* key : {"xi", "nu"})
    if (job.real("action", key) != 1)
      problems.push_back(
          {{"action", key}, fmt::format("'{}' in [action]: is of Wilson and clover quarks alone", key)});
}

void check_domain_wall(const JobFile& job, std::vector<Problem>& problems) {
  if (quark_kind(job) != QuarkKind::domain_wall) return;
  const auto complain = [&](const char* key, const std::string& what) {
    problems.push_back({{"action", key}, what});
  };
  const std::size_t before = problems.size();
  const std::string variant = job.optional_string("action", "variant").value_or("shamir");
  if (!job.has("action", "n_s"))
    complain("n_s", "missing key 'n_s' in [action]: the extent of the fifth dimension; for example n_s = 12");
  for (const char* key : {"b5", "c5"}) {
    if (variant == "moebius" && !job.has("action", key))
      complain(key,
               fmt::format("missing key '{}' in [action]: of variant = \"moebius\"; for example b5 = 1.5 "
                           "and c5 = 0.5",
                           key));
    if (variant != "moebius" && job.has("action", key))
      complain(key, fmt::format("'{}' in [action]: is of variant = \"moebius\"", key));
  }
  if (job.has("action", "bounds")) {
    const auto& bounds = job.reals("action", "bounds");
    if (variant != "optimal") complain("bounds", "'bounds' in [action]: is of variant = \"optimal\"");
    if (!(bounds[0] <= bounds[1]))
      complain("bounds", fmt::format("'bounds' in [action]: {} is above {}", bounds[0], bounds[1]));
  }
  const bool one = job.schema().find("action", "masses") == nullptr;
  if (problems.size() > before || !job.has("action", one ? "mass" : "masses")) return;
  try {  // the same with measured bounds as with any others
    for (const ActionParameters& each : actions_of_masses(job))
      std::get<DomainWallChoice>(each).parameters(std::pair{0.1, 1.0}).check_even_odd();
  } catch (const Error& error) {
    complain("n_s", fmt::format("'n_s' in [action]: {}", error.what()));
  }
}

}  // namespace

QuarkKind quark_kind(const JobFile& job) {
  const std::string& type = job.string("action", "type");
  return type == "domain_wall"                     ? QuarkKind::domain_wall
         : type == "staggered" || type == "asqtad" ? QuarkKind::staggered
                                                   : QuarkKind::wilson;
}

void check_preconditioning(const JobFile& job, const char* table, std::vector<Problem>& problems) {
  if (quark_kind(job) != QuarkKind::wilson && job.string(table, "preconditioning") == "even-odd-asymmetric")
    problems.push_back({{table, "preconditioning"},
                        fmt::format("'preconditioning' in [{}]: \"even-odd-asymmetric\" is of Wilson and "
                                    "clover quarks; \"even-odd\" is that of {} ones",
                                    table, job.string("action", "type"))});
}

std::vector<Rule> action_rules(MassKeys masses, Actions actions) {
  const Rule one = {{{"action", "mass"}, {"action", "kappa"}, {"action", "type"}},
                    "One of mass and kappa must be given, not both: kappa = 1/(2(4 + mass)).",
                    check_mass};
  const Rule list = {{{"action", "masses"}, {"action", "kappas"}, {"action", "type"}},
                     "One of masses and kappas must be given, not both, with no mass twice: kappa = 1/(2(4 + "
                     "mass)).",
                     check_masses};
  std::vector<Rule> rules = {
      masses == MassKeys::one ? one : list,
      {{{"action", "boundary"}}, "Each sign must be 1 or -1, not 0.", check_boundary},
      {{{"action", "type"}, {"action", "c_sw"}, {"action", "c_r"}, {"action", "c_t"}, {"action", "xi"}},
       "A clover term needs c_sw (with xi = 1), or c_r and c_t; without one there is none of them.",
       check_clover}};
  if (actions == Actions::wilson) return rules;
  rules.push_back({{{"action", "type"}, {"action", "xi"}, {"action", "nu"}},
                   "Keys of [action] are of the discretisation that they name.",
                   check_belongs});
  rules.push_back({{{"action", "type"},
                    {"action", masses == MassKeys::one ? "mass" : "masses"},
                    {"action", "variant"},
                    {"action", "n_s"},
                    {"action", "m0"},
                    {"action", "b5"},
                    {"action", "c5"},
                    {"action", "bounds"}},
                   "Domain walls need n_s, Moebius ones b5 and c5 as well; their even-odd form must exist "
                   "(it does not for odd n_s, equal weights and mass 1).",
                   check_domain_wall});
  return rules;
}

}  // namespace plaq::jobs
