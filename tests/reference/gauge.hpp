// Gauge fields and what is measured on them. U_mu(x) joins x to x + mu and is plain SU(3): no boundary sign,
// no anisotropy factor.
#pragma once

#include <array>
#include <vector>

#include "tests/reference/lattice.hpp"
#include "tests/reference/matrix.hpp"
#include "tests/reference/random.hpp"

namespace plaq::reference {

struct GaugeField {
  Lattice lattice;
  std::vector<std::array<ColorMatrix, 4>> link;  // [site][mu]

  explicit GaugeField(const Lattice& lattice_) : lattice(lattice_), link(lattice_.volume()) {}
};

using GaugeTransformation = std::vector<ColorMatrix>;  // [site]

// First two rows made orthonormal in turn, the third is (a x b)^*.
ColorMatrix project_su3(const ColorMatrix& a);
// Distributed as the Haar measure.
ColorMatrix random_su3(Generator& generator);
// Near the unit matrix: 1 + strength (normal numbers), projected.
ColorMatrix random_su3_near_unit(Generator& generator, double strength);

GaugeField unit_gauge(const Lattice& lattice);
GaugeField random_gauge(const Lattice& lattice, Generator& generator);
GaugeField weak_gauge(const Lattice& lattice, Generator& generator, double strength);

GaugeTransformation random_transformation(const Lattice& lattice, Generator& generator);
// U'_mu(x) = g(x) U_mu(x) g(x+mu)^dagger
GaugeField transformed(const GaugeField& gauge, const GaugeTransformation& g);
// To temporal gauge: g(x, 0) = 1, g(x, t+1) = g(x, t) U_t(x, t); and that gauge, where U_t = 1 below the last
// slice.
GaugeTransformation temporal_transformation(const GaugeField& gauge);
GaugeField temporal_gauge(const GaugeField& gauge);

// P_mu,nu(x) = U_mu(x) U_nu(x+mu) U_mu(x+nu)^dagger U_nu(x)^dagger
ColorMatrix plaquette(const GaugeField& gauge, int site, int mu, int nu);

// Averages of Re tr(P)/3: of all planes, of those without t, of those with t.
struct PlaquetteAverages {
  double all, spatial, temporal;
};
PlaquetteAverages average_plaquette(const GaugeField& gauge);

// Average of Re tr(U)/3 over all links.
double link_trace(const GaugeField& gauge);

// U_t(x,0) U_t(x,1) ... U_t(x,T-1) for each x of space, by the number of site (x, t = 0).
std::vector<ColorMatrix> polyakov_lines(const GaugeField& gauge);
// Average over space of tr/3 of the lines.
Complex polyakov_loop(const GaugeField& gauge);

// Largest element of |U U^dagger - 1|, and largest |det U - 1|.
struct UnitarityViolation {
  double unitarity, determinant;
};
UnitarityViolation unitarity_violation(const ColorMatrix& link);
UnitarityViolation unitarity_violation(const GaugeField& gauge);

// The sum over nu != mu of the six staples, so that Re tr(U_mu(x) staple) sums the six plaquettes with this
// link:
//   U_nu(x+mu) U_mu(x+nu)^dagger U_nu(x)^dagger + U_nu(x+mu-nu)^dagger U_mu(x-nu)^dagger U_nu(x-nu)
ColorMatrix staple_sum(const GaugeField& gauge, int site, int mu);

}  // namespace plaq::reference
