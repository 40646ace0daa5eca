// Wilson and clover quarks.
#pragma once

#include "kernels/dirac/wilson/wilson_parameters.hpp"
#include "quarks/action/action.hpp"

namespace plaq {

/// The Wilson action with these parameters, or the clover action if the
/// coefficients of the clover term are not 0: the exponential one if they say so. With a twisted mass these
/// are twisted-mass quarks.
ActionPtr wilson_action(const WilsonParameters& parameters);
/// Parameters of a Wilson or clover action. Throws an internal error for any other action.
WilsonParameters wilson_parameters(const Action& action);

}  // namespace plaq
