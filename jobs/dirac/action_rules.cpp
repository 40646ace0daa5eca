// The rules of [action].
#include <fmt/format.h>

#include <utility>

#include "core/system/error.hpp"
#include "jobs/dirac/action_keys.hpp"
#include "jobs/dirac/action_schema.hpp"
#include "jobs/dirac/solver_spec.hpp"

namespace plaq::jobs {
namespace {

bool is_wilson(const ActionKeys& keys) { return quark_kind(keys.type) == QuarkKind::wilson; }

void check_masses_of(const ActionKeys& keys, const char* key, const std::vector<double>& masses,
                     Problems& problems) {
  for (const double mass : masses)
    if (quark_kind(keys.type) == QuarkKind::staggered && !(mass > 0))
      problems.add({"action", key},
                   fmt::format("found {}, must be greater than 0 for staggered quarks", mass));
}

void check_mass(Problems& problems, const ActionKeys& keys) {
  if (keys.mass && keys.kappa)
    problems.add("action.kappa", "'mass' is given as well; give one of them (kappa = 1/(2(4 + mass)))");
  if (!keys.mass && !keys.kappa)
    problems.found.push_back(
        {"action.kappa",
         is_wilson(keys)
             ? "missing key 'mass' or 'kappa' in [action]: the quark mass; for example kappa = 0.12"
             : "missing key 'mass' in [action]: the quark mass; for example mass = 0.02"});
  if (keys.mass) check_masses_of(keys, "mass", {*keys.mass}, problems);
}

// The list that is given has no mass twice.
void check_masses(Problems& problems, const ActionKeys& keys) {
  if (keys.masses && keys.kappas)
    problems.add("action.kappas", "'masses' is given as well; give one of them (kappa = 1/(2(4 + mass)))");
  if (!keys.masses && !keys.kappas)
    problems.found.push_back(
        {"action.kappas",
         is_wilson(keys)
             ? "missing key 'masses' or 'kappas' in [action]: the quark masses; for example kappas = [0.12, "
               "0.125]"
             : "missing key 'masses' in [action]: the quark masses; for example masses = [0.02, 0.05]"});
  if (keys.masses) check_masses_of(keys, "masses", *keys.masses, problems);
  if (keys.masses) problems.add_twice("action.masses", *keys.masses);
  if (keys.kappas) problems.add_twice("action.kappas", *keys.kappas);
}

void check_boundary(Problems& problems, const ActionKeys& keys) {
  for (const int sign : keys.boundary)
    if (sign == 0) problems.add("action.boundary", "found 0, each must be 1 or -1");
}

void check_clover(Problems& problems, const ActionKeys& keys) {
  const bool c_sw = keys.c_sw.has_value(), c_r = keys.c_r.has_value(), c_t = keys.c_t.has_value();
  if (keys.type != ActionType::clover) {
    for (const auto& [key, given] : {std::pair{"c_sw", c_sw}, {"c_r", c_r}, {"c_t", c_t}})
      if (given) problems.add({"action", key}, "is of the clover term; for it type = \"clover\"");
    return;
  }
  if (c_sw && (c_r || c_t))
    return problems.add("action.c_sw", "'c_r' or 'c_t' is given as well; give c_sw, or both of them");
  if (!c_sw && !c_r && !c_t)
    return problems.missing(
        "action.c_sw",
        "the coefficient of the clover term, or c_r and c_t on anisotropic lattices; for example c_sw = 1.0");
  if (c_r != c_t) problems.missing({"action", c_r ? "c_t" : "c_r"}, "c_r and c_t come together");
  if (c_sw && keys.xi != 1)
    problems.add("action.c_sw", fmt::format("is for xi = 1, here it is {}; give c_r and c_t", keys.xi));
}

// Keys of another discretisation than the job's.
void check_belongs(Problems& problems, const ActionKeys& keys) {
  const auto expect = [&](bool belongs, const char* key, bool given, const std::string& of) {
    if (given && !belongs) problems.add({"action", key}, "is of " + of);
  };
  const QuarkKind kind = quark_kind(keys.type);
  const bool wilson = kind == QuarkKind::wilson, wall = kind == QuarkKind::domain_wall;
  const std::string walls = "type = \"domain_wall\"";
  expect(wilson, "kappa", keys.kappa.has_value(), "Wilson and clover quarks; give mass");
  expect(wilson, "kappas", keys.kappas.has_value(), "Wilson and clover quarks; give masses");
  expect(kind == QuarkKind::staggered, "mass_convention", keys.mass_convention.has_value(),
         "staggered quarks");
  expect(keys.type == ActionType::asqtad, "u0", keys.u0.has_value(), "type = \"asqtad\"");
  expect(wall, "variant", keys.variant.has_value(), walls);
  expect(wall, "n_s", keys.n_s.has_value(), walls);
  expect(wall, "m0", keys.m0.has_value(), walls);
  expect(wall, "b5", keys.b5.has_value(), walls);
  expect(wall, "c5", keys.c5.has_value(), walls);
  expect(wall, "bounds", keys.bounds.has_value(), walls);
  expect(wilson, "xi", keys.xi != 1, "Wilson and clover quarks alone");
  expect(wilson, "nu", keys.nu != 1, "Wilson and clover quarks alone");
}

void check_domain_wall(Problems& problems, const ActionKeys& keys) {
  if (keys.type != ActionType::domain_wall) return;
  const std::size_t before = problems.found.size();
  const WallKind variant = keys.variant.value_or(WallKind::shamir);
  const bool moebius = variant == WallKind::moebius;
  if (!keys.n_s) problems.missing("action.n_s", "the extent of the fifth dimension; for example n_s = 12");
  for (const auto& [key, given] : {std::pair{"b5", keys.b5.has_value()}, {"c5", keys.c5.has_value()}}) {
    if (moebius && !given)
      problems.missing({"action", key}, "of variant = \"moebius\"; for example b5 = 1.5 and c5 = 0.5");
    if (!moebius && given) problems.add({"action", key}, "is of variant = \"moebius\"");
  }
  if (keys.bounds) {
    const auto [smallest, largest] = *keys.bounds;
    if (variant != WallKind::optimal) problems.add("action.bounds", "is of variant = \"optimal\"");
    if (!(smallest <= largest))
      problems.add("action.bounds", fmt::format("{} is above {}", smallest, largest));
  }
  if (problems.found.size() > before || (!keys.mass && !keys.masses)) return;
  try {  // the same with measured bounds as with any others
    for (const ActionParameters& each : actions_of_masses(keys))
      std::get<DomainWallChoice>(each).parameters(std::pair{0.1, 1.0}).check_even_odd();
  } catch (const Error& error) {
    problems.add("action.n_s", error.what());
  }
}

}  // namespace

Rule preconditioning_rule(const std::string& table) {
  const std::string key = table + ".preconditioning";
  return {{"action.type", key.c_str()},
          "The asymmetric Schur complement is of Wilson and clover quarks.",
          [key](Problems& problems, const JobFile& job) {
            const ActionType type = job.get<ActionKeys>().type;
            if (quark_kind(type) != QuarkKind::wilson &&
                job.get<SolverSpec>().preconditioning == Preconditioning::even_odd_asymmetric)
              problems.add(
                  key.c_str(),
                  fmt::format("\"even-odd-asymmetric\" is of Wilson and clover quarks; \"even-odd\" is "
                              "that of {} ones",
                              action_type_names[static_cast<std::size_t>(type)]));
          }};
}

std::vector<Rule> action_rules(MassKeys masses, Actions actions) {
  const Rule one = {{"action.mass", "action.kappa", "action.type"},
                    "One of mass and kappa must be given, not both: kappa = 1/(2(4 + mass)).",
                    check_mass};
  const Rule list = {
      {"action.masses", "action.kappas", "action.type"},
      "One of masses and kappas must be given, not both, with no mass twice: kappa = 1/(2(4 + mass)).",
      check_masses};
  std::vector<Rule> rules = {
      masses == MassKeys::one ? one : list,
      {{"action.boundary"}, "Each sign must be 1 or -1, not 0.", check_boundary},
      {{"action.type", "action.c_sw", "action.c_r", "action.c_t", "action.xi"},
       "A clover term needs c_sw (with xi = 1), or c_r and c_t; without one there is none of them.",
       check_clover}};
  if (actions == Actions::wilson) return rules;
  rules.push_back({{"action.type", "action.xi", "action.nu"},
                   "Keys of [action] are of the discretisation that they name.",
                   check_belongs});
  rules.push_back({{"action.type", masses == MassKeys::one ? "action.mass" : "action.masses",
                    "action.variant", "action.n_s", "action.m0", "action.b5", "action.c5", "action.bounds"},
                   "Domain walls need n_s, Moebius ones b5 and c5 as well; their even-odd form must exist "
                   "(it does not for odd n_s, equal weights and mass 1).",
                   check_domain_wall});
  return rules;
}

}  // namespace plaq::jobs
