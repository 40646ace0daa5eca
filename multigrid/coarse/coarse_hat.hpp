// The matrices that even-odd forms of a coarse operator are made of: X^-1 Y_d for its hops, and X^-1 for the
// site's own matrix X.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "kernels/dirac/twist/twist.hpp"

namespace plaq {

struct CoarseHat {
  Field hops, inverse;  // coarse_links_spec of coarse_hops_alone and of coarse_site_alone
};

// From links, all of them, in single or double precision, and as precise; X is inverted in double. Components
// of dropped near-null vectors are 0 in both. Collective. Throws Error(not_converged) where X is
// singular, with the number of sites.
// `sites`: matrices X, coarse_site_alone, which take the place of those of the links; null: none do.
CoarseHat coarse_hat(const ProcessGrid& grid, const Field& links, const Queue& queue,
                     const Field* sites = nullptr);

// Adds `shift` to the diagonal of each site's own matrix, but for components of dropped near-null vectors.
// Links in single or double precision. Queued.
void shift_sites(Field& links, double shift, const Queue& queue);

// Writes to the sites of `out` those of `links` with a twist, where Gamma5 is 1 on the first half of a site's
// components and -1 on the second (multigrid/coarse/coarse_twist.hpp):
//   X + i Gamma5 ((mu_e - mu_o) B + mu_o)
// `out`: all matrices or those of the sites alone, another field than `links`, which are all; `even_share`:
// B, null where mu_e = mu_o. All in one precision, single or double. Queued.
void twist_sites(Field& out, const Field& links, const Field* even_share, const Twist& twist,
                 const Queue& queue);

// The launches behind these for one machine.
template <class Target, class C>
struct CoarseHatLaunch {
  // `inverse`: one matrix a site, in double; `singular`: an int for each site of `parity`, at their location.
  static void invert_sites(const Field& inverse, const Field& links, int parity, int* singular,
                           const Queue& queue);
  static void shift_sites(const Field& links, double shift, const Queue& queue);
  static void twist_sites(const Field& out, const Field& links, const Field* even_share, const Twist& twist,
                          const Queue& queue);
  static void multiply_hops(const Field& hops, const Field& inverse, const Field& links, const Queue& queue);
};

}  // namespace plaq
