// Weights of optimal domain-wall fermions: Chiu, Phys. Rev. Lett. 90 (2003) 071601; Chiu et al. 2010.
//
// [lambda_min, lambda_max], both positive, holds the spectrum of |H_w|. With
//   T(x) = prod_s (1 - omega_s x)/(1 + omega_s x),   S = (1 - T)/(1 + T),
// S is Zolotarev's approximation to the sign function: 1 - S has N_s + 1 extrema of equal size and
// alternating sign on [lambda_min, lambda_max], ends included. Units: omega of 1/lambda, lambda of the
// operator.
#pragma once

#include <vector>

namespace plaq {

// omega_s at [s - 1], s = 1 .. N_s = n_s, odd or even, falling; relative errors of a few 1e-16, also for
// condition numbers lambda_max / lambda_min of 1e12 and more. Throws Error(job_file) unless n_s >= 1 and 0 <
// lambda_min <= lambda_max, both finite. With lambda_min = lambda_max all are 1/lambda_min.
std::vector<double> optimal_weights(int n_s, double lambda_min, double lambda_max);

// The largest |1 - S(x)| for these weights, (1 - L)/(1 + L); its relative error is a few 1e-16 also where it
// is far below 1e-16. Errors as above.
double optimal_deviation(int n_s, double lambda_min, double lambda_max);

}  // namespace plaq
