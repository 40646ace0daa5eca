// A check of sites that callers give, and their text.
#pragma once

#include <string>

#include "plaq/lattice.hpp"

namespace plaq {

/// "(0, 0, 0, 4)".
std::string text_of_site(const Extents& site);
/// Throws Error(usage) unless the site of a source is on the lattice.
void expect_site(const Lattice& lattice, const Extents& site);

}  // namespace plaq
