// The gluon field in momentum space, and what propagators are made of.
//   A_mu(x + mu/2) = (U - U^dagger)/(2i) without its trace = sum_a A_mu^a
//     lambda_a / 2,  in units with a g0 = 1
// (Leinweber et al., Phys. Rev. D 60 (1999) 094507), corrections of order a^2. Per time slice
//   A_mu^a(p, t) = sum_x exp(-i p x) A_mu^a(x, t),
//   A_mu^a(p) = exp(-i p_mu/2) sum_t exp(-i p_t t) A_mu^a(p, t).
//
// Real components are transformed in pairs, as one complex field each: sums of squares over p and -p are
// those of both. Sums over space are exact (kernels/quark/momentum_projection.hpp), those over t are made
// in the order of t: the same bits on any process grid. Work: 32 exact additions a site and momentum in
// space.
#pragma once

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "core/launch/queue.hpp"
#include "kernels/gluon/lattice_momenta.hpp"

namespace plaq {

// Averages over the members of an orbit, and over the signs of n_t.
struct GluonPoint {
  double square = 0;        // sum over mu and a of |A_mu^a(p)|^2
  double longitudinal = 0;  // sum over a of |sum_mu phat_mu A_mu^a(p)|^2
};
// Averages over the members of an orbit and over time slices, of the fields of one time slice.
struct SlicePoint {
  double spatial = 0;       // sum over i = x, y, z and a of |A_i^a(p, t)|^2
  double longitudinal = 0;  // sum over a of |sum_i phat_i A_i^a(p, t)|^2
  double temporal = 0;      // sum over a of |A_t^a(p, t)|^2
};

class GluonTransform {
 public:
  // `gauge`: links in double precision, without halo, at the queue's location. The grid must outlive this
  // object.
  GluonTransform(const ProcessGrid& grid, const Field& gauge, const Queue& queue);
  static FieldSpec components_spec(Location location);

  // Collective, waits. [n_t] = 0 ... time_momenta - 1, which are at most T/2 + 1.
  std::vector<GluonPoint> points(const MomentumOrbit& orbit, int time_momenta) const;
  SlicePoint slices(const MomentumOrbit& orbit) const;

 private:
  Correlators transform(const MomentumOrbit& orbit) const;

  const ProcessGrid* grid_;
  Queue queue_;
  Field components_;
};

// The launch behind it, in double precision: A_mu^a(x), two real components in one complex number: subfield 4
// mu + k of `components` (1x1, 16 subfields) is A_mu^(2k+1) + i A_mu^(2k+2), k = 0 ... 3. Both fields are of
// one geometry.
template <class Target>
void launch_gluon_components(const Field& gauge, Field& components, const Queue& queue);

}  // namespace plaq
