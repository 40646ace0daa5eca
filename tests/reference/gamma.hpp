// Euclidean gamma matrices in the DeGrand-Rossi basis, read off the projectors P^{+-mu} = 1 +- gamma_mu of
// Clark et al. 2010, appendix B. Hermitian, {gamma_mu, gamma_nu} = 2 delta_mu,nu;
// gamma5 = gamma_x gamma_y gamma_z gamma_t = diag(1, 1, -1, -1) in this basis.
#pragma once

#include "tests/reference/matrix.hpp"

namespace plaq::reference {

SpinMatrix gamma(int mu);  // mu = 0..3: x, y, z, t
SpinMatrix gamma5();       // the diagonal matrix, not the product

}  // namespace plaq::reference
