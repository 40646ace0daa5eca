// Forces of quarks by their definition: matrices cut open at each link.
#pragma once

#include "tests/reference/clover.hpp"
#include "tests/reference/gauge_action.hpp"
#include "tests/reference/staggered.hpp"

namespace plaq::reference {

using LinkMatrices = std::vector<std::array<ColorMatrix, 4>>;

// N_mu(x) with dS = Re sum over links of tr(T N) for dU = T U:
// of -2 Re Y^dagger dM X, the hopping terms alone;
LinkMatrices hop_variation(const WilsonParameters& parameters, const GaugeField& gauge, const SpinorField& x,
                           const SpinorField& y);
// of -2 Re sum_x tr(dC(x) W(x)), C the diagonal of M with the clover term.
LinkMatrices clover_variation(const CloverParameters& parameters, const GaugeField& gauge,
                              const CloverMatrices& w);
// of (1/2) Re Z_e^dagger dD_eo Z_o, Z_e on even and Z_o on odd sites, D with hops of one step.
LinkMatrices staggered_variation(const StaggeredParameters& parameters, const GaugeField& gauge,
                                 const ColorField& z);
// X Y^dagger at each site.
CloverMatrices outer_products(const SpinorField& x, const SpinorField& y);

// F = -TA(N)/2
LinkMatrices force_of(const LinkMatrices& n);
// dS/de under U -> exp(e T) U: -2 sum tr(T F)
double derivative_along(const LinkMatrices& t, const LinkMatrices& f);
GaugeField moved_along(const GaugeField& gauge, const LinkMatrices& t, double e);
// Traceless and antihermitian.
LinkMatrices random_direction(const Lattice& lattice, Generator& generator);

}  // namespace plaq::reference
