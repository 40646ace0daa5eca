// Numbers of the general domain-wall operator, Chiu et al. 2010, eqs. (2.1) to (2.4):
//   D(m)_ss' = (omega_s D_w + 1) delta_ss' + (sigma_s D_w - 1) L_ss',
//   L = P_+ L_+ + P_- L_-,  (L_+)_ss' = delta_s-1,s' for s > 1, -m delta_Ns,s' for s = 1,  L_- = L_+^T,
// with the kernel D_w that of Wilson quarks of mass -m0 (kernels/dirac/wilson/wilson_parameters.hpp),
// anisotropy included:
//   D_w = (1 + 3 nu/xi - m0) - (1/2) [hop_t + (nu/xi) hop_s].
// Slices s = 1..Ls are counted from 0 here. Physical mass of the paper: m = m_q / (2 m0).
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "kernels/dirac/wilson/wilson_parameters.hpp"

namespace plaq {

struct DomainWallParameters {
  double m0 = 1.8;                           // height of the wall, 0 < m0 < 2
  double mass = 0;                           // m, the coefficient of the boundary term
  std::optional<double> minus_mass = {};     // that of L_- where it is another one than that of L_+
  std::vector<double> omega, sigma;          // one a slice
  std::array<int, 4> boundary{1, 1, 1, -1};  // sign of each direction's boundary condition
  double xi = 1, nu = 1;                     // bare anisotropy and its fermion correction, of D_w

  // All of these throw Error(job_file) where check() does.
  static DomainWallParameters shamir(int n_s, double m0, double mass);  // sigma 0, omega 1
  static DomainWallParameters borici(int n_s, double m0, double mass);  // both 1
  static DomainWallParameters moebius(int n_s, double m0, double mass, double b5, double c5);
  // sigma = omega: of optimal weights (optimal_weights()) the most chiral operator.
  static DomainWallParameters optimal(std::vector<double> weights, double m0, double mass);
  static DomainWallParameters general(std::vector<double> omega, std::vector<double> sigma, double m0,
                                      double mass);

  int Ls() const { return static_cast<int>(omega.size()); }
  double diagonal() const { return 1 + 3 * (nu / xi) - m0; }  // of D_w
  // True if the quark's propagator S has gamma5 S gamma5 = S^dagger, as antiquarks want it: omega_s - sigma_s
  // is the same on all slices, so that transfer matrices commute, or the weights are the same read backwards.
  bool gamma5_hermitian() const;
  bool same_on_all_slices() const;   // both weights
  bool same_read_backwards() const;  // both weights, to the rounding of decimal numbers
  bool is_shamir() const;            // omega 1 and sigma 0
  // Below it free quarks are one light flavour: 2, or where hops in space weigh
  // less than those in time 2 nu/xi.
  double highest_wall() const { return nu < xi ? 2 * nu / xi : 2; }
  // Parameters of the hopping term.
  WilsonParameters wilson() const;

  // Throws Error(job_file): as many omega as sigma, at least one and at most ActiveSet::capacity, all finite,
  // omega > 0; 0 < m0 < 2; m finite; xi and nu > 0.
  void check() const;
  // And where D(m) has no even-odd form: omega (1 + c L), c = sigma/omega, is singular, as for odd Ls, c = 1
  // and m = 1; or D(m) without its hopping term is.
  void check_even_odd() const;
};

// Weights of optimal domain-wall fermions: Chiu, Phys. Rev. Lett. 90 (2003) 071601; Chiu et al. 2010.
//
// [lambda_min, lambda_max], both positive, holds the spectrum of |H_w|. With
//   T(x) = prod_s (1 - omega_s x)/(1 + omega_s x),   S = (1 - T)/(1 + T),
// S is Zolotarev's approximation to the sign function: 1 - S has Ls + 1 extrema of equal size and
// alternating sign on [lambda_min, lambda_max], ends included. Units: omega of 1/lambda, lambda of the
// operator.
//
// omega_s at [s - 1], s = 1 .. Ls = n_s, odd or even, falling; relative errors of a few 1e-16, also for
// condition numbers lambda_max / lambda_min of 1e12 and more. Throws Error(job_file) unless n_s >= 1 and 0 <
// lambda_min <= lambda_max, both finite. With lambda_min = lambda_max all are 1/lambda_min.
std::vector<double> optimal_weights(int n_s, double lambda_min, double lambda_max);

// The largest |1 - S(x)| for these weights, (1 - L)/(1 + L); its relative error is a few 1e-16 also where it
// is far below 1e-16. Errors as above.
double optimal_deviation(int n_s, double lambda_min, double lambda_max);

}  // namespace plaq
