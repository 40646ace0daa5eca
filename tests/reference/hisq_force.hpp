// The chain rule of HISQ links by its definition: paths cut open at each link, and linear equations for the
// unitary factor.
#pragma once

#include "tests/reference/asqtad.hpp"
#include "tests/reference/quark_force.hpp"

namespace plaq::reference {

// Gradients Sigma on links L: dS = Re sum over links of tr(dL Sigma).
// From those on fat links, and on three-link products, to those on links.
LinkMatrices fat_link_gradient(const GaugeField& gauge, const FatCoefficients& c, const LinkMatrices& sigma);
LinkMatrices three_link_gradient(const GaugeField& gauge, const LinkMatrices& sigma);

// From that on W = V (V^dagger V + delta)^(-1/2), delta = 0, to that on V:
//   Sigma_V = 2 R W^dagger,   H R + R H = (Sigma W - W^dagger Sigma^dagger)/2,   H^2 = V^dagger V + delta,
// where delta is the filter if an eigenvalue of V^dagger V is below it, else 0.
ColorMatrix unitary_factor_gradient(const ColorMatrix& v, const ColorMatrix& sigma, double filter,
                                    bool& filtered);

// S = Re sum over links of tr(F A), for each epsilon, and of tr(N B), F and N the fat and long links of HISQ.
struct HisqTerm {
  double epsilon;
  LinkMatrices a;
};
double hisq_function(const GaugeField& gauge, const std::vector<HisqTerm>& fat, const LinkMatrices& b);
// Its force, and the number of links on which the filter acts.
struct HisqForce {
  LinkMatrices force;
  int filtered = 0;
};
HisqForce hisq_force(const GaugeField& gauge, const std::vector<HisqTerm>& fat, const LinkMatrices& b,
                     double filter);

}  // namespace plaq::reference
