// Checks of arguments: sites and propagators.
#pragma once

#include <optional>
#include <string>

#include "plaq/lattice.hpp"
#include "plaq/spinor_field.hpp"

namespace plaq {

/// "(0, 0, 0, 4)".
std::string text_of_site(const Extents& site);
/// Throws Error(usage) unless the site of a source is on the lattice.
void expect_site(const Lattice& lattice, const Extents& site);

/// Reason why a quark is not a propagator of quarks with spin in double precision on this lattice, with a
/// source at a known site, and with the gauge field and the boundary of `expected`, as far as both say them;
/// none: nothing.
std::optional<std::string> refuse_quark(const Propagator& quark, const Lattice& lattice,
                                        const PropagatorNote& expected);

}  // namespace plaq
