// Temporal gauge, Clark et al. 2010, section 4.3: time links are 1 but on the last slice of the whole
// lattice,
//   g(x, 0) = 1,  g(x, t+1) = g(x, t) U_t(x, t),   U'_mu(x) = g(x) U_mu(x) g(x+mu)^dagger,
// whose last time links are the Polyakov lines. Spinors become g psi, operators g A g^dagger.
//
// In double, products from t = 0 upwards, the same bits on any process grid. U'_t is set to exactly 1: the
// two gauges agree as far as links are of U(3). Of links to double rounding g(x, t) is off by about t 1e-16.
#pragma once

#include <memory>

#include "comms/grid/process_grid.hpp"
#include "comms/transport/transport.hpp"
#include "core/field/field.hpp"

namespace plaq {

struct TemporalGauge {
  Field links;   // U' in double, without halo
  Field others;  // transformed with the same g, as `links` are; none where none were given
  Field g;       // on both parities, one subfield, 3x3 in single precision: what vectors are changed with
};

// Collective. `gauge`: any precision and location, without halo; the result is at the queue's location. While
// it is made the links are held once more in double, and g, with a halo of depth 1 around them. `others`: a
// second such field, or none.
TemporalGauge make_temporal_gauge(const ProcessGrid& grid, const Field& gauge, const Queue& queue,
                                  std::shared_ptr<Transport> transport, const Field& others = {});

// Spec of g, in double while it is made, then in single.
FieldSpec gauge_frame_spec(Precision precision, Location location);

}  // namespace plaq
