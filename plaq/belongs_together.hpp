// Checks that a propagator is one that a function can take.
#pragma once

#include <optional>
#include <string>

#include "plaq/spinor_field.hpp"

namespace plaq {

/// Reason why a quark is not a propagator of quarks with spin in double precision on this lattice, with a
/// source at a known site, and with the gauge field and the boundary of `expected`, as far
/// as both say them; none: nothing.
std::optional<std::string> refuse_quark(const Propagator& quark, const Lattice& lattice,
                                        const PropagatorNote& expected);

}  // namespace plaq
