#include "settings/action/action_table.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "core/system/wording.hpp"
#include "quarks/solve/solver_settings.hpp"
#include "settings/action/action_keys.hpp"

namespace plaq::settings {
namespace {

bool all_have_kappa(const Discretisations& quarks) {
  return std::all_of(quarks.begin(), quarks.end(), [](const auto* one) { return one->has_kappa(); });
}

std::vector<Key> mass_keys(MassKeys masses, const Discretisations& quarks) {
  // Two forms: all quarks of the table have kappa, or Wilson and clover quarks alone.
  const bool kappa = all_have_kappa(quarks);
  const bool any = masses == MassKeys::any;
  const std::vector<Key> list = {
      field(&ActionKeys::masses, "masses",
            kappa ? "Bare quark masses in lattice units. Give either masses or kappas."
                  : "Bare quark masses in lattice units. Wilson and clover quarks may have kappas instead.")
          .between(-4, 1000)
          .not_empty()
          .such_as("[0.1666667, 0.05]")
          .without(any ? "one mass" : "masses or kappas is needed"),
      field(&ActionKeys::kappas, "kappas", "Hopping parameters 1/(2(4 + mass)), in place of masses.")
          .between(0, 1000)
          .not_empty()
          .such_as("[0.12, 0.125]")
          .without(any ? "one mass" : "masses or kappas is needed")};
  const std::vector<Key> one = {
      field(&ActionKeys::mass, "mass",
            kappa ? "Bare quark mass in lattice units. Give either mass or kappa."
                  : "Bare quark mass in lattice units. Wilson and clover quarks may have kappa instead.")
          .between(-4, 1000)
          .such_as("0.1666667")
          .without(any ? "one of mass, kappa, masses and kappas is needed" : "mass or kappa is needed"),
      field(&ActionKeys::kappa, "kappa", "Hopping parameter 1/(2(4 + mass)). Give either kappa or mass.")
          .between(0, 1000)
          .such_as("0.12")
          .without(any ? "one of mass, kappa, masses and kappas is needed" : "mass or kappa is needed")
          .show()};
  if (any) return joined<Key>({one, list});
  if (masses == MassKeys::one) return one;
  std::vector<Key> shown = list;
  shown.back().show();
  return shown;
}

void check_masses_of(Problems& problems, const ActionKeys& keys, const char* key,
                     const std::vector<double>& masses) {
  for (const double mass : masses)
    if (const std::string wrong = keys.type->wrong_mass(mass); !wrong.empty())
      problems.add({"action", key}, wrong);
}

void check_mass(Problems& problems, const ActionKeys& keys) {
  if (keys.mass && keys.kappa)
    problems.add("action.kappa", "'mass' is given as well; give one of them (kappa = 1/(2(4 + mass)))");
  if (!keys.mass && !keys.kappa)
    problems.found.push_back(
        {"action.kappa",
         fmt::format("missing {}: the quark mass; for example {}",
                     wording().key("action", keys.type->has_kappa() ? "mass' or 'kappa" : "mass"),
                     keys.type->has_kappa() ? "kappa = 0.12" : "mass = 0.02")});
  if (keys.mass) check_masses_of(problems, keys, "mass", {*keys.mass});
}

// The list that is given has no mass twice.
void check_masses(Problems& problems, const ActionKeys& keys) {
  if (keys.masses && keys.kappas)
    problems.add("action.kappas", "'masses' is given as well; give one of them (kappa = 1/(2(4 + mass)))");
  if (!keys.masses && !keys.kappas)
    problems.found.push_back(
        {"action.kappas",
         keys.type->has_kappa()
             ? "missing key 'masses' or 'kappas' in [action]: the quark masses; for example kappas = [0.12, "
               "0.125]"
             : "missing key 'masses' in [action]: the quark masses; for example masses = [0.02, 0.05]"});
  if (keys.masses) check_masses_of(problems, keys, "masses", *keys.masses);
  if (keys.masses) problems.add_twice("action.masses", *keys.masses);
  if (keys.kappas) problems.add_twice("action.kappas", *keys.kappas);
}

// One of the four keys.
void check_any_masses(Problems& problems, const ActionKeys& keys) {
  const bool one = keys.mass || keys.kappa, list = keys.has_many_masses();
  if (one && list)
    problems.add(
        keys.masses ? "action.masses" : "action.kappas",
        fmt::format("'{}' is given as well; give one mass, or a list of them", keys.mass ? "mass" : "kappa"));
  list ? check_masses(problems, keys) : check_mass(problems, keys);
}

void check_boundary(Problems& problems, const ActionKeys& keys) {
  const SpaceSigns space = keys.in_space();
  if (std::find(space.begin(), space.end(), 0) != space.end())
    problems.add("action.boundary", "found 0 in space, each sign must be 1 or -1 there");
  if (keys.boundary[3] == 0 && !keys.type->has_open_time())
    problems.add("action.boundary", fmt::format("found 0 in time, which is for Wilson and clover quarks; {} "
                                                "quarks have 1 or -1",
                                                keys.type->name()));
}

Rule own_keys_rule(const Discretisations& quarks) {
  return {{"action.type", "action.xi", "action.nu"},
          "Each key of [action] must belong to the discretisation.",
          [quarks](Problems& problems, const Settings& settings) {
            for (const Discretisation* one : quarks) one->expect_own_keys(problems, settings);
          }};
}

}  // namespace

Table action_table(MassKeys masses, const Discretisations& quarks) {
  std::vector<std::string> meanings;
  for (const Discretisation* one : quarks)
    if (!one->meaning().empty()) meanings.push_back(one->meaning());
  Table table{"action",
              "The Dirac operator.",
              {choice(&ActionKeys::type, "type",
                      fmt::format("Discretisation of the quarks: {}.",
                                  fmt::join(meanings, quarks.size() > 2 ? ", " : ", or ")),
                      names_of(quarks))}};
  const auto append = [&](const std::vector<Key>& keys) {
    table.keys.insert(table.keys.end(), keys.begin(), keys.end());
  };
  append(mass_keys(masses, quarks));
  for (const Discretisation* one : quarks) append(one->keys());
  append(
      {field(&ActionKeys::boundary, "boundary",
             "Boundary conditions of the quark field in x, y, z, t: 1 is periodic, -1 antiperiodic. 0 in t, "
             "for Wilson and clover quarks, is Dirichlet: M has no hops across the edge of the lattice. The "
             "clover term has all links.")
           .within(-1, 1)});
  return table;
}

namespace {

// A value that the key may have, other than its default.
RawValue other_value(const Key& key) {
  const double low = std::isfinite(key.range.low) ? key.range.low : 0;
  const double high = std::isfinite(key.range.high) ? key.range.high : low + 2;
  const auto* real = key.fallback ? std::get_if<double>(&*key.fallback) : nullptr;
  const double middle = (low + high) / 2;
  RawValue one;
  switch (is_list(key.type) ? element_of(key.type) : key.type) {
    case Type::flag:
      one = {!(key.fallback && std::get<bool>(*key.fallback))};
      break;
    case Type::integer:
      one = {static_cast<std::int64_t>(high)};
      break;
    case Type::real:
      one = {real != nullptr && *real == middle ? (middle + high) / 2 : middle};
      break;
    default:
      one = {key.choices.empty() ? std::string("name") : key.choices.back()};
  }
  if (!is_list(key.type)) return one;
  return {std::vector<RawValue>(std::max<std::size_t>(key.length, 1), one)};
}

}  // namespace

std::vector<Key> keys_of(const Discretisation& quarks, MassKeys masses) {
  const Schema schema{"", "", {action_table(masses, all_discretisations())}, {}};
  const std::vector<Key>& all = schema.tables.front().keys;
  std::vector<RawEntry> entries = {{{"action", "type"}, {quarks.name()}, {}, 0, {}}};
  for (const Key& key : all)
    if (key.name != "type") entries.push_back({{"action", key.name}, other_value(key), {}, 0, {}});
  const Settings every_key(schema, entries, quarks.name());
  Problems foreign;
  for (const Discretisation* one : all_discretisations()) one->expect_own_keys(foreign, every_key);
  std::vector<Key> mine;
  for (const Key& key : all)
    if (key.name != "type" &&
        std::none_of(foreign.found.begin(), foreign.found.end(),
                     [&](const Problem& problem) { return problem.where.key == key.name; }))
      mine.push_back(key);
  return mine;
}

std::vector<Rule> action_rules(MassKeys masses, const Discretisations& quarks) {
  const Rule one = {{"action.mass", "action.kappa", "action.type"},
                    "Either mass or kappa must be given, not both: kappa = 1/(2(4 + mass)).",
                    check_mass};
  const Rule list = {
      {"action.masses", "action.kappas", "action.type"},
      "One of masses and kappas must be given, not both, with no mass twice: kappa = 1/(2(4 + mass)).",
      check_masses};
  const Rule any = {
      {"action.mass", "action.kappa", "action.masses", "action.kappas", "action.type"},
      "One of mass, kappa, masses and kappas must be given, and no mass twice: kappa = 1/(2(4 + mass)).",
      check_any_masses};
  std::vector<Rule> rules = {masses == MassKeys::one    ? one
                             : masses == MassKeys::list ? list
                                                        : any,
                             {{"action.boundary", "action.type"},
                              "Each sign must be 1 or -1; Wilson and clover quarks may have 0 in time.",
                              check_boundary}};
  for (const Discretisation* each : quarks) {
    const std::vector<Rule> more = each->rules(masses);
    rules.insert(rules.end(), more.begin(), more.end());
  }
  rules.insert(rules.begin() + 2, own_keys_rule(quarks));
  return rules;
}

Rule preconditioning_rule(const std::string& table) {
  const std::string key = table + ".preconditioning";
  return {{"action.type", key.c_str()},
          "Only Wilson and clover quarks have the asymmetric Schur complement.",
          [key](Problems& problems, const Settings& settings) {
            if (const auto fault = validate_form(settings.get<SolverSettings>().preconditioning,
                                                 *action_of_any_mass(settings)))
              problems.add(key.c_str(), *fault);
          }};
}

}  // namespace plaq::settings
