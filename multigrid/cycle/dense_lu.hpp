// Inverses of dense complex matrices on the host.
#pragma once

#include <complex>

namespace plaq {

// `inverse` = matrix^-1, n x n, columns after columns, by LU with partial pivoting; `matrix` is used up. Returns an estimate
// of the reciprocal condition number in the 1-norm; where that is not above `least`, or not a number, there is no inverse.
// The same bits for any number of threads.
double invert_dense(std::complex<double>* inverse, std::complex<double>* matrix, int n, double least);

}  // namespace plaq
