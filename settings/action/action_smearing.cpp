#include "settings/action/action_table.hpp"

#include <fmt/format.h>

#include "settings/action/action_keys.hpp"

namespace plaq::settings {
namespace {

void check_action_smearing(Problems& problems, const ActionSmearing& keys, const Settings& settings) {
  check_link_smearing(problems, "action_smearing", keys.links);
  const Discretisation& type = *settings.get<ActionKeys>().type;
  if (keys.links.smears() && action_of_any_mass(settings)->smears_links())
    problems.add("action_smearing.type",
                 fmt::format("\"{}\" quarks smear their links themselves; leave it out", type.name()));
  if (!keys.thin_clover) return;
  if (!type.has_clover())
    problems.add("action_smearing.clover_links",
                 fmt::format("\"{}\" quarks have no clover term", type.name()));
  else if (!keys.links.smears())
    problems.add("action_smearing.clover_links",
                 "no links are smeared, so this key has no effect; leave it out, or set type");
}

}  // namespace

Table action_smearing_table() {
  constexpr auto links = &ActionSmearing::links;
  return {"action_smearing", "Smearing of the links of the Dirac operator.",
          joined<Key>({link_smearing_keys(links),
                       {choice(&ActionSmearing::thin_clover, "clover_links",
                               "Links of the clover term. smeared: the smeared links, as in the hopping "
                               "term; thin: the links of the gauge field (as in the SLiNC action).",
                               {{"smeared", false}, {"thin", true}})}})};
}

Rule action_smearing_rule() {
  return {
      {"action_smearing.type", "action_smearing.spatial", "action_smearing.steps", "action_smearing.alpha",
       "action_smearing.rho", "action_smearing.alpha1", "action_smearing.alpha2", "action_smearing.alpha3",
       "action_smearing.allow_unstable", "action_smearing.clover_links", "action.type"},
      std::string(
          "Improved staggered quarks smear their links themselves; clover_links is of clover quarks on "
          "smeared links. ") +
          link_smearing_rule_text,
      check_action_smearing};
}

Attributes smeared_action_attributes(const Settings& settings) {
  const auto keys = settings.get<ActionSmearing>();
  Attributes a = action_attributes(settings);
  add(a, link_smearing_attributes(keys.links));
  if (keys.links.smears() && settings.get<ActionKeys>().type->has_clover())
    a.emplace_back("clover_links", std::string(keys.thin_clover ? "thin" : "smeared"));
  return a;
}

}  // namespace plaq::settings
