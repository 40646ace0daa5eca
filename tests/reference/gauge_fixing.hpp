// Gauge fixing on links themselves, site by site: Schroeck, Vogt 2013, algorithm 1.
#pragma once

#include <functional>

#include "tests/reference/gauge.hpp"

namespace plaq::reference {

enum class FixedGauge { landau, coulomb, maximally_abelian };

// Quality of the links in their present gauge: eq. (4) or (11); eqs. (6), (7), or sum_{i<j} |C_ij|^2 / (3 V)
// in maximally Abelian gauge. The time slices [t] have it, too.
struct FixingQuality {
  double functional = 0, theta = 0;
  std::vector<double> slice_functional, slice_theta;
};
FixingQuality fixing_quality(const GaugeField& gauge, FixedGauge kind);

// One update of all sites, even ones first: h^omega to first order (figure A.11), or h^2 where `reflect`.
void fixing_sweep(GaugeField& gauge, FixedGauge kind, double omega, bool reflect);
// h^2 where reflect(site, subgroup) says so; subgroups 0, 1, 2 are rows 01, 02, 12.
void fixing_sweep(GaugeField& gauge, FixedGauge kind, double omega,
                  const std::function<bool(int, int)>& reflect);

}  // namespace plaq::reference
