// The matrices that even-odd forms of a coarse operator are made of: X^-1 Y_d for its hops, and X^-1 in the place of the
// site's own matrix X.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"

namespace plaq {

// From and to fields of coarse_links_spec in single or double precision; X is inverted in double. Components of dropped
// near-null vectors are 0 in both. Collective. Throws Error(not_converged) where X is singular, with the number of sites.
Field coarse_hat_links(const ProcessGrid& grid, const Field& links, const Queue& queue);

// Adds `shift` to the diagonal of each site's own matrix, but for components of dropped near-null vectors. Links in single or
// double precision. Queued.
void shift_sites(Field& links, double shift, const Queue& queue);

}  // namespace plaq
