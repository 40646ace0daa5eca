// Elliptic functions for Zolotarev's best approximations by rational functions. All keep their relative
// accuracy, about 1e-18, at any modulus: near 0 and near 1 the terms of their series have one sign.
//
// [low, high], both positive, is the interval of an approximation, and kappa = low/high < 1 the complementary
// modulus k' of the functions: k = sqrt(1 - kappa^2). Their arguments v are in units of the quarter period K:
// z = pi v/(2 K). a = -ln(nome) = pi K(kappa)/K(k).
// Abramowitz, Stegun, "Handbook of Mathematical Functions" (1972), ch. 16 and 17.
#pragma once

namespace plaq::elliptic {

using Real = long double;

/// a of the modulus k = sqrt(1 - (low/high)^2), 0 < low < high.
Real minus_log_nome(Real low, Real high);

/// dn(v; k), 0 <= z <= pi/2: from 1 down to kappa.
Real dn(Real z, Real a, Real kappa);

/// sn(v; k)/cn(v; k), 0 < z < pi/2.
Real sc(Real z, Real a, Real kappa);

/// Modulus of nome exp(-a), N times the a of another one: Landen's transformation of order N.
struct Transformed {
  Real l;               // the complementary modulus
  Real deviation;       // (1 - l)/(1 + l)
  Real theta3_squared;  // 2 K/pi
  explicit Transformed(Real a);
};

/// Carlson's integral R_F(x, y, 1), x and y not both 0: Numer. Algorithms 10 (1995) 13.
Real carlson_rf(Real x, Real y);

}  // namespace plaq::elliptic
