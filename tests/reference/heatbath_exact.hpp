// Exact distribution of one link of a heatbath, by numerical integration.
#pragma once

namespace plaq::reference {

// SU(2), U = a0 + i a.sigma with a0^2 + a^2 = 1: weight sqrt(1 - a0^2) exp(alpha a0) on [-1, 1]; for an
// action (beta/N) Re tr(U S) over an SU(2) subgroup with S = k V, V in SU(2), and U V = a0 + ..., alpha = 2
// beta k / N. In terms of Bessel functions <a0> = I_2(alpha)/I_1(alpha), <a0^2> = 1 - 3 <a0>/alpha.
class Su2OneLink {
 public:
  explicit Su2OneLink(double alpha);  // alpha >= 0

  double mean() const { return mean_; }                // <a0>
  double mean_square() const { return mean_square_; }  // <a0^2>
  double cumulative(double a0) const;                  // probability of a smaller value, to about 1e-10

 private:
  double alpha_, width_, normalisation_, mean_,
      mean_square_;  // width_: of the angles that matter, a0 = cos(angle)
};

// SU(3), weight exp((beta/3) Re tr(U S)) times Haar measure with S = s * unit matrix: the moments of
// q = Re tr(U S)/3. Integrated over the eigenphases phi_1, phi_2, phi_3 = -phi_1 - phi_2 with the measure
// prod_{i<j} |exp(i phi_i) - exp(i phi_j)|^2, by the trapezoidal rule: the integrand is periodic and smooth.
struct OneLinkMoments {
  double mean, mean_square;
  double variance() const { return mean_square - mean * mean; }
};
OneLinkMoments su3_one_link(double beta, double s);

}  // namespace plaq::reference
