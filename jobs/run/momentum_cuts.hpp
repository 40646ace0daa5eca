// Which momenta propagators in momentum space have, and which of them survive the cuts of Leinweber et al., Phys. Rev. D 60
// (1999) 094507: keys that tables share, and what they mean.
#pragma once

#include <optional>
#include <vector>

#include "core/lattice/geometry.hpp"
#include "jobs/schema/field.hpp"
#include "jobs/schema/schema.hpp"
#include "kernels/gluon/lattice_momenta.hpp"

namespace plaq::jobs {

struct MomentumCuts {
  std::optional<int> max_n_t;  // none: as far as max_n reaches on the longest axis in space
  double cylinder = 1, cone = 20;

  // The largest n_t where n goes up to max_n in space; `half`: 1 where momenta in time are 2 pi (n + 1/2) / T.
  int last_in_time(int max_n, const Extents& extents, int half = 0) const;
  // Of a momentum at that distance from the diagonal.
  bool in_cylinder(const DiagonalDistance& distance) const;
  bool in_cone(const DiagonalDistance& distance) const;
};

// Keys of the table whose struct has these as `member`. `where`: a sentence on where max_n_t and cylinder mean something
// else, or nothing.
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

}  // namespace plaq::jobs
