// Zolotarev's best rational approximation of x^(-1/2) on [low, high], in closed form.
// E. I. Zolotarev, Zap. Imp. Akad. Nauk 30 (1877); N. I. Achieser, "Theory of Approximation" (1956), app. E.
//   mu_i^2 = low sc^2(v_(2i-1)),   nu_i^2 = low sc^2(v_(2i)),   v_j = j K/(2n + 1),   i = 1 .. n,
// sc = sn/cn of the modulus k, k^2 = 1 - low/high, and K its complete integral.
// The error is extremal at x_j = low/dn^2(v_j), j = 0 .. 2n + 1.
#pragma once

#include <vector>

#include "dynamics/rational/rational_approximation.hpp"

namespace plaq {

/// Degree n = `degree` >= 1, 0 < low < high. delta, A and all coefficients have relative errors of about
/// 1e-16, also where delta is far below 1e-16; delta is about 4 exp(-pi^2 (2n + 1)/ln(16 high/low)).
RationalApproximation zolotarev(SpectralRange range, int degree);

/// delta of zolotarev(range, degree).
double zolotarev_delta(SpectralRange range, int degree);

/// x_0 = low, ..., x_(2n+1) = high.
std::vector<long double> zolotarev_extrema(long double low, long double high, int degree);

}  // namespace plaq
