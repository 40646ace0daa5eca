// Observables of gauge fields. Fields live on geometry->extended(1) (the plain geometry where nothing is
// split) with a filled halo. All functions are collective, wait for the queue, and give the same bits on
// every rank and any process grid.
#pragma once

#include "kernels/gauge/polyakov_lines.hpp"

namespace plaq {

// Averages of Re tr P / 3, in [-1/3, 1]: over all planes, the three in space, the three with time.
struct PlaquetteAverages {
  double all = 0, spatial = 0, temporal = 0;
};
PlaquetteAverages average_plaquette(const ProcessGrid& grid, const Field& gauge, const Queue& queue);

// Average of Re tr U / 3 over all links. Needs no halo.
double average_link_trace(const ProcessGrid& grid, const Field& gauge, const Queue& queue);

// The largest of |U U^dagger - 1| (Frobenius norm) and |det U - 1| over all links, NaN if any link has one.
// Needs no halo.
double unitarity_violation(const ProcessGrid& grid, const Field& gauge, const Queue& queue);

struct GaugeObservables {
  PlaquetteAverages plaquette;
  double link_trace = 0;
  std::complex<double> polyakov_loop;
  double unitarity_violation = 0;
};
GaugeObservables measure_gauge(const ProcessGrid& grid, const Field& gauge, const Queue& queue);

}  // namespace plaq
