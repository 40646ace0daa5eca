// Do the vectors of a file serve an operator at hand? Serial.
#pragma once

#include <string>

#include "io/multigrid/multigrid_info.hpp"

namespace plaq {

// From best to worst.
enum class MultigridFit {
  same,            // the operator that they were made for
  other_mass,      // the same but for its mass: they serve nearly as well
  other_links,     // a gauge field of another checksum: a start for rounds, as are all below
  other_boundary,  // other signs of the boundary conditions
  other_action,    // another type, or other coefficients
  other_lattice,   // of no use
};

// "it was made for another gauge field", ...
std::string_view text_of(MultigridFit fit);

struct MultigridFitReport {
  MultigridFit fit = MultigridFit::same;  // the worst of all differences
  // All of them, in one line: "mass -0.4 in the file, -0.41 here; ..."; empty: none.
  std::string differences;
};

// `here`, `links`: as in MultigridSetupInfo.
MultigridFitReport fit_of(const MultigridFileInfo& file, const Extents& lattice,
                          const std::vector<HeaderEntry>& here, const LinkChecksum& links);

}  // namespace plaq
