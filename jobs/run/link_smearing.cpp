#include "jobs/run/link_smearing.hpp"

#include "core/system/dry_run.hpp"
#include "core/system/tape.hpp"
#include "kernels/gauge/smearing.hpp"
#include "kernels/gauge/wilson_flow.hpp"

namespace plaq::jobs {

const Names<LinkSmearingKind>& link_smearing_names() {
  using enum LinkSmearingKind;
  static const Names<LinkSmearingKind> names = {
      {"none", none}, {"ape", ape}, {"stout", stout}, {"hyp", hyp}, {"flow", flow}};
  return names;
}

void check_link_smearing(Problems& problems, const std::string& table, const LinkSmearingKeys& keys) {
  if (keys.type == LinkSmearingKind::flow && keys.spatial)
    problems.add({table.c_str(), "spatial"}, "the flow has no form in space alone");
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
  return {{"link_smearing.type", "link_smearing.spatial"}, "The flow is of all links.", check_own_table};
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
      return smear(ApeSmearing{keys.alpha, keys.spatial});
    case LinkSmearingKind::stout:
      return smear(StoutSmearing{keys.rho, keys.spatial});
    case LinkSmearingKind::hyp:
      return smear(HypSmearing{keys.alpha1, keys.alpha2, keys.alpha3, keys.spatial});
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
