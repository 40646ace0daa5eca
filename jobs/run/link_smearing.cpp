#include "jobs/run/link_smearing.hpp"

#include <fmt/format.h>

#include "core/system/dry_run.hpp"
#include "core/system/tape.hpp"
#include "kernels/gauge/smearing.hpp"
#include "kernels/gauge/smearing_stability.hpp"
#include "kernels/gauge/wilson_flow.hpp"

namespace plaq::jobs {

const Names<LinkSmearingKind>& link_smearing_names() {
  using enum LinkSmearingKind;
  static const Names<LinkSmearingKind> names = {
      {"none", none}, {"ape", ape}, {"stout", stout}, {"hyp", hyp}, {"flow", flow}};
  return names;
}

namespace {

ApeSmearing ape_of(const LinkSmearingKeys& keys) { return {keys.alpha, keys.spatial}; }
StoutSmearing stout_of(const LinkSmearingKeys& keys) { return {keys.rho, keys.spatial}; }
HypSmearing hyp_of(const LinkSmearingKeys& keys) {
  return {keys.alpha1, keys.alpha2, keys.alpha3, keys.spatial};
}

// One step of HYP smearing with larger parameters is in use for static quarks: (1, 1, 0.5).
void check_stability(Problems& problems, const std::string& table, const LinkSmearingKeys& keys) {
  const auto amplifies = [&](const char* key, double value, double limit) {
    problems.add({table, key}, fmt::format("{} amplifies the highest momenta of the links; at most {}{}",
                                           value, limit, keys.spatial ? " in space alone" : ""));
  };
  if (keys.type == LinkSmearingKind::ape && lowest_factor(ape_of(keys)) < stable_factor)
    amplifies("alpha", keys.alpha, largest_alpha(keys.spatial));
  if (keys.type == LinkSmearingKind::stout && lowest_factor(stout_of(keys)) < stable_factor)
    amplifies("rho", keys.rho, largest_rho(keys.spatial));
  if (keys.type == LinkSmearingKind::hyp && keys.steps > 1 && lowest_factor(hyp_of(keys)) < stable_factor)
    problems.add({table, keys.spatial ? "alpha2" : "alpha1"},
                 fmt::format("steps = {} with these alphas amplify a mode of the links by {:.2f} each; take "
                             "smaller ones, such as {}, or steps = 1",
                             keys.steps, -lowest_factor(hyp_of(keys)),
                             keys.spatial ? "alpha2 = 0.6, alpha3 = 0.3"
                                          : "alpha1 = 0.75, alpha2 = 0.6, alpha3 = 0.3"));
}

}  // namespace

void check_link_smearing(Problems& problems, const std::string& table, const LinkSmearingKeys& keys) {
  if (keys.type == LinkSmearingKind::flow && keys.spatial)
    problems.add({table, "spatial"}, "the flow has no form in space alone");
  if (keys.smears() && !keys.allow_unstable) check_stability(problems, table, keys);
}

Table link_smearing_table(const std::string& use) {
  return {"link_smearing", "Smearing of the links " + use + ".", link_smearing_keys()};
}

namespace {

void check_own_table(Problems& problems, const LinkSmearingKeys& keys) {
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

Attributes link_smearing_attributes(const LinkSmearingKeys& keys) {
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

void smear_links(const JobContext& context, Field& gauge, const LinkSmearingKeys& keys) {
  if (!keys.smears()) return;
  const Phase phase("smearing links");
  const MemoryName name("smearing of links");
  const auto smear = [&](const auto& parameters) {
    LinkSmearing(*context.grid, gauge, context.transport).apply(gauge, parameters, keys.steps, context.queue);
  };
  switch (keys.type) {
    case LinkSmearingKind::ape:
      return smear(ape_of(keys));
    case LinkSmearingKind::stout:
      return smear(stout_of(keys));
    case LinkSmearingKind::hyp:
      return smear(hyp_of(keys));
    case LinkSmearingKind::flow: {
      WilsonFlow flow(*context.grid, gauge, context.transport);
      for (int step = 0; step < keys.steps; ++step) {
        const TapeSection section("step of the Wilson flow");
        flow.step(gauge, keys.flow_step, context.queue);
      }
      return;
    }
    case LinkSmearingKind::none:
      return;
  }
}

}  // namespace plaq::jobs
