// The chain rule of stout smearing by its definition: the derivative of exp from the exponential of a block
// matrix, and staples cut open at each link.
#pragma once

#include "tests/reference/quark_force.hpp"

namespace plaq::reference {

// The integral over s from 0 to 1 of exp(-s X) F exp(s X).
ColorMatrix averaged_over_exponential(const ColorMatrix& x, const ColorMatrix& f);

// The force on the links of `gauge` from the force on stout_smeared(gauge, rho, directions).
LinkMatrices carried_back(const GaugeField& gauge, double rho, int directions, const LinkMatrices& force);

}  // namespace plaq::reference
