// Rational functions of equal degree above and below, with real negative zeros and poles:
//   r(x) = A prod_i (x + nu_i^2)/(x + mu_i^2) = c0 + sum_i a_i/(x + b_i),  i = 1..n, c0 = A, b_i = mu_i^2.
// x is an eigenvalue of the operator that r acts on, such as M^dagger M, in the units of that operator.
#pragma once

#include <vector>

namespace plaq {

/// r(x), as a product and as a sum over poles.
class RationalFunction {
 public:
  /// `nu2` and `mu2` hold nu_i^2 and mu_i^2, in any order. Throws an internal error unless both have the same
  /// number n >= 0 of elements, all numbers and `amplitude` A are positive and finite, and all mu_i^2 differ.
  RationalFunction(double amplitude, std::vector<double> nu2, std::vector<double> mu2);

  int degree() const { return static_cast<int>(mu2_.size()); }

  // Product form.
  double amplitude() const { return amplitude_; }          // A
  const std::vector<double>& nu2() const { return nu2_; }  // nu_i^2, increasing: zeros are at x = -nu_i^2
  const std::vector<double>& mu2() const { return mu2_; }  // mu_i^2, increasing: poles are at x = -mu_i^2

  // Sum over poles: its shifts are the shifts of a multi-shift solve.
  double constant() const { return amplitude_; }                     // c0
  const std::vector<double>& residues() const { return residues_; }  // a_i, in the order of shifts()
  const std::vector<double>& shifts() const { return mu2_; }         // b_i, increasing

  /// r(x), x >= 0, from the product form. The relative error is at most 4n roundings.
  double operator()(double x) const;

  /// r(x) from the sum over poles. The relative error is a few roundings if all a_i are positive. If r grows
  /// with x, like x^(1/2), the a_i are negative and the terms cancel: the error is c0/r(x) roundings.
  double sum_over_poles(double x) const;

  /// 1/r: zeros and poles exchanged.
  RationalFunction inverse() const;

  /// Factors of r: the first one has the first sizes[0] pairs (nu_i, mu_i), the second one the next sizes[1],
  /// and so on. The first factor has the amplitude A, all others have 1. Throws an internal error unless all
  /// sizes are positive and their sum is degree().
  std::vector<RationalFunction> split(const std::vector<int>& sizes) const;

 private:
  double amplitude_;
  std::vector<double> nu2_, mu2_, residues_;
};

}  // namespace plaq
