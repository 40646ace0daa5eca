// Smearing of the links of a Dirac operator.
#pragma once

#include "kernels/gauge/link_smearing.hpp"

namespace plaq {

/// Smearing of the links of an action.
struct ActionSmearing {
  LinkSmearing links = {};   ///< of all links
  bool thin_clover = false;  ///< the clover term is made of the links before they are smeared
};

}  // namespace plaq
