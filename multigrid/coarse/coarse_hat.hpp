// The matrices that even-odd forms of a coarse operator are made of: X^-1 Y_d for its hops, and X^-1 for the
// site's own matrix X.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

struct CoarseHat {
  Field hops, inverse;  // coarse_links_spec of coarse_hops_alone and of coarse_site_alone
};

// From links, all of them, in single or double precision, and as precise; X is inverted in double. Components
// of dropped near-null vectors are 0 in both. Collective. Throws Error(not_converged) where X is
// singular, with the number of sites.
CoarseHat coarse_hat(const ProcessGrid& grid, const Field& links, const Queue& queue);

// Adds `shift` to the diagonal of each site's own matrix, but for components of dropped near-null vectors.
// Links in single or double precision. Queued.
void shift_sites(Field& links, double shift, const Queue& queue);

// The launches behind these for one machine.
template <class Target, class C>
struct CoarseHatLaunch {
  // `inverse`: one matrix a site, in double; `singular`: an int for each site of `parity`, at their location.
  static void invert_sites(const Field& inverse, const Field& links, int parity, int* singular,
                           const Queue& queue);
  static void shift_sites(const Field& links, double shift, const Queue& queue);
  static void multiply_hops(const Field& hops, const Field& inverse, const Field& links, const Queue& queue);
};

}  // namespace plaq
