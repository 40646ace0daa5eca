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
  return {field(member, &MomentumCuts::max_n_t, "max_n_t",
                "Largest |n_t| of the momenta in time. Both signs are averaged." + of_max_n_t)
              .within(0, 2048)
              .such_as("16")
              .without("the n_t whose momentum reaches that of max_n on the longest spatial axis"),
          field(member, &MomentumCuts::cylinder, "cylinder",
                "Cylinder cut: largest distance of a surviving momentum from the diagonal (1,1,1,1), in "
                "units of 2 pi / L of the longest spatial axis." +
                    of_cylinder)
              .within(0, 1e6),
          field(member, &MomentumCuts::cone, "cone",
                "Cone cut: largest angle between a surviving momentum and the same diagonal, in degrees.")
              .within(0, 180)};
}

}  // namespace plaq::settings
