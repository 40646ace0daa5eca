// The keys of MomentumCuts, which tables share.
#pragma once

#include <string>
#include <vector>

#include "observables/gluon/momentum_cuts.hpp"
#include "settings/schema/field.hpp"

namespace plaq::settings {

// Keys of the table whose struct has these as `member`. `where`: a sentence on where max_n_t and cylinder
// mean something else, or nothing.
template <class Keys>
std::vector<Key> momentum_cut_keys(MomentumCuts Keys::*member, const std::string& of_max_n_t = {},
                                   const std::string& of_cylinder = {}) {
  return {
      field(member, &MomentumCuts::max_n_t, "max_n_t",
            "The same of n_t; both signs are averaged." + of_max_n_t)
          .within(0, 2048)
          .such_as("16")
          .without("what reaches as far as max_n on the longest axis in space"),
      field(member, &MomentumCuts::cylinder, "cylinder",
            "Cylinder cut: farthest from the diagonal (1,1,1,1), in units of 2 pi / L of the longest axis in "
            "space, that is flagged as surviving." +
                of_cylinder)
          .within(0, 1e6),
      field(member, &MomentumCuts::cone, "cone",
            "Cone cut: largest angle with the same diagonal that is flagged as surviving, in degrees.")
          .within(0, 180)};
}

}  // namespace plaq::settings
