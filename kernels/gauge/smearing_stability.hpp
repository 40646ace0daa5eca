// Stability of link smearing and of gradient flows. On a weak field U = exp(i A) one step multiplies each
// transverse mode of A by a real factor of at most 1. Repeated steps damp the mode where the factor is above
// -1, and amplify it where it is below. The lowest factor is found at momenta whose components are 0 or pi,
// where phat^2 = sum_i 4 sin^2(p_i / 2) is up to 16, in space alone up to 12:
//   APE     1 - alpha phat^2 / k, k staples
//   stout   1 - rho phat^2
//   HYP     the three levels of smearing.hpp, linearised
//   flow    1 - z + z^2/2 - z^3/6, z = epsilon phat^2: the third-order Runge-Kutta scheme; at most 5/3 and
//           10/9 of this z with the Symanzik and the Zeuthen flow
// See S. Capitani, S. Duerr, C. Hoelbling, hep-lat/0607006, for APE and stout smearing.
#pragma once

#include "kernels/gauge/smearing.hpp"

namespace plaq {

/// Lowest factor of one step on any mode of a weak field; below -1 the step amplifies that mode.
double lowest_factor(const ApeSmearing& ape);
double lowest_factor(const StoutSmearing& stout);
double lowest_factor(const HypSmearing& hyp);
/// Lowest factor of one step `epsilon` > 0 of a flow, at the highest momentum.
double lowest_factor_of_flow(double epsilon, FlowAction action = FlowAction::wilson);

/// Steps with a lowest factor of at least this are stable. Limits are quoted with
/// three digits: 0.667 stands for 2/3.
inline constexpr double stable_factor = -1.005;

/// Largest stable parameters, with three digits.
double largest_alpha(bool spatial);  // of APE smearing
double largest_rho(bool spatial);    // of stout smearing
constexpr double largest_flow_step(FlowAction action = FlowAction::wilson) {
  return action == FlowAction::wilson ? 0.157 : action == FlowAction::symanzik ? 0.0942 : 0.141;
}

}  // namespace plaq
