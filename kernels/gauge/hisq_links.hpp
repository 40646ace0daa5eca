// Links of HISQ fermions, highly improved staggered quarks: Follana et al., Phys. Rev. D 75 (2007) 054502,
// hep-lat/0610092. From plain SU(3) links U, without staggered phases or boundary signs:
//   V = fat links of U with paths of one to seven links (fat7),
//   W = V (V^dagger V)^(-1/2), of U(3) as in the programs of MILC and others, not of SU(3),
//   F = fat links of W, with twice the Lepage term of asqtad,   N_mu(x) = W_mu(x) W_mu(x+mu) W_mu(x+2mu).
// The operator is that of asqtad (kernels/gauge/asqtad_links.hpp) with F and N, whose coefficient is
// -(1 + epsilon)/24. There are no tadpole factors: W is unitary.
//
// If V is singular to rounding, so that W is not defined, W is U. Elsewhere the error of W is rounding
// over the product of the two smallest singular values of V, at most.
#pragma once

#include "kernels/gauge/asqtad_links.hpp"

namespace plaq {

// Coefficients of V: 1/8, 1/16, 1/64, 1/384, no Lepage term and no long links.
AsqtadCoefficients fat7_coefficients();
// Coefficients of F and N: 1 + epsilon/8, 1/16, 1/64, 1/384, Lepage -1/8, Naik -(1 + epsilon)/24. Throws
// Error(job_file) unless epsilon is finite.
AsqtadCoefficients hisq_coefficients(double naik_epsilon);

// Collective; as asqtad_links(), which takes as much memory. `three` is N, of U(3).
AsqtadLinks hisq_links(const ProcessGrid& grid, const Field& gauge, double naik_epsilon, Precision precision,
                       const Queue& queue, std::shared_ptr<Transport> transport);

}  // namespace plaq
