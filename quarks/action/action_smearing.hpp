// Smearing of the links of a Dirac operator.
#pragma once

#include "kernels/gauge/link_smearing.hpp"

namespace plaq {

struct ActionSmearing {
  LinkSmearing links = {};
  bool thin_clover = false;  // the clover term is made of the links before they are smeared
};

}  // namespace plaq
