// Domain-wall quarks on unit links: what their propagators in momentum space are compared with.
#pragma once

#include <array>

#include "kernels/dirac/domain_wall/domain_wall_parameters.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

// At any p, also where k = 0. `exact`: of an infinite N_s, where omega_s - sigma_s is the same on all slices.
FreeQuark free_domain_wall_quark(const DomainWallParameters& walls, const std::array<double, 4>& p,
                                 bool exact);

}  // namespace plaq
