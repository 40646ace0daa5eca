// Links of asqtad fermions: staggered fermions improved to order a^2 at tree level. Orginos, Toussaint,
// Sugar, Phys. Rev. D 60 (1999) 054503; Lepage, Phys. Rev. D 59 (1999) 074502; Naik, Nucl. Phys. B 316 (1989)
// 238. From plain SU(3) links, without staggered phases or boundary signs, which are the operator's:
//   F_mu(x) = c1 U_mu(x) + c3 S3 + c5 S5 + c7 S7 + cL SL,   W_mu(x) = U_mu(x) U_mu(x+mu) U_mu(x+2mu),
// S3, S5, S7 the sums of the 6, 24 and 48 paths from x to x + mu that step aside in one, two, three different
// directions other than mu, forward or backward, in any order, then by mu, and back in the reverse order; SL
// of the 6 paths that step aside twice in one direction. F is not unitary; W is SU(3), its coefficient
// outside: the operator is eta_mu (F - F^dagger hops) + c_naik eta_mu (W - W^dagger hops by three). A sign at
// the boundary belongs to W once where one of its three links crosses it.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"

namespace plaq {

// Coefficients; with phases inside the links those for paths of three and seven links have the other sign.
struct AsqtadCoefficients {
  double one, three, five, seven, lepage, naik;
  bool operator==(const AsqtadCoefficients&) const = default;
};

// c1 = 5/8, c3 = 1/(16 u0^2), c5 = 1/(64 u0^4), c7 = 1/(384 u0^6), cL = -1/(16 u0^4), c_naik = -1/(24 u0^2):
// tree level with tadpoles, relative to c1, whose 1/u0 is left out as in the literature. u0 is the fourth
// root of the average plaquette, or 1. Throws Error(job_file) unless it is positive and finite.
AsqtadCoefficients asqtad_coefficients(double u0);

struct AsqtadLinks {
  AsqtadCoefficients coefficients;
  Field fat;    // F; 18 reals a link, components up to 2 and beyond: not `bounded`
  Field three;  // W; 18 reals a link, as links are stored
};

// A field of fat links.
FieldSpec fat_link_spec(Precision precision, Location location);

// Collective. `gauge`: links of 18 reals, any precision and location, without halo. The result lies on its
// geometry, at the queue's location, in `precision` (double or single), in which it is computed. Any local
// extents. The same bits on any process grid. Holds up to three more fields of 18 reals, with two more
// slices on each side in split directions, while it works. Waits for the end. Throws an internal Error for a
// field of another kind.
AsqtadLinks asqtad_links(const ProcessGrid& grid, const Field& gauge, const AsqtadCoefficients& coefficients,
                         Precision precision, const Queue& queue, std::shared_ptr<Transport> transport);

}  // namespace plaq
