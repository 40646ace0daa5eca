// The matrices of a coarse operator (Clark et al. 2016, eq. (3)): with n components a site and directed hops
// d = 2 mu ahead, 2 mu + 1 behind,
//   (M psi)(X) = sum over d of Y_d(X) psi(X + d) + Y_8(X) psi(X).
// All nine are stored at X: a site's row of matrices is read from end to end.
//
// A product of two operators with nearest neighbours becomes an operator with 24 more, to X + d + d' with
// hops in directions mu < nu. They stand as hops d' of six fields, one for each d of x, y and z:
//   sum over d of sum over d' of Y_dd'(X) psi(X + d + d').
#pragma once

#include <vector>

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
// Fields without all nine have that of the site, or the last hops.
inline CoarseParts stored_parts(const FieldSpec& links) {
  return links.spins == coarse_matrices ? CoarseParts()
         : links.spins == 1             ? coarse_site_alone
                                        : CoarseParts{coarse_hops - links.spins, coarse_hops};
}

// The 24 matrices: `diagonal` is empty, or has those of hop d, d < 6, at [d].
inline constexpr int diagonal_fields = 6;
constexpr CoarseParts diagonal_parts(int d) { return {2 * (d / 2 + 1), coarse_hops}; }
struct CoarseLinks {
  Field nearest;
  std::vector<Field> diagonal;
};
// Links of any matrices in another storage; themselves where they have it.
Field coarse_links_in(Field links, Precision storage);
// Place of number (row, column) of matrix d, one of the stored ones: the subfield is the row.
PLAQ_HD int coarse_link_component(int d, int column, int components) { return d * components + column; }

}  // namespace plaq
