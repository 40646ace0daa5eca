// The matrices of a coarse operator (Clark et al. 2016, eq. (3)): with n components a site and directed hops
// d = 2 mu ahead, 2 mu + 1 behind,
//   (M psi)(X) = sum over d of Y_d(X) psi(X + d) + Y_8(X) psi(X).
// All nine are stored at X: a site's row of matrices is read from end to end.
#pragma once

#include "core/field/field.hpp"

namespace plaq {

inline constexpr int coarse_hops = 8, coarse_matrices = 9;  // the last one: of the site itself

// Some of them, which follow each other.
struct CoarseParts {
  int begin = 0, end = coarse_matrices;
};
inline constexpr CoarseParts coarse_hops_alone{0, coarse_hops},
    coarse_site_alone{coarse_hops, coarse_matrices};

// A site's numbers are [matrix][column][row], rows fastest: threads with one row each read what is next to
// each other. In half and quarter precision a row has a scale for all matrices of a site. `parts`: which
// matrices there are: all, the hops or that of the site.
inline FieldSpec coarse_links_spec(int components, Precision precision, Location location,
                                   const CoarseParts& parts = {}) {
  FieldSpec spec{Subset::full, parts.end - parts.begin, components, components, precision, location};
  spec.order = Order::right_hand_sides_fastest;
  return spec;
}
inline CoarseParts stored_parts(const FieldSpec& links) {
  return links.spins == coarse_matrices ? CoarseParts()
         : links.spins == coarse_hops   ? coarse_hops_alone
                                        : coarse_site_alone;
}
// Place of number (row, column) of matrix d, one of the stored ones: the subfield is the row.
PLAQ_HD int coarse_link_component(int d, int column, int components) { return d * components + column; }

}  // namespace plaq
