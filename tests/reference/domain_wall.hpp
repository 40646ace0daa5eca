// The general domain-wall operator, Chiu et al. 2010, and the overlap operator that it stands for. A field in
// five dimensions is a SpinorField of Ls lattices, one slice after the other.
#pragma once

#include "tests/reference/dense.hpp"
#include "tests/reference/wilson.hpp"

namespace plaq::reference {

struct DomainWallParameters {
  double m0 = 1.8, mass = 0;  // mass: coefficient of the boundary term
  std::vector<double> omega, sigma;
  std::array<int, 4> boundary{1, 1, 1, -1};
  double xi = 1, nu = 1;  // anisotropy of D_w

  int Ls() const { return static_cast<int>(omega.size()); }
  WilsonParameters wilson() const { return {-m0, xi, nu, boundary}; }
};

// Slice s, counted from 0.
SpinorField slice(const DomainWallParameters& p, const SpinorField& five, int s);
SpinorField joined(const std::vector<SpinorField>& slices);

// Eq. (2.1) slice by slice, and its adjoint term by term.
SpinorField domain_wall(const DomainWallParameters& p, const GaugeField& gauge, const SpinorField& in);
SpinorField domain_wall_dagger(const DomainWallParameters& p, const GaugeField& gauge, const SpinorField& in);

// Matrices in the fifth dimension for one sign of gamma5 (1 or -1), by their formulas: eqs. (2.4), (2.7), the
// second form of (2.8), and (2.9).
RealDense shift_l(const DomainWallParameters& p, int sign);
RealDense matrix_x(const DomainWallParameters& p, int sign);
RealDense matrix_y(const DomainWallParameters& p, int sign);
RealDense matrix_m5(const DomainWallParameters& p, int sign);
RealDense matrix_s1(const DomainWallParameters& p, int sign);
RealDense matrix_s2(const DomainWallParameters& p, int sign);

// One matrix for each sign times the slices.
SpinorField times(const RealDense& plus, const RealDense& minus, const SpinorField& in);

// The source in five dimensions of one in four: P_+ b on the first slice, P_- b on the last, times
// 1 - sigma_s D_w; and the quark fields P_- psi_1 + P_+ psi_Ns, P_- psi_(Ns/2 + 1) + P_+ psi_(Ns/2).
SpinorField domain_wall_source(const DomainWallParameters& p, const GaugeField& gauge, const SpinorField& b);
SpinorField domain_wall_quark(const DomainWallParameters& p, const SpinorField& psi);
SpinorField domain_wall_midpoint(const DomainWallParameters& p, const SpinorField& psi);
// (Y psi + sigma b_5) / sqrt(omega + sigma) slice by slice, b_5 the source b on the walls without its factor
// 1 - sigma D_w.
SpinorField domain_wall_current_field(const DomainWallParameters& p, const SpinorField& psi,
                                      const SpinorField& b);

// s = (1 - T)/(1 + T), T = T_Ns ... T_2 T_1, T_s = (1 - H_s)/(1 + H_s),
// H_s = (omega_s + sigma_s) gamma5 D_w / (2 + (omega_s - sigma_s) D_w), as a matrix of 12 V rows; row
// 12 site + 3 spin + color.
ComplexDense overlap_sign(const DomainWallParameters& p, const GaugeField& gauge);
// (D_ov^-1 - 1) / (1 - m), D_ov = (1 + m)/2 + ((1 - m)/2) gamma5 s.
ComplexDense overlap_propagator(const DomainWallParameters& p, const ComplexDense& sign);
ComplexDense gamma5_times(ComplexDense m);
SpinorField times(const ComplexDense& matrix, const SpinorField& in);

}  // namespace plaq::reference
