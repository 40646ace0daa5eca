// Tables of job files that say how links are smeared (kernels/gauge/link_smearing.hpp).
#pragma once

#include "kernels/gauge/link_smearing.hpp"
#include "kernels/gauge/smearing_stability.hpp"
#include "settings/schema/field.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

const Names<LinkSmearingKind>& link_smearing_names();

/// Meaning of the key allow_unstable, here and in [quark_smearing].
inline constexpr const char* allow_unstable_text =
    "true: parameters whose steps amplify the highest momenta are allowed. Use this key only to compare with "
    "another program.";

// `outer`: the member of the struct of a table that has these keys, where they are not that struct.
template <class... Outer>
std::vector<Key> link_smearing_keys(Outer... outer) {
  using Keys = LinkSmearing;
  return {
      choice(outer..., &Keys::type, "type",
             "Kind of smearing: APE (Albanese et al. 1987), stout (Morningstar, Peardon 2004), HYP "
             "(Hasenfratz, Knechtli 2001), or the Wilson flow (Luescher 2010). APE and HYP project to SU(3) "
             "by the polar decomposition.",
             link_smearing_names()),
      field(outer..., &Keys::steps, "steps", "Number of smearing steps.").within(0, 100000),
      field(outer..., &Keys::alpha, "alpha",
            "APE: weight alpha of the staples. A step is (1 - alpha) U + (alpha / number of staples) * their "
            "sum.")
          .within(0, 1),
      field(outer..., &Keys::rho, "rho", "Stout: weight of the staples.").within(0, 1),
      field(outer..., &Keys::alpha1, "alpha1",
            "HYP: weight of the staples of the last level, in three directions. Smearing in space alone has "
            "no such level.")
          .within(0, 1),
      field(outer..., &Keys::alpha2, "alpha2",
            "HYP: weight of the staples of the second level, in two directions.")
          .within(0, 1),
      field(outer..., &Keys::alpha3, "alpha3",
            "HYP: weight of the staples of the first level, in one direction.")
          .within(0, 1),
      field(outer..., &Keys::flow_step, "flow_step", "Flow: step of the flow time, in units of a^2.")
          .between(0, largest_flow_step()),
      field(outer..., &Keys::spatial, "spatial",
            "true: only spatial links are smeared, with spatial staples."),
      field(outer..., &Keys::allow_unstable, "allow_unstable", allow_unstable_text).not_physics()};
}
// On all keys of the table but flow_step.
void check_link_smearing(Problems& problems, const std::string& table, const LinkSmearing& keys);
inline constexpr const char* link_smearing_rule_text =
    "The flow acts on all links, so it does not allow spatial. No step may amplify the highest momenta of "
    "the links. APE: alpha is at most 0.75 (in space alone 0.667). Stout: rho is at most 0.125 (0.167). HYP "
    "parameters are checked if steps is above 1.";

// The table [link_smearing], whose struct is LinkSmearing. `use`: what the smeared links are for.
Table link_smearing_table(const std::string& use);
Rule link_smearing_rule();

// For results: link_smearing, link_smearing_steps, ... as far as they say something.
Attributes link_smearing_attributes(const LinkSmearing& keys);

}  // namespace plaq::settings
