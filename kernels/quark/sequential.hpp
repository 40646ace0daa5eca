// Three-point functions of a local current by sequential propagators through the sink (Martinelli, Sachrajda,
// Nucl. Phys. B 316 (1989) 355):
//   C3(t, q) = sum_y exp(-i q (y - source)) < O(sink slice, p = 0) J(y, t) Obar(source) >,  J = qbar Gamma q,
// connected part. Where the two-point function at the sink is linear in a propagator, C2 = sum_x tr[Sigma(x)
// S(x, 0)], Sigma its derivative, C3 has sum_x Sigma(x) S(x, y) Gamma S(y, 0). With M gamma5-hermitian
//   sum_x Sigma(x) S(x, y) = psi(y)^dagger gamma5,  M psi = gamma5 Sigma^dagger on the sink's slice,
//   C3(t, q) = sum_y exp(...) tr[psi(y)^dagger gamma5 Gamma S(y)],
// one solve for each operator, projector, quark and sink time, for all currents and momenta.
#pragma once

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "kernels/quark/mesons.hpp"

namespace plaq {

using SpinProjector = std::array<std::array<std::complex<double>, 4>, 4>;  // [row][column]

// (1 + gamma_t)/2, and (1 + gamma_t)/2 i gamma5 gamma_z: of spin along z, for axial and tensor charges.
SpinProjector unpolarized_projector();
SpinProjector polarized_projector();

enum class NucleonQuark { up, down };

// gamma5 Sigma^dagger on time slice `sink_slice`, columns as of a propagator; `out` has the fields' geometry,
// in double precision. Sigma of the pion by the quark that runs forward, C2 = sum |S|^2 (a current of the
// quark that runs back is the same but for a sign); of the proton, C2 = tr[P <chi chibar>]
// of ProtonContraction but for its sign of the boundary, by both u quarks or by the d. Queued, not
// collective; the same bits on any process grid.
void pion_sequential_source(Field& out, const Field& quark, int sink_slice, const Queue& queue);
void nucleon_sequential_source(Field& out, const Field& up, const Field& down, NucleonQuark quark,
                               const SpinProjector& projector, int sink_slice, const Queue& queue);

// The local currents by name, as channels of MesonContraction(S, psi), which gives C3:
//   scalar 1; vector_x .. vector_t gamma_mu; axial_x .. axial_t gamma_mu gamma5;
//   tensor_xy, xz, xt, yz, yt, zt: sigma_mu,nu = (i/2) [gamma_mu, gamma_nu]
// At q = 0 over the unpolarized C2, bare: vector_t is the number of quarks, and of the polarized nucleon
// axial_z is i times and tensor_xy -1 times the charge.
std::vector<MesonChannel> local_currents();

}  // namespace plaq
