// The table [quark_smearing], and the smearing that it stands for with the links of [link_smearing].
#pragma once

#include "kernels/quark/gaussian_smearing.hpp"
#include "quarks/smearing/quark_smearing.hpp"
#include "settings/schema/settings.hpp"

namespace plaq::settings {

struct QuarkSmearingKeys {
  GaussianSmearingParameters parameters;  // sigma 0: not given
  bool source = true;
};
// `with_source`: whether the job has sources to smear.
Table quark_smearing_table(bool with_source);
/// Adds the mistake of too few steps for quarks that hop by `links` links, 1 or, of staggered quarks, 2.
void check_smearing_steps(Problems& problems, const QuarkSmearingKeys& keys, int links);
inline constexpr const char* smearing_steps_text =
    "No smearing step may amplify the highest momenta: steps must be at least 3/2 sigma^2, or 3/8 sigma^2 of "
    "staggered quarks.";

// `boundary`: signs of the quarks.
QuarkSmearingSettings quark_smearing_settings(const Settings& settings, const SpaceSigns& boundary);

}  // namespace plaq::settings
