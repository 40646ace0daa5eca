// Distillation (Peardon et al., Phys. Rev. D 80 (2009) 054506): quark propagators and operators of hadrons
// between the modes v_i(t) of the Laplacian in space. Arrays are the same on all ranks, and their bits do not
// depend on the process grid. plaq.distillation in Python contracts them.
#pragma once

#include <array>
#include <complex>
#include <string>
#include <vector>

#include "plaq/dirac_solver.hpp"
#include "plaq/laplacian_modes.hpp"
#include "quarks/distillation/line_currents.hpp"
#include "quarks/distillation/mode_noise.hpp"

namespace plaq {

/// The perambulator from time slice t: tau(t', t)_{s i, s' j} = sum_x v_i(x, t')^dagger [M^-1 v_j(t) e_s']_s
/// (x, t') as [t'][s][s'][i][j], t' counted from the first slice of the lattice, s and i the spin and mode of
/// the sink. It takes 4 solves for each mode. Throws Error(not_converged), and Error(usage) if there is no
/// such slice, if the quarks have no spin, or if the modes are on another lattice. Collective.
/// @param solver  solver of the quarks, on the gauge field of the modes
/// @param modes   modes of the Laplacian, with the signs of the quarks in space
/// @param t       time slice of the source
std::vector<std::complex<double>> perambulator(DiracSolver& solver, const LaplacianModes& modes, int t);

/// Estimate of the perambulator from time slice t by a noise vector in the space of spins and modes, for
/// stochastic LapH (Morningstar et al., Phys. Rev. D 83 (2011) 114505): sum over the parts d of the noise of
/// X_{s i, d} rho_{s' j, d}^*, X the solutions between the modes, as [t'][s][s'][i][j]. Its average over
/// noise is the perambulator; the quark lines of a correlator need different noise. It takes a solve for each
/// part of the noise. Throws as perambulator(), and Error(usage) if the noise has no type or the vector is
/// negative. Collective.
/// @param solver  solver of the quarks, on the gauge field of the modes
/// @param modes   modes of the Laplacian, with the signs of the quarks in space
/// @param t       time slice of the source
/// @param noise   kind of noise, seed and dilution; noise.vectors is not used
/// @param vector  number of the noise vector, from 0 on
std::vector<std::complex<double>> stochastic_perambulator(DiracSolver& solver, const LaplacianModes& modes,
                                                          int t, const ModeNoise& noise, int vector = 0);

/// Quark lines from one time slice, without and with a current on them.
struct QuarkLines {
  std::vector<std::complex<double>> perambulator;  ///< as of perambulator()
  /// Generalised perambulators as [operator][momentum][t][a][b][s][s'][i][j], t of the current from the
  /// source to the sink.
  std::vector<std::complex<double>> generalised;
};

/// Generalised perambulators, for three-point functions by distillation: with the source on slice t_i = t and
/// the sink sink_time slices behind it, t_f, around the lattice,
///   G(t)_{a b, s i, s' j} = sum_x exp(-i p x) [v_i(t_f)^dagger M^-1]_{s a} [D M^-1 v_j(t_i)]_{b s'} (x, t)
/// for sink_time + 1 slices t, from t_i to t_f. sum_ab Gamma_ab G_ab is the line with the current
/// exp(-i p x) qbar Gamma D q. It takes 8 solves for each mode, for all currents together, keeps 4 quark
/// fields for each mode, and finds the perambulator too. Throws as perambulator(), and Error(usage) if the
/// sink is not 1 to T - 1 slices behind the source, for a wrong operator, momentum or lattice, and for quarks
/// with a twisted mass. Collective.
/// @param solver     solver of the quarks, on the gauge field of the modes
/// @param modes      modes of the Laplacian, with the signs of the quarks in space
/// @param t          time slice of the source
/// @param sink_time  time slices from the source to the sink
/// @param currents   D and momenta
/// @param gauge      links of the derivatives; null: those of the action
QuarkLines generalised_perambulators(DiracSolver& solver, const LaplacianModes& modes, int t, int sink_time,
                                     const LineCurrents& currents = {}, const GaugeField* gauge = nullptr);

/// Operators of mesons: phi(t)_ij = sum_x exp(-i p x) v_i(x, t)^dagger v_j(x, t) as [t][i][j], with
/// p = 2 pi n / L and x from the origin of the lattice. Throws Error(usage) if n is outside the Brillouin
/// zone. Collective.
std::vector<std::complex<double>> meson_elementals(const LaplacianModes& modes,
                                                   const std::array<int, 3>& n = {0, 0, 0});
/// Operators of mesons with derivatives: phi(t)_ij = sum_x exp(-i p x) v_i^dagger D_a D_b ... v_j for the
/// word "ab..." of one to three letters x, y, z, with the boundary signs of the modes, and
/// D_a v = (1/2) [U_a(x) v(x+a) - U_a(x-a)^dagger v(x-a)]. Throws Error(usage) as above, and for another word
/// or lattice. Collective.
/// @param modes       modes of the Laplacian
/// @param gauge       gauge field of the derivatives, which is smeared as that of the modes as a rule
/// @param derivative  word of the derivatives
/// @param n           integers of the momentum
std::vector<std::complex<double>> meson_elementals(const LaplacianModes& modes, const GaugeField& gauge,
                                                   const std::string& derivative,
                                                   const std::array<int, 3>& n = {0, 0, 0});
/// Operators of baryons: B(t)_ijk = sum_x exp(-i p x) eps_abc v_i^a v_j^b v_k^c (x, t) as [t][i][j][k].
/// Throws Error(usage) if n is outside the Brillouin zone, or if the modes are antiperiodic in space.
/// Collective.
std::vector<std::complex<double>> baryon_elementals(const LaplacianModes& modes,
                                                    const std::array<int, 3>& n = {0, 0, 0});

}  // namespace plaq
