#include "settings/gauge/link_smearing.hpp"

namespace plaq::settings {

const Names<LinkSmearingKind>& link_smearing_names() {
  using enum LinkSmearingKind;
  static const Names<LinkSmearingKind> names = {
      {"none", none}, {"ape", ape}, {"stout", stout}, {"hyp", hyp}, {"flow", flow}};
  return names;
}

void check_link_smearing(Problems& problems, const std::string& table, const LinkSmearing& smearing) {
  if (const auto fault = validate(smearing)) problems.add({table, fault->parameter}, fault->what);
}

Table link_smearing_table(const std::string& use) {
  return {"link_smearing", "Smearing of the links " + use + ".", link_smearing_keys()};
}

namespace {

void check_own_table(Problems& problems, const LinkSmearing& keys) {
  check_link_smearing(problems, "link_smearing", keys);
}

}  // namespace

Rule link_smearing_rule() {
  return {{"link_smearing.type", "link_smearing.spatial", "link_smearing.steps", "link_smearing.alpha",
           "link_smearing.rho", "link_smearing.alpha1", "link_smearing.alpha2", "link_smearing.alpha3",
           "link_smearing.allow_unstable"},
          link_smearing_rule_text,
          check_own_table};
}

Attributes link_smearing_attributes(const LinkSmearing& keys) {
  if (!keys.smears()) return {};
  Attributes a = {{"link_smearing", link_smearing_names().of(keys.type)},
                  {"link_smearing_steps", std::int64_t{keys.steps}}};
  const auto add = [&](const char* name, double number) { a.emplace_back(name, number); };
  switch (keys.type) {
    case LinkSmearingKind::ape:
      add("link_smearing_alpha", keys.alpha);
      break;
    case LinkSmearingKind::stout:
      add("link_smearing_rho", keys.rho);
      break;
    case LinkSmearingKind::hyp:
      if (!keys.spatial) add("link_smearing_alpha1", keys.alpha1);
      add("link_smearing_alpha2", keys.alpha2);
      add("link_smearing_alpha3", keys.alpha3);
      break;
    case LinkSmearingKind::flow:
      add("link_smearing_flow_step", keys.flow_step);
      add("link_smearing_flow_time", keys.steps * keys.flow_step);
      break;
    case LinkSmearingKind::none:
      break;
  }
  if (keys.spatial) a.emplace_back("link_smearing_spatial", std::int64_t{1});
  return a;
}

}  // namespace plaq::settings
