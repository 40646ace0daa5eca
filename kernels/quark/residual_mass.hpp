// Breaking of chiral symmetry by domain-wall quarks (kernels/dirac/domain_wall/domain_wall_quark.hpp).
//
// The quark q = S b of a source b has S^-1 = D_c + m, D_c = (1 + gamma5 s)/(1 - gamma5 s), s = s(H). If S
// is gamma5-hermitian, as for every operator whose slices have the same omega - sigma,
//   (S + S^dagger)/2 = m S^dagger S + S^dagger Delta S,
//   Delta = (D_c + D_c^dagger)/2 = (1 - s gamma5)^-1 (1 - s^2) (1 - gamma5 s)^-1,
// which is the axial Ward identity summed over the lattice, and holds on every gauge field:
//   m_res = sum_k (q_k, Delta q_k) / sum_k (q_k, q_k) = sum_k Re (b_k, q_k) / sum_k (q_k, q_k) - m
// over the columns k of any source; of a point source Re tr S(0,0) / sum_x tr[S(x,0)^dagger S(x,0)] - m. For
// even Ls with the same omega and sigma on all slices, q_mid = P_- psi_(Ls/2 + 1) + P_+ psi_(Ls/2) has
//   sum_k (q_k, Delta q_k) = sum_k (q_mid_k, q_mid_k),
// and on every time slice but the source's the same is the anomalous term of the 5D axial current A (Furman,
// Shamir, Nucl. Phys. B 439 (1995) 54):
//   A_4(t) - A_4(t-1) = 2 m C_pion(t) + 2 C_mid(t),   C_mid(t) = sum_x sum_k |q_mid_k(x, t)|^2,
// so that m_res(t) = C_mid(t) / C_pion(t). Both correlators are the channel "pion" of MesonContraction.
#pragma once

#include <complex>
#include <vector>

#include "comms/grid/process_grid.hpp"
#include "core/field/field.hpp"
#include "kernels/quark/plateau.hpp"

namespace plaq {

// sum_k Re (b_k, q_k) / sum_k (q_k, q_k) - m, of as many columns as both fields have, in 4D, on both
// parities. A quark with an error of relative size e changes it by about e ||b|| / ||q||. Throws
// Error(internal) where fields differ in shape. Collective, waits; the same bits on any process grid.
double summed_residual_mass(const ProcessGrid& grid, const Field& source, const Field& quark, double mass,
                            const Queue& queue);

using CorrelatorInTime = std::vector<std::complex<double>>;  // t = 0: the source's slice

// Re C_mid(t) / Re C_pion(t), from unsmeared quark fields.
std::vector<double> residual_mass(const CorrelatorInTime& midpoint, const CorrelatorInTime& pion);

// The bare PCAC mass of the local axial current, [C_A(t+1) - C_A(t-1)] / (4 C_pion(t)), real parts, t modulo
// T: C_A is the channel "axial_pseudoscalar" (A_4 = psibar gamma_t gamma5 psi), C_pion "pion". Away from the
// source it is (m + m_res) / Z_A to O(a^2); t = 0, 1 and T - 1 have the source's slice in them.
std::vector<double> pcac_mass(const CorrelatorInTime& axial, const CorrelatorInTime& pion);

}  // namespace plaq
