// Inverses of dense complex matrices on the host.
#pragma once

#include <complex>

namespace plaq {

// `inverse` = matrix^-1, n x n, columns after columns, by LU with partial pivoting; `matrix` is used up.
// Where it is singular, the inverse is large or not finite. The same bits for any number of threads.
void invert_dense(std::complex<double>* inverse, std::complex<double>* matrix, int n);

}  // namespace plaq
